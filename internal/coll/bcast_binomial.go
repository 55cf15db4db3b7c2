package coll

import "github.com/weft-mpi/weft/internal/plan"

// bcast/binomial: who has the vector passes it on, the largest subtree first.
//
// Steps: ceil(log2 p) rounds. Cost: ceil(log2 p)(a + nb). Limits: none.
// Source: textbook.
func bcastBinomial(b *plan.Builder, c Case) {
	v := virtual(c.Rank, c.Root, c.Ranks)
	got := plan.None
	if v != 0 {
		got = b.Recv(actual(treeParent(v), c.Root, c.Ranks), c.vector())
	}
	children := treeChildren(v, c.Ranks)
	for i := len(children) - 1; i >= 0; i-- {
		b.Send(actual(children[i], c.Root, c.Ranks), c.vector(), got)
	}
}
