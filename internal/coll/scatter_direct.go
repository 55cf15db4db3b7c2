package coll

import "github.com/weft-mpi/weft/internal/plan"

// scatter/direct, scatterv/direct: the root sends everybody its block, k at a
// time, each by a port of its own; the next k follow when these have left.
//
// Steps: ceil((p-1)/k) rounds, p-1 messages from the root.
// Cost: ceil((p-1)/k)(a + nb). Limits: none. Differs from scatter/flat, which
// posts everything at once, in that no more than k messages leave the root at
// a time: wins for long blocks, which would else share rails and receivers.
// Source: Qian, "Design and evaluation of efficient collective communications
// on modern interconnects and multi-core clusters", 2010.
func scatterDirect(b *plan.Builder, c Case) {
	if c.Rank != c.Root {
		if c.Bytes > 0 {
			b.Recv(c.Root, c.vector())
		}
		return
	}
	p := newPorts(b, c)
	steps := p.pace()
	for v := 1; v < c.Ranks; v++ {
		peer := actual(v, c.Root, c.Ranks)
		steps.turn(v - 1)
		if block := c.sendBlock(peer); block.Len > 0 {
			steps.add(p.send(peer, block, steps.before))
		}
	}
	if !c.inPlace() {
		b.Copy(c.vector(), c.sendBlock(c.Rank))
	}
}
