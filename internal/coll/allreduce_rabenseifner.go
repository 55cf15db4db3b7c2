package coll

import "github.com/weft-mpi/weft/internal/plan"

// allreduce/rabenseifner: ranks are folded to a power of two, each of which
// finishes one block of the vector by recursive halving; the blocks are
// collected by recursive doubling; those who dropped out get the result.
//
// Steps: 2 log2 p rounds (two more unless p is a power of two).
// Cost: 2 log2(p)*a + 2(p-1)/p*nb + (p-1)/p*ng. Limits: commutative.
// Source: Rabenseifner, "Optimization of collective reduction operations", 2004.
func allreduceRabenseifner(b *plan.Builder, c Case) {
	f := newFold(c.Ranks, -1)
	if !f.stays(c.Rank) {
		dropOut(b, c, c.Rank^1)
		return
	}
	vector, ready := foldIn(b, c, f)
	t := team{size: f.pow, me: f.index(c.Rank), rank: f.rank}
	offs := split(c.Bytes, c.elem(), f.pow)
	mine := cut(c.vector(), offs, t.me, t.me+1)
	var into plan.Span
	if !c.inPlace() {
		into = mine
	}
	h := t.halve(b, vector, offs, into, ready)
	var free []int
	if c.inPlace() {
		free = h.used
		h.ready = b.Copy(mine, h.at, append(h.used, h.ready)...)
	}
	have := t.regrow(b, c.vector(), offs, h.ready, free)
	if f.paired(c.Rank) {
		b.Send(c.Rank^1, c.vector(), have...)
	}
}
