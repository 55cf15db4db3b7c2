package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoallv/smp: everybody puts the short blocks for ranks of its own node into
// its memory, each into a cell, raises a flag and copies out what others have for
// it, rank by rank as they come; blocks that are longer than a cell, and those
// for other nodes, are messages, all posted at once.
//
// Steps: 1 round, one flag per rank and a message for every block that is in no
// cell. Cost: a + (p-1)nb; blocks in cells cost one copy in and one copy out, all
// ranks at once. Limits: nodes have memory; in place needs scratch for all that
// is sent. A cell has 8 KB/(l(l-1)) on a node of l ranks, 112 bytes if two and
// 1 MB/(l(l-1)) from twelve on; ranks need not know the blocks of others. Source:
// own, after Qian, thesis, 6.3 (the part within a node).
func alltoallvSMP(b *plan.Builder, c Case) {
	r := newRoom(b, c, c.layout())
	if r.alone() {
		alltoallFlat(b, c)
		return
	}
	k := r.cells(false)
	defer r.close()
	from := blocksToSend(b, c)
	k.fill(func(rank int) (plan.Span, int) { return from.block[rank], from.copied[rank] })
	for d := 1; d < c.Ranks; d++ {
		peer := (c.Rank - d + c.Ranks) % c.Ranks
		if block := c.recvBlock(peer); block.Len > 0 && !k.take(peer, block.Len) {
			b.Recv(peer, block, from.copied[peer])
		}
	}
	for d := 1; d < c.Ranks; d++ {
		peer := (c.Rank + d) % c.Ranks
		if block := from.block[peer]; block.Len > 0 && !k.take(peer, block.Len) {
			b.Send(peer, block, from.copied[peer])
		}
	}
	if own := c.recvBlock(c.Rank); !c.inPlace() && own.Len > 0 {
		b.Copy(own, from.block[c.Rank])
	}
	for d := 1; d < len(r.ranks); d++ {
		peer := r.ranks[(r.me+d)%len(r.ranks)]
		if block := c.recvBlock(peer); k.take(peer, block.Len) {
			k.takeOut(peer, block, from.copied[peer])
		}
	}
}
