package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/direct_zero, alltoallv/direct_zero: everybody tells all others where
// it wants their blocks and puts its own there, in the strict order next, next
// but one, ...: a rank that is late holds up those behind it in the row.
//
// Steps: p-1 rounds. Cost: (p-1)(a + nb), and the wait for every late peer in
// turn. Limits: none; in place needs scratch for all that is sent. The twin of
// alltoall/pap_direct, for comparison. Source: Qian, thesis, 6.3 (Direct).
func alltoallDirectZero(b *plan.Builder, c Case) { alltoallZero(b, c, true) }

// alltoallZero exchanges blocks that the receivers announce, in strict order or
// as receivers come.
func alltoallZero(b *plan.Builder, c Case, strict bool) {
	b.Travel(plan.Announced, 0)
	from := blocksToSend(b, c)
	for d := 1; d < c.Ranks; d++ {
		peer := (c.Rank - d + c.Ranks) % c.Ranks
		if block := c.recvBlock(peer); block.Len > 0 {
			b.Recv(peer, block, from.copied[peer])
		}
	}
	before := plan.None
	for d := 1; d < c.Ranks; d++ {
		peer := (c.Rank + d) % c.Ranks
		block := from.block[peer]
		if block.Len == 0 {
			continue
		}
		sent := b.Send(peer, block, from.copied[peer], before)
		if strict {
			before = sent
		}
	}
	if !c.inPlace() {
		b.Copy(c.recvBlock(c.Rank), from.block[c.Rank])
	}
}
