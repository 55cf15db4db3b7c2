package coll

import "github.com/weft-mpi/weft/internal/plan"

// bcast/flat: the root sends the vector to everybody.
//
// Steps: 1 round, p-1 messages from the root. Cost: a + (p-1)nb. Limits: none.
// Source: textbook.
func bcastFlat(b *plan.Builder, c Case) {
	if c.Rank != c.Root {
		b.Recv(c.Root, c.vector())
		return
	}
	for v := 1; v < c.Ranks; v++ {
		b.Send(actual(v, c.Root, c.Ranks), c.vector())
	}
}
