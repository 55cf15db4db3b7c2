package coll

import "github.com/weft-mpi/weft/internal/plan"

// gather/direct, gatherv/direct: everybody sends its block to the root, which
// receives k at a time, each by a port of its own, and asks for the next k when
// these have come.
//
// Steps: ceil((p-1)/k) rounds, p-1 messages to the root.
// Cost: ceil((p-1)/k)(a + nb). Limits: none. Differs from gather/flat, which
// posts everything at once, in that no more than k long messages are on their
// way to the root at a time (short ones leave without being asked for).
// Source: Qian, "Design and evaluation of efficient collective communications
// on modern interconnects and multi-core clusters", 2010.
func gatherDirect(b *plan.Builder, c Case) {
	p := newPorts(b, c)
	others := make([]int, c.Ranks-1) // as the root asks for their blocks
	for i := range others {
		others[i] = actual(i+1, c.Root, c.Ranks)
	}
	if c.Rank != c.Root {
		if c.Bytes > 0 {
			p.sendInto(c.Root, others, c.source())
		}
		return
	}
	if !c.inPlace() {
		b.Copy(c.recvBlock(c.Rank), c.source())
	}
	steps := p.pace()
	for i, peer := range others {
		steps.turn(i)
		if block := c.recvBlock(peer); block.Len > 0 {
			steps.add(b.Recv(peer, block, steps.before))
		}
	}
}
