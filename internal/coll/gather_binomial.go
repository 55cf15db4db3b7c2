package coll

import "github.com/weft-mpi/weft/internal/plan"

// gather/binomial: blocks travel up a binomial tree; each rank sends on the
// blocks of its subtree, which are those of consecutive virtual ranks.
//
// Steps: ceil(log2 p) rounds. Cost: ceil(log2 p)*a + (p-1)nb. Limits: none.
// Source: textbook.
func gatherBinomial(b *plan.Builder, c Case) {
	v := virtual(c.Rank, c.Root, c.Ranks)
	if v == 0 {
		gatherTop(b, c)
		return
	}
	mine, got := c.source(), []int{}
	if size := treeSize(v, c.Ranks); size > 1 {
		mine = b.Tmp(size * c.Bytes)
		got = append(got, b.Copy(mine.Sub(0, c.Bytes), c.source()))
		for _, child := range treeChildren(v, c.Ranks) {
			piece := mine.Sub((child-v)*c.Bytes, treeSize(child, c.Ranks)*c.Bytes)
			got = append(got, b.Recv(actual(child, c.Root, c.Ranks), piece))
		}
	}
	b.Send(actual(treeParent(v), c.Root, c.Ranks), mine, got...)
}

// gatherTop is the root's part. Blocks of a subtree that runs over the last
// rank to rank 0 come through scratch.
func gatherTop(b *plan.Builder, c Case) {
	if !c.inPlace() {
		b.Copy(c.recvBlock(c.Rank), c.source())
	}
	for _, child := range treeChildren(0, c.Ranks) {
		peer := actual(child, c.Root, c.Ranks)
		size := treeSize(child, c.Ranks)
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
