package coll

import "github.com/weft-mpi/weft/internal/plan"

// reduce_scatter/reduce_scatterv: reduce/binomial of the whole vector to rank
// 0, then scatterv/flat.
//
// Steps: ceil(log2 p) + 1 rounds. With N the whole vector,
// cost: ceil(log2 p)(a + Nb + Ng) + a + (p-1)/p*Nb. Limits: none.
// Source: textbook.
func reduceScatterReduceScatterv(b *plan.Builder, c Case) {
	offs := c.vectorOffs()
	out := plan.Span{Buf: plan.Out, Len: offs[c.Rank+1] - offs[c.Rank]}
	first := c
	first.Op, first.Root, first.Bytes, first.InPlace = Reduce, 0, offs[c.Ranks], false
	first.RecvCounts = nil
	second := c
	second.Op, second.Root, second.Bytes, second.InPlace = Scatterv, 0, out.Len, false
	second.SendCounts, second.SendDispls = make([]int, c.Ranks), offs[:c.Ranks]
	for i := range c.Ranks {
		second.SendCounts[i] = offs[i+1] - offs[i]
	}
	var sum plan.Span
	if c.Rank == 0 {
		sum = b.Tmp(offs[c.Ranks])
	}
	reduced := b.Join(part(reduceBinomial, first), plan.Join{In: c.source(), Out: sum})
	b.Join(part(scatterFlat, second), plan.Join{In: sum, Out: out}, reduced)
}
