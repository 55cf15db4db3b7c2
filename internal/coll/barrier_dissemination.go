package coll

import "github.com/weft-mpi/weft/internal/plan"

// barrier/dissemination: in round k every rank tells the one 2^k further on
// that it, and all it has heard of, have arrived.
//
// Steps: ceil(log2 p) rounds. Cost: ceil(log2 p)*a. Limits: none.
// Source: Hensgen, Finkel and Manber, "Two algorithms for barrier
// synchronization", 1988.
func barrierDissemination(b *plan.Builder, c Case) {
	var heard []int
	for d := 1; d < c.Ranks; d *= 2 {
		b.Send((c.Rank+d)%c.Ranks, plan.Span{}, heard...)
		heard = append(heard, b.Recv((c.Rank-d+c.Ranks)%c.Ranks, plan.Span{}))
	}
}
