package coll

import "github.com/weft-mpi/weft/internal/plan"

// scatter/flat, scatterv/flat: the root sends everybody its block.
//
// Steps: 1 round, p-1 messages from the root. Cost: a + (p-1)nb. Limits: none.
// Source: textbook.
func scatterFlat(b *plan.Builder, c Case) {
	if c.Rank != c.Root {
		if c.Bytes > 0 {
			b.Recv(c.Root, c.vector())
		}
		return
	}
	for v := 1; v < c.Ranks; v++ {
		peer := actual(v, c.Root, c.Ranks)
		if block := c.sendBlock(peer); block.Len > 0 {
			b.Send(peer, block)
		}
	}
	if !c.inPlace() {
		b.Copy(c.vector(), c.sendBlock(c.Rank))
	}
}
