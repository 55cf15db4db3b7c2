package coll

import "github.com/weft-mpi/weft/internal/plan"

// bcast/pap_direct: everybody tells the root where it wants the vector; the root
// puts it there in the order in which it hears.
//
// Steps: 1 round, p-1 messages from the root. Cost: a + (p-1)nb. Limits: none.
// For few ranks that arrive far apart: nobody waits for another but the root.
// Source: own, after Qian, thesis, ch. 6.
func bcastPAPDirect(b *plan.Builder, c Case) {
	b.Travel(plan.Announced, 0)
	bcastFlat(b, c)
}
