package coll

import "github.com/weft-mpi/weft/internal/plan"

// allreduce/flat: everybody sends its vector to rank 0, which merges them in
// rank order and sends the result to everybody.
//
// Steps: 2 rounds, 2(p-1) messages through rank 0. Cost: 2a + (p-1)n(2b + g).
// Limits: none; scratch of (p-1)n at rank 0. Best for short vectors when ranks
// share cores: each rank but 0 waits for one turn only. Source: textbook.
func allreduceFlat(b *plan.Builder, c Case) {
	if c.Rank != 0 {
		dropOut(b, c, 0)
		return
	}
	merged := collect(b, c)
	for i := 1; i < c.Ranks; i++ {
		b.Send(i, c.vector(), merged)
	}
}

// dropOut leaves the own vector to a peer and takes the result from it.
func dropOut(b *plan.Builder, c Case, peer int) {
	sent := b.Send(peer, c.source())
	if !c.inPlace() {
		sent = plan.None // the result lands elsewhere
	}
	b.Recv(peer, c.vector(), sent)
}
