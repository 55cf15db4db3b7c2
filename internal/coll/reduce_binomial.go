package coll

import "github.com/weft-mpi/weft/internal/plan"

// reduce/binomial: vectors are merged up a binomial tree. If the operation is
// not commutative the tree stands on rank 0, so that subtrees are merged in
// rank order, and rank 0 hands the result to the root.
//
// Steps: ceil(log2 p) rounds (one more if not commutative and root != 0).
// Cost: ceil(log2 p)(a + nb + ng). Limits: none. Source: textbook.
func reduceBinomial(b *plan.Builder, c Case) {
	top := c.Root
	if !c.Commutative {
		top = 0
	}
	v := virtual(c.Rank, top, c.Ranks)
	merged, ready := mergeTree(b, c, v, top)
	switch {
	case v != 0:
		ready = b.Send(actual(treeParent(v), top, c.Ranks), merged, ready)
		if c.Rank == c.Root {
			b.Recv(top, c.vector(), ready)
		}
	case top != c.Root:
		b.Send(c.Root, merged, ready)
	}
}

// mergeTree receives the vectors of the children of v and merges them with the
// own one. The result is in Out at the root of the operation if it also is the
// top of the tree, in scratch elsewhere, and untouched if there is no child.
func mergeTree(b *plan.Builder, c Case, v, top int) (merged plan.Span, ready int) {
	children := treeChildren(v, c.Ranks)
	atTop := v == 0 && top == c.Root
	merged, ready = c.source(), plan.None
	if len(children) == 0 {
		return merged, ready
	}
	first := 0
	if !atTop || !c.inPlace() { // the first one lands where the result will be
		merged, first = c.vector(), 1
		if !atTop {
			merged = b.Tmp(c.Bytes)
		}
		ready = b.Reduce(merged, c.source(), true, b.Recv(actual(children[0], top, c.Ranks), merged))
	}
	for _, child := range children[first:] {
		theirs := b.Tmp(c.Bytes)
		ready = b.Reduce(merged, theirs, false, b.Recv(actual(child, top, c.Ranks), theirs), ready)
	}
	return merged, ready
}
