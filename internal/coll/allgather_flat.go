package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/flat, allgatherv/flat: everybody sends its block to everybody.
//
// Steps: 1 round, p-1 messages per rank. Cost: a + (p-1)nb. Limits: none. Best
// for short blocks when ranks share cores: nobody waits for what another must
// first hear. Source: textbook.
func allgatherFlat(b *plan.Builder, c Case) {
	own := c.source()
	for d := 1; d < c.Ranks; d++ {
		from := (c.Rank - d + c.Ranks) % c.Ranks
		if block := c.recvBlock(from); block.Len > 0 {
			b.Recv(from, block)
		}
		if own.Len > 0 {
			b.Send((c.Rank+d)%c.Ranks, own)
		}
	}
	if !c.inPlace() {
		b.Copy(c.recvBlock(c.Rank), own)
	}
}
