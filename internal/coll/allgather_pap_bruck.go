package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/pap_bruck: allgather/bruck in which every rank tells on arrival where it
// wants the blocks of all rounds, so that those who come late find them waiting
// to be put and nobody asks.
//
// Steps: as allgather/bruck. Cost: as allgather/bruck without the questions of
// long messages. Limits: none; scratch of pn. Source: own, after Qian, thesis, ch. 6.
func allgatherPAPBruck(b *plan.Builder, c Case) { announced(b, c, allgatherBruck) }
