package coll

import "github.com/weft-mpi/weft/internal/plan"

// allreduce/reduce_bcast: reduce/binomial to rank 0, then bcast/binomial.
//
// Steps: 2 ceil(log2 p) rounds. Cost: 2 ceil(log2 p)(a + nb) + ceil(log2 p)*ng.
// Limits: none. Source: textbook.
func allreduceReduceBcast(b *plan.Builder, c Case) {
	first, second := c, c
	first.Op, second.Op = Reduce, Bcast
	first.Root, second.Root = 0, 0
	reduced := b.Join(part(reduceBinomial, first), plan.Join{In: c.source(), Out: c.vector()})
	b.Join(part(bcastBinomial, second), plan.Join{Out: c.vector()}, reduced)
}

// part builds the plan of an algorithm for use inside another.
func part(steps func(*plan.Builder, Case), c Case) *plan.Plan {
	b := plan.NewBuilder(c.Op.String(), c.Rank, c.Ranks)
	steps(b, c)
	return b.Build()
}
