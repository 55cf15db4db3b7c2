package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/pairwise, alltoallv/pairwise: in round k every rank sends to the one
// k further on and receives from the one k before, one round after the other.
//
// Steps: p-1 rounds. Cost: (p-1)(a + nb). Limits: none; in place needs scratch
// for all that is sent. Best for long blocks: each rank has one message in
// flight in each direction. Source: textbook.
func alltoallPairwise(b *plan.Builder, c Case) {
	roundByRound(b, c, func(d int) (to, from int) { return (c.Rank + d) % c.Ranks, (c.Rank - d + c.Ranks) % c.Ranks })
}

// roundByRound lets this rank send its block to one rank and receive from one
// in each of the rounds 1 to p-1. A round begins when the one before has ended.
func roundByRound(b *plan.Builder, c Case, peers func(round int) (to, from int)) {
	from := blocksToSend(b, c)
	before := plan.None
	for d := 1; d < c.Ranks; d++ {
		to, source := peers(d)
		sent, got := before, before
		if block := c.recvBlock(source); block.Len > 0 {
			got = b.Recv(source, block, before, from.copied[source])
		}
		if block := from.block[to]; block.Len > 0 {
			sent = b.Send(to, block, before, from.copied[to])
		}
		if before = sent; got != sent {
			before = b.Gate(sent, got)
		}
	}
	if !c.inPlace() {
		b.Copy(c.recvBlock(c.Rank), from.block[c.Rank])
	}
}
