package coll

import "github.com/weft-mpi/weft/internal/plan"

// barrier/binomial: arrivals are gathered up a binomial tree, the release runs
// down the same tree.
//
// Steps: 2 ceil(log2 p) rounds, 2(p-1) messages. Cost: 2 ceil(log2 p)*a.
// Limits: none. Fewer messages than dissemination. Source: textbook.
func barrierBinomial(b *plan.Builder, c Case) {
	children := treeChildren(c.Rank, c.Ranks)
	var arrived []int
	for _, child := range children {
		arrived = append(arrived, b.Recv(child, plan.Span{}))
	}
	if c.Rank != 0 {
		parent := treeParent(c.Rank)
		b.Send(parent, plan.Span{}, arrived...)
		arrived = append(arrived, b.Recv(parent, plan.Span{}))
	}
	for _, child := range children {
		b.Send(child, plan.Span{}, arrived...)
	}
}
