package coll

import "github.com/weft-mpi/weft/internal/plan"

// scatter/binomial: blocks travel down a binomial tree; each rank receives the
// blocks of its subtree, which are those of consecutive virtual ranks.
//
// Steps: ceil(log2 p) rounds. Cost: ceil(log2 p)*a + (p-1)nb. Limits: none.
// Source: textbook.
func scatterBinomial(b *plan.Builder, c Case) {
	v := virtual(c.Rank, c.Root, c.Ranks)
	size := treeSize(v, c.Ranks)
	switch {
	case v == 0:
		scatterTop(b, c)
		return
	case size == 1:
		b.Recv(actual(treeParent(v), c.Root, c.Ranks), c.vector())
		return
	}
	mine := b.Tmp(size * c.Bytes)
	got := b.Recv(actual(treeParent(v), c.Root, c.Ranks), mine)
	children := treeChildren(v, c.Ranks)
	for i := len(children) - 1; i >= 0; i-- {
		child := children[i]
		piece := mine.Sub((child-v)*c.Bytes, treeSize(child, c.Ranks)*c.Bytes)
		b.Send(actual(child, c.Root, c.Ranks), piece, got)
	}
	b.Copy(c.vector(), mine.Sub(0, c.Bytes), got)
}

// scatterTop is the root's part. Blocks of a subtree that runs over the last
// rank to rank 0 are put together in scratch.
func scatterTop(b *plan.Builder, c Case) {
	children := treeChildren(0, c.Ranks)
	for i := len(children) - 1; i >= 0; i-- {
		peer := actual(children[i], c.Root, c.Ranks)
		size := treeSize(children[i], c.Ranks)
		head, tail := c.wrapped(plan.In, peer, size)
		if tail.Len == 0 {
			b.Send(peer, head)
			continue
		}
		piece := b.Tmp(size * c.Bytes)
		first := b.Copy(piece.Sub(0, head.Len), head)
		second := b.Copy(piece.Sub(head.Len, tail.Len), tail)
		b.Send(peer, piece, first, second)
	}
	if !c.inPlace() {
		b.Copy(c.vector(), c.sendBlock(c.Rank))
	}
}
