package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/doubling: in round k partners at distance 2^k exchange all the
// blocks they have.
//
// Steps: log2 p rounds. Cost: log2(p)*a + (p-1)nb. Limits: p is a power of two.
// Source: textbook.
func allgatherDoubling(b *plan.Builder, c Case) {
	offs := make([]int, c.Ranks+1)
	for i := range offs {
		offs[i] = i * c.Bytes
	}
	own := plan.None
	if !c.inPlace() {
		own = b.Copy(c.recvBlock(c.Rank), c.source())
	}
	t := team{size: c.Ranks, me: c.Rank, rank: func(i int) int { return i }}
	t.regrow(b, plan.Span{Buf: plan.Out, Len: offs[c.Ranks]}, offs, own, nil)
}
