package coll

import "github.com/weft-mpi/weft/internal/plan"

// scatterTree is the first half of the broadcasts after van de Geijn: the
// vector, cut at offs into a block per rank, runs down a binomial tree over
// virtual ranks, each taking along only the blocks of its subtree. Virtual
// rank v ends with blocks v..v+treeSize(v)-1 after the step returned.
func scatterTree(b *plan.Builder, c Case, offs []int) (got int) {
	v := virtual(c.Rank, c.Root, c.Ranks)
	got = plan.None
	if v != 0 {
		got = b.Recv(actual(treeParent(v), c.Root, c.Ranks), cut(c.vector(), offs, v, v+treeSize(v, c.Ranks)))
	}
	children := treeChildren(v, c.Ranks)
	for i := len(children) - 1; i >= 0; i-- {
		child := children[i]
		piece := cut(c.vector(), offs, child, child+treeSize(child, c.Ranks))
		b.Send(actual(child, c.Root, c.Ranks), piece, got)
	}
	return got
}
