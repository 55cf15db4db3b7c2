package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/elan: what elan_alltoall of Quadrics is taken to do: alltoall/direct
// with one port, as its algorithms use one only.
//
// Steps: p-1 rounds. Cost: (p-1)(a + nb). Limits: none. A rival to compare with.
// Source: Qian, "Design and evaluation of efficient collective communications
// on modern interconnects and multi-core clusters", 2010, chapter 3.
func alltoallElan(b *plan.Builder, c Case) { alltoallDirect(b, c) }
