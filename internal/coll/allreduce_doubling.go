package coll

import "github.com/weft-mpi/weft/internal/plan"

// allreduce/doubling: ranks are folded to a power of two; in round k partners
// at distance 2^k exchange what they have and both merge it; those who dropped
// out get the result. What is merged is always that of neighbouring groups of
// ranks, so order is kept.
//
// Steps: log2 p rounds (two more unless p is a power of two).
// Cost: log2(p)(a + nb + ng). Limits: none. Source: textbook (butterfly).
//
// Each round receives into fresh space and merges the own value into it, so
// that nothing waits for a send to end; the last lands in Out.
func allreduceDoubling(b *plan.Builder, c Case) {
	f := newFold(c.Ranks, -1)
	if !f.stays(c.Rank) {
		dropOut(b, c, c.Rank^1)
		return
	}
	value, ready := foldIn(b, c, f)
	first := plan.None // the send that may read the own vector
	me := f.index(c.Rank)
	for mask := 1; mask < f.pow; mask *= 2 {
		peer := f.rank(me ^ mask)
		landing := c.vector()
		if c.inPlace() || 2*mask < f.pow {
			landing = b.Tmp(c.Bytes)
		}
		sent := b.Send(peer, value, ready)
		got := b.Recv(peer, landing)
		ready = b.Reduce(landing, value, me&mask == 0, got, ready)
		value = landing
		if mask == 1 {
			first = sent
		}
	}
	if c.inPlace() {
		ready = b.Copy(c.vector(), value, first, ready)
	}
	if f.paired(c.Rank) {
		b.Send(c.Rank^1, c.vector(), ready)
	}
}
