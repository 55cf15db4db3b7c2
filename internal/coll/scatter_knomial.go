package coll

import (
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
)

// scatter/knomial: blocks travel down a k-nomial tree, on which a rank sends to
// k others at a time, each by a port of its own; each rank receives the blocks
// of its subtree, which are those of consecutive virtual ranks. With one port
// the tree is the binomial one.
//
// Steps: with r = k+1, at most ceil(logr p) rounds. Cost: ceil(logr p)*a + (p-1)/k*nb.
// Limits: none. Wins for short blocks on many ranks. Source: Bruck et al.,
// "Efficient algorithms for all-to-all communications in multiport
// message-passing systems", 1997.
func scatterKnomial(b *plan.Builder, c Case) {
	t := tree{c.Ranks, c.ports() + 1}
	v := virtual(c.Rank, c.Root, c.Ranks)
	size := t.size(v)
	switch {
	case v == 0:
		scatterTop(b, c, t)
		return
	case size == 1:
		b.Recv(actual(t.parent(v), c.Root, c.Ranks), c.vector())
		return
	}
	mine := b.Tmp(size * c.Bytes)
	got := b.Recv(actual(t.parent(v), c.Root, c.Ranks), mine)
	p, peers := newPorts(b, c), t.below(v, c.Root)
	ports := p.dealt(c.Rank, peers)
	for i, child := range slices.Backward(t.children(v)) {
		piece := mine.Sub((child-v)*c.Bytes, t.size(child)*c.Bytes)
		p.sendBy(ports[i], peers[i], piece, got)
	}
	b.Copy(c.vector(), mine.Sub(0, c.Bytes), got)
}

// scatterTop is the root's part. Blocks of a subtree that runs over the last
// rank to rank 0 are put together in scratch.
func scatterTop(b *plan.Builder, c Case, t tree) {
	p, peers := newPorts(b, c), t.below(0, c.Root)
	ports := p.dealt(c.Rank, peers)
	for i, child := range slices.Backward(t.children(0)) {
		peer, size := peers[i], t.size(child)
		head, tail := c.wrapped(plan.In, peer, size)
		if tail.Len == 0 {
			p.sendBy(ports[i], peer, head)
			continue
		}
		piece := b.Tmp(size * c.Bytes)
		first := b.Copy(piece.Sub(0, head.Len), head)
		second := b.Copy(piece.Sub(head.Len, tail.Len), tail)
		p.sendBy(ports[i], peer, piece, first, second)
	}
	if !c.inPlace() {
		b.Copy(c.vector(), c.sendBlock(c.Rank))
	}
}
