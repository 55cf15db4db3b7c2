package coll

import "github.com/weft-mpi/weft/internal/plan"

// gather/flat, gatherv/flat: everybody sends its block to the root.
//
// Steps: 1 round, p-1 messages to the root. Cost: a + (p-1)nb. Limits: none.
// Source: textbook.
func gatherFlat(b *plan.Builder, c Case) {
	if c.Rank != c.Root {
		if c.Bytes > 0 {
			b.Send(c.Root, c.source())
		}
		return
	}
	if !c.inPlace() {
		b.Copy(c.recvBlock(c.Rank), c.source())
	}
	for v := 1; v < c.Ranks; v++ {
		peer := actual(v, c.Root, c.Ranks)
		if block := c.recvBlock(peer); block.Len > 0 {
			b.Recv(peer, block)
		}
	}
}
