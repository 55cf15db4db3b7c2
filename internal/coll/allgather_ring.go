package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/ring, allgatherv/ring: each rank passes on what it got last.
//
// Steps: p-1 rounds. Cost: (p-1)a + (p-1)nb. Limits: none. Every message goes
// to a neighbour. Source: textbook.
func allgatherRing(b *plan.Builder, c Case) {
	left, right := (c.Rank-1+c.Ranks)%c.Ranks, (c.Rank+1)%c.Ranks
	block := c.source()
	passOn := inOrder(b)
	got := plan.None
	for d := 1; d < c.Ranks; d++ {
		b.Send(right, block, passOn.after(got))
		block = c.recvBlock((c.Rank - d + c.Ranks) % c.Ranks)
		got = b.Recv(left, block)
	}
	if !c.inPlace() {
		b.Copy(c.recvBlock(c.Rank), c.source())
	}
}
