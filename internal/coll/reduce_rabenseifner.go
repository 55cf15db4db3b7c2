package coll

import "github.com/weft-mpi/weft/internal/plan"

// reduce/rabenseifner: ranks are folded to a power of two, each of which
// finishes one block of the vector by recursive halving; the blocks are
// gathered to the root over a binomial tree.
//
// Steps: 2 log2 p rounds (one more unless p is a power of two).
// Cost: 2 log2(p)*a + 2(p-1)/p*nb + (p-1)/p*ng. Limits: commutative.
// Source: Rabenseifner, "Optimization of collective reduction operations", 2004.
func reduceRabenseifner(b *plan.Builder, c Case) {
	f := newFold(c.Ranks, c.Root)
	if !f.stays(c.Rank) {
		b.Send(c.Rank^1, c.source())
		return
	}
	vector, ready := foldIn(b, c, f)
	// Numbering from the root by exclusive or keeps partners partners and
	// makes the root number 0.
	rootIndex := f.index(c.Root)
	me := f.index(c.Rank) ^ rootIndex
	t := team{size: f.pow, me: me, rank: func(i int) int { return f.rank(i ^ rootIndex) }}
	offs := split(c.Bytes, c.elem(), f.pow)

	mine := treeSize(me, f.pow) // blocks of the own subtree
	var room, into plan.Span
	switch {
	case c.Rank == c.Root:
		room = c.vector()
	case mine > 1:
		room = b.Tmp(offs[me+mine] - offs[me])
	}
	if !c.inPlace() && room.Len > 0 {
		into = cut(room, offs[me:], 0, 1)
	}
	h := t.halve(b, vector, offs, into, ready)
	var free []int
	if c.inPlace() {
		free = h.used
		h.ready = b.Copy(cut(room, offs, 0, 1), h.at, append(h.used, h.ready)...)
	}
	have := []int{h.ready}
	for d := 1; d < mine; d *= 2 {
		piece := cut(room, offs[me:], d, 2*d)
		have = append(have, b.Recv(t.rank(me+d), piece, free...))
	}
	if me != 0 {
		whole := h.at
		if mine > 1 {
			whole = room
		}
		b.Send(t.rank(treeParent(me)), whole, have...)
	}
}

// foldIn lets a rank that stays merge the vector of its partner, if it has
// one, and returns where the sum is and when. Operands are merged in rank
// order. Without a partner that is the own vector, at once.
func foldIn(b *plan.Builder, c Case, f fold) (vector plan.Span, ready int) {
	if !f.paired(c.Rank) {
		return c.source(), plan.None
	}
	theirs := b.Tmp(c.Bytes)
	partner := c.Rank ^ 1
	return theirs, b.Reduce(theirs, c.source(), c.Rank < partner, b.Recv(partner, theirs))
}
