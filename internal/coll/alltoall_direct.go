package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/direct, alltoallv/direct: everybody sends to the k ranks that follow
// it, each by a port of its own, then to the next k, and so on. A step begins
// when the messages of the one before have left; nobody waits for what comes.
//
// Steps: ceil((p-1)/k) rounds, p-1 messages per rank.
// Cost: ceil((p-1)/k)(a + nb). Limits: none; in place needs scratch for all
// that is sent. Differs from alltoall/flat, which posts everything at once, in
// that no more than k messages leave a rank at a time, and from
// alltoall/pairwise in that a step does not wait for what comes. Wins for long
// blocks. Source: Qian, "Design and evaluation of efficient collective
// communications on modern interconnects and multi-core clusters", 2010.
func alltoallDirect(b *plan.Builder, c Case) {
	from := blocksToSend(b, c)
	for d := 1; d < c.Ranks; d++ {
		peer := (c.Rank - d + c.Ranks) % c.Ranks
		if block := c.recvBlock(peer); block.Len > 0 {
			b.Recv(peer, block, from.copied[peer])
		}
	}
	p := newPorts(b, c)
	steps := p.pace()
	for d := 1; d < c.Ranks; d++ {
		peer := (c.Rank + d) % c.Ranks
		steps.turn(d - 1)
		if block := from.block[peer]; block.Len > 0 {
			steps.add(p.send(peer, block, steps.before, from.copied[peer]))
		}
	}
	if !c.inPlace() {
		b.Copy(c.recvBlock(c.Rank), from.block[c.Rank])
	}
}
