package coll

import "github.com/weft-mpi/weft/internal/plan"

// gatherv/smp: the ranks of the root's node put a block of a few bytes beside
// their flag in its memory, from where the root copies it; longer blocks, and
// those of other nodes, go to the root as messages.
//
// Steps: 1 round, a flag or a message per block. Cost: a + (p-1)nb; a few bytes
// cost one copy in, all ranks at once, and one copy out. Limits: nodes have
// memory. A few are 112 bytes; ranks need not know the blocks of others. Source:
// own, after Qian, thesis, 4.3 (shm_gather).
func gathervSMP(b *plan.Builder, c Case) {
	l := c.layout()
	r := newRoom(b, c, l)
	if l.node[c.Root] != r.group || r.alone() {
		gatherFlat(b, c)
		return
	}
	s, flag := r.each(plan.SlipRoom), r.flags(1)
	defer r.close()
	slip := func(rank, n int) plan.Span { return s.at(l.local[rank], 0).Sub((plan.SlipRoom-n)&^7, n) }
	if c.Rank != c.Root {
		switch {
		case c.Bytes > plan.SlipRoom:
			b.Send(c.Root, c.source())
		case c.Bytes > 0:
			r.put(slip(c.Rank, c.Bytes), c.source(), flag)
		}
		return
	}
	near := func(rank, n int) bool { return l.node[rank] == r.group && n <= plan.SlipRoom }
	if !c.inPlace() && c.Bytes > 0 {
		b.Copy(c.recvBlock(c.Rank), c.source())
	}
	for v := 1; v < c.Ranks; v++ {
		from := actual(v, c.Root, c.Ranks)
		if block := c.recvBlock(from); block.Len > 0 && !near(from, block.Len) {
			b.Recv(from, block)
		}
	}
	for v := 1; v < c.Ranks; v++ {
		from := actual(v, c.Root, c.Ranks)
		if block := c.recvBlock(from); block.Len > 0 && near(from, block.Len) {
			b.Copy(block, slip(from, block.Len), b.Await(from, flag))
		}
	}
}

// slipsFit reports that nodes have memory and one of them several ranks.
func slipsFit(c Case) bool {
	most := c.MostLocal()
	return c.Shares && most > 1 && most*plan.SlipLen <= NodeMax
}
