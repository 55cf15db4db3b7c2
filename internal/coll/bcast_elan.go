package coll

import "github.com/weft-mpi/weft/internal/plan"

// bcast/elan: what elan_bcast of Quadrics does in software: bcast/binomial over
// all ranks. (The broadcast of its hardware has no counterpart here.)
//
// Steps: ceil(log2 p) rounds. Cost: ceil(log2 p)(a + nb). Limits: none. A rival
// to compare with. Source: Qian, "Design and evaluation of efficient collective
// communications on modern interconnects and multi-core clusters", 2010,
// section 4.3.
func bcastElan(b *plan.Builder, c Case) { bcastBinomial(b, c) }
