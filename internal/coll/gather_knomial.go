package coll

import "github.com/weft-mpi/weft/internal/plan"

// gather/knomial: blocks travel up a k-nomial tree, on which a rank hears from
// k others at a time, each by a port of its own; each rank sends on the blocks
// of its subtree, which are those of consecutive virtual ranks. With one port
// the tree is the binomial one.
//
// Steps: with r = k+1, at most ceil(logr p) rounds. Cost: ceil(logr p)*a + (p-1)/k*nb.
// Limits: none. Wins for short blocks on many ranks. Source: Bruck et al.,
// "Efficient algorithms for all-to-all communications in multiport
// message-passing systems", 1997.
func gatherKnomial(b *plan.Builder, c Case) {
	t := tree{c.Ranks, c.ports() + 1}
	v := virtual(c.Rank, c.Root, c.Ranks)
	if v == 0 {
		gatherTop(b, c, t)
		return
	}
	mine, got := c.source(), []int{}
	if size := t.size(v); size > 1 {
		mine = b.Tmp(size * c.Bytes)
		got = append(got, b.Copy(mine.Sub(0, c.Bytes), c.source()))
		for _, child := range t.children(v) {
			piece := mine.Sub((child-v)*c.Bytes, t.size(child)*c.Bytes)
			got = append(got, b.Recv(actual(child, c.Root, c.Ranks), piece))
		}
	}
	parent := t.parent(v)
	newPorts(b, c).sendInto(actual(parent, c.Root, c.Ranks), t.below(parent, c.Root), mine, got...)
}

// gatherTop is the root's part. Blocks of a subtree that runs over the last
// rank to rank 0 come through scratch.
func gatherTop(b *plan.Builder, c Case, t tree) {
	if !c.inPlace() {
		b.Copy(c.recvBlock(c.Rank), c.source())
	}
	for _, child := range t.children(0) {
		peer := actual(child, c.Root, c.Ranks)
		size := t.size(child)
		head, tail := c.wrapped(plan.Out, peer, size)
		if tail.Len == 0 {
			b.Recv(peer, head)
			continue
		}
		piece := b.Tmp(size * c.Bytes)
		got := b.Recv(peer, piece)
		b.Copy(head, piece.Sub(0, head.Len), got)
		b.Copy(tail, piece.Sub(head.Len, tail.Len), got)
	}
}

// wrapped returns the blocks of size ranks from first on, in a buffer with a
// block per rank: up to the last rank, and the rest from rank 0 on.
func (c Case) wrapped(buf plan.Buffer, first, size int) (head, tail plan.Span) {
	straight := min(size, c.Ranks-first)
	head = plan.Span{Buf: buf, Off: first * c.Bytes, Len: straight * c.Bytes}
	tail = plan.Span{Buf: buf, Len: (size - straight) * c.Bytes}
	return head, tail
}
