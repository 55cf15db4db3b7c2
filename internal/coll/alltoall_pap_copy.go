package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/pap_copy, alltoallv/pap_copy: blocks are sent into memory that waits
// at the receivers, from the rank before downwards, first to those whose own
// block has come and then, without waiting, to the rest.
//
// Steps: 1 round, p-1 messages per rank. Cost: a + (p-1)nb, and a copy of all
// that arrives. Limits: none; in place needs scratch for all that is sent. For
// short blocks. Source: Qian, thesis, 6.3 (PAP_Direct, copy-based).
func alltoallPAPCopy(b *plan.Builder, c Case) {
	b.ByArrival()
	b.Travel(plan.Copied, 0)
	from := blocksToSend(b, c)
	for d := 1; d < c.Ranks; d++ {
		peer := (c.Rank + d) % c.Ranks
		if block := c.recvBlock(peer); block.Len > 0 {
			b.Recv(peer, block, from.copied[peer])
		}
	}
	for d := 1; d < c.Ranks; d++ {
		peer := (c.Rank - d + c.Ranks) % c.Ranks
		if block := from.block[peer]; block.Len > 0 {
			b.Send(peer, block, from.copied[peer])
		}
	}
	if !c.inPlace() {
		b.Copy(c.recvBlock(c.Rank), from.block[c.Rank])
	}
}
