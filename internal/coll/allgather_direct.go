package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/direct, allgatherv/direct: everybody sends its block to the k ranks
// that follow it, each by a port of its own, then to the next k, and so on. A
// step begins when the messages of the one before have left; nobody waits for
// what comes.
//
// Steps: ceil((p-1)/k) rounds, p-1 messages per rank.
// Cost: ceil((p-1)/k)(a + nb). Limits: none. Differs from allgather/flat, which
// posts everything at once, in that no more than k messages leave a rank at a
// time. Wins for long blocks: every byte travels once. Source: Qian, "Design
// and evaluation of efficient collective communications on modern
// interconnects and multi-core clusters", 2010.
func allgatherDirect(b *plan.Builder, c Case) {
	p := newPorts(b, c)
	own := c.source()
	for d := 1; d < c.Ranks; d++ {
		from := (c.Rank - d + c.Ranks) % c.Ranks
		if block := c.recvBlock(from); block.Len > 0 {
			b.Recv(from, block)
		}
	}
	steps := p.pace()
	for d := 1; d < c.Ranks && own.Len > 0; d++ {
		steps.turn(d - 1)
		steps.add(p.send((c.Rank+d)%c.Ranks, own, steps.before))
	}
	if !c.inPlace() {
		b.Copy(c.recvBlock(c.Rank), own)
	}
}
