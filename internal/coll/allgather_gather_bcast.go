package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/gather_bcast: gather/knomial to rank 0, then bcast/binomial.
//
// Steps: with r = k+1, ceil(logr p) + ceil(log2 p) rounds, 2(p-1) messages in
// all. Cost: (ceil(logr p) + ceil(log2 p))a + (p-1)/k*nb + ceil(log2 p)*pnb. Limits: none.
// Source: textbook.
func allgatherGatherBcast(b *plan.Builder, c Case) {
	first, second := c, c
	first.Op, second.Op = Gather, Bcast
	first.Root, second.Root = 0, 0
	second.Bytes = c.Ranks * c.Bytes
	gathered := b.Join(part(gatherKnomial, first), plan.Join{In: c.source(), Out: second.vector()})
	b.Join(part(bcastBinomial, second), plan.Join{Out: second.vector()}, gathered)
}
