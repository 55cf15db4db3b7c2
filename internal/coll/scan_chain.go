package coll

import "github.com/weft-mpi/weft/internal/plan"

// scan/chain, exscan/chain: the sum of the ranks before runs from rank to rank,
// each adding its own.
//
// Steps: p-1 rounds, p-1 messages in all. Cost: (p-1)(a + nb + ng). Limits:
// none. Source: textbook.
func scanChain(b *plan.Builder, c Case) {
	before, got := plan.Span{}, plan.None
	if c.Rank > 0 {
		before = b.Tmp(c.Bytes)
		got = b.Recv(c.Rank-1, before)
	}
	sum, ready := c.source(), plan.None // of the ranks up to and with this one
	if c.Rank > 0 {
		sum = b.Tmp(c.Bytes)
		ready = b.Copy(sum, c.source())
		ready = b.Reduce(sum, before, true, ready, got)
	}
	if c.Rank < c.Ranks-1 {
		b.Send(c.Rank+1, sum, ready)
	}
	switch {
	case c.Rank == 0 && (c.Op == Exscan || c.inPlace()):
	case c.Op == Exscan:
		b.Copy(c.vector(), before, ready)
	default:
		b.Copy(c.vector(), sum, ready)
	}
}
