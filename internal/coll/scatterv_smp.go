package coll

import "github.com/weft-mpi/weft/internal/plan"

// scatterv/smp: the root puts the short blocks of its node into its memory, each
// into a cell, and raises a flag, after which everybody copies its own out;
// blocks that are longer than a cell, and those of other nodes, are messages.
//
// Steps: 1 round, one flag for all cells, a message for every other block. Cost:
// a + (p-1)nb; blocks in cells cost one copy in, by the root, and one copy out.
// Limits: nodes have memory. A cell has 8 KB/(l-1) where the root's node has l
// ranks, 112 bytes if two; ranks need not know the blocks of others. Source:
// own, after Qian, thesis, 6.3 (shared-memory scatter).
func scattervSMP(b *plan.Builder, c Case) {
	l := c.layout()
	r := newRoom(b, c, l)
	if l.node[c.Root] != r.group || r.alone() {
		scatterFlat(b, c)
		return
	}
	k := r.cells(true)
	defer r.close()
	if c.Rank != c.Root {
		switch {
		case k.take(c.Rank, c.Bytes):
			k.takeOut(c.Root, c.vector())
		case c.Bytes > 0:
			b.Recv(c.Root, c.vector())
		}
		return
	}
	k.fill(func(rank int) (plan.Span, int) { return c.sendBlock(rank), plan.None })
	for v := 1; v < c.Ranks; v++ {
		peer := actual(v, c.Root, c.Ranks)
		if block := c.sendBlock(peer); block.Len > 0 && !k.take(peer, block.Len) {
			b.Send(peer, block)
		}
	}
	if !c.inPlace() && c.Bytes > 0 {
		b.Copy(c.vector(), c.sendBlock(c.Rank))
	}
}
