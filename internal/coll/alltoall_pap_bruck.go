package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/pap_bruck: alltoall/bruck in which every rank tells on arrival where it
// wants the blocks of all rounds.
//
// Steps: as alltoall/bruck. Cost: as alltoall/bruck without the questions of
// long messages. Limits: none; scratch as alltoall/bruck. Source: own, after
// Qian, thesis, ch. 6.
func alltoallPAPBruck(b *plan.Builder, c Case) { announced(b, c, alltoallBruck) }
