package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/pap_copy, allgatherv/pap_copy: the block is sent into memory that
// waits at the receivers, from the rank before downwards, first to those whose
// own block has come and then, without waiting, to the rest.
//
// Steps: 1 round, p-1 messages per rank. Cost: a + (p-1)nb, and a copy of all
// that arrives. Limits: none. For short blocks. Source: Qian, thesis, 6.4
// (PAP_Direct, copy-based).
func allgatherPAPCopy(b *plan.Builder, c Case) {
	b.ByArrival()
	b.Travel(plan.Copied, 0)
	for d := 1; d < c.Ranks; d++ {
		peer := (c.Rank + d) % c.Ranks
		if block := c.recvBlock(peer); block.Len > 0 {
			b.Recv(peer, block)
		}
	}
	for d := 1; d < c.Ranks && c.source().Len > 0; d++ {
		b.Send((c.Rank-d+c.Ranks)%c.Ranks, c.source())
	}
	if !c.inPlace() {
		b.Copy(c.recvBlock(c.Rank), c.source())
	}
}
