package coll

import "github.com/weft-mpi/weft/internal/plan"

// allreduce/pap_doubling: allreduce/doubling in which every rank tells on arrival
// where it wants the vectors of all rounds.
//
// Steps: as allreduce/doubling. Cost: as allreduce/doubling without the
// questions of long messages. Limits: none. Source: own, after Qian, thesis,
// ch. 6.
func allreducePAPDoubling(b *plan.Builder, c Case) { announced(b, c, allreduceDoubling) }
