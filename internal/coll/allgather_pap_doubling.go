package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/pap_doubling: allgather/doubling in which every rank tells on arrival
// where it wants the blocks of all rounds.
//
// Steps: as allgather/doubling. Cost: as allgather/doubling without the
// questions of long messages. Limits: p is a power of two. Source: own, after
// Qian, thesis, ch. 6.
func allgatherPAPDoubling(b *plan.Builder, c Case) { announced(b, c, allgatherDoubling) }
