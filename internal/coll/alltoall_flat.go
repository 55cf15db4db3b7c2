package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/flat, alltoallv/flat: everything is posted at once, starting with
// the neighbours so that not everybody writes to rank 0 first.
//
// Steps: 1 round, p-1 messages per rank. Cost: a + (p-1)nb. Limits: none; in
// place needs scratch for all that is sent. Source: textbook.
func alltoallFlat(b *plan.Builder, c Case) {
	from := blocksToSend(b, c)
	for d := 1; d < c.Ranks; d++ {
		peer := (c.Rank - d + c.Ranks) % c.Ranks
		if block := c.recvBlock(peer); block.Len > 0 {
			b.Recv(peer, block, from.copied[peer])
		}
	}
	for d := 1; d < c.Ranks; d++ {
		peer := (c.Rank + d) % c.Ranks
		if block := from.block[peer]; block.Len > 0 {
			b.Send(peer, block, from.copied[peer])
		}
	}
	if !c.inPlace() {
		b.Copy(c.recvBlock(c.Rank), from.block[c.Rank])
	}
}

// outgoing says where the block for each rank is, and after which step.
type outgoing struct {
	block  []plan.Span
	copied []int
}

// blocksToSend returns the blocks of Alltoall(v). In place they are saved from
// Out to scratch first, as what arrives overwrites them; the own one stays.
func blocksToSend(b *plan.Builder, c Case) outgoing {
	from := outgoing{make([]plan.Span, c.Ranks), make([]int, c.Ranks)}
	for i := range c.Ranks {
		from.copied[i] = plan.None
		switch {
		case !c.inPlace():
			from.block[i] = c.sendBlock(i)
		case i != c.Rank:
			from.block[i] = b.Tmp(c.recvBlock(i).Len)
			from.copied[i] = b.Copy(from.block[i], c.recvBlock(i))
		}
	}
	return from
}
