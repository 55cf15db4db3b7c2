package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/direct_zero, allgatherv/direct_zero: everybody tells all others
// where it wants their blocks and puts its own there, in the strict order next,
// next but one, ...: a rank that is late holds up those behind it in the row.
//
// Steps: p-1 rounds. Cost: (p-1)(a + nb), and the wait for every late peer in
// turn. Limits: none. The twin of allgather/pap_direct, for comparison. Source:
// Qian, thesis, 6.4 (Direct).
func allgatherDirectZero(b *plan.Builder, c Case) { allgatherZero(b, c, true) }

// allgatherZero exchanges blocks that the receivers announce, in strict order
// or as receivers come.
func allgatherZero(b *plan.Builder, c Case, strict bool) {
	b.Travel(plan.Announced, 0)
	for d := 1; d < c.Ranks; d++ {
		peer := (c.Rank - d + c.Ranks) % c.Ranks
		if block := c.recvBlock(peer); block.Len > 0 {
			b.Recv(peer, block)
		}
	}
	before := plan.None
	for d := 1; d < c.Ranks && c.source().Len > 0; d++ {
		sent := b.Send((c.Rank+d)%c.Ranks, c.source(), before)
		if strict {
			before = sent
		}
	}
	if !c.inPlace() {
		b.Copy(c.recvBlock(c.Rank), c.source())
	}
}
