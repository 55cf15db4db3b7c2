package coll

import (
	"math/bits"

	"github.com/weft-mpi/weft/internal/plan"
)

// Shapes that several algorithms share: how ranks form trees and powers of
// two, how vectors are cut, and how messages to one peer keep their order.

// isPow2 reports whether n is a power of two.
func isPow2(n int) bool { return n > 0 && n&(n-1) == 0 }

// floorPow2 returns the largest power of two that is not above n.
func floorPow2(n int) int { return 1 << (bits.Len(uint(n)) - 1) }

// virtual returns the rank counted from the root, actual turns it back.
func virtual(rank, root, ranks int) int { return (rank - root + ranks) % ranks }
func actual(v, root, ranks int) int     { return (v + root) % ranks }

// The binomial tree over virtual ranks 0..n-1, see tree.
func treeSize(v, n int) int       { return tree{n, 2}.size(v) }
func treeParent(v int) int        { return v &^ (v & -v) }
func treeChildren(v, n int) []int { return tree{n, 2}.children(v) }

// split cuts n bytes into parts of whole elements that differ by one element
// at most, and returns where each begins and the last ends.
func split(n, elem, parts int) []int {
	offs := make([]int, parts+1)
	elems := n / elem
	for i := range offs {
		// The first elems%parts parts get one element more.
		offs[i] = (i*(elems/parts) + min(i, elems%parts)) * elem
	}
	return offs
}

// cut returns blocks first..end-1 of a vector cut at offs.
func cut(vector plan.Span, offs []int, first, end int) plan.Span {
	return vector.Sub(offs[first]-offs[0], offs[end]-offs[first])
}

// order keeps steps in the order in which they were asked for: what waits for
// after(x) also waits for everything that earlier calls named. Messages to
// one peer need this when they wait for different things.
type order struct {
	b    *plan.Builder
	last int
}

func inOrder(b *plan.Builder) *order { return &order{b: b, last: plan.None} }

func (o *order) after(step int) int {
	switch {
	case o.last == plan.None:
		o.last = step
	case step != plan.None && step != o.last:
		o.last = o.b.Gate(o.last, step)
	}
	return o.last
}

// fold pairs up ranks until a power of two is left. Of the first 2*extra ranks
// each even one and the next form a pair, one of which drops out while the
// other stands for both. Pairs are neighbours, so order is kept.
type fold struct {
	pow   int // ranks that stay
	extra int // pairs
	keep  int // this rank must stay
}

// newFold folds ranks; keep names one that must stay, or is -1.
func newFold(ranks, keep int) fold {
	pow := floorPow2(ranks)
	return fold{pow: pow, extra: ranks - pow, keep: keep}
}

// paired reports whether rank has a partner.
func (f fold) paired(rank int) bool { return rank < 2*f.extra }

// stays reports whether rank stays: of a pair the odd one does, unless the
// even one must.
func (f fold) stays(rank int) bool {
	if !f.paired(rank) || rank == f.keep {
		return true
	}
	return rank%2 == 1 && rank^1 != f.keep
}

// index returns the number among those who stay of rank or its pair.
func (f fold) index(rank int) int {
	if f.paired(rank) {
		return rank / 2
	}
	return rank - f.extra
}

// rank returns the rank that has this index.
func (f fold) rank(index int) int {
	if index >= f.extra {
		return index + f.extra
	}
	if f.stays(2 * index) {
		return 2 * index
	}
	return 2*index + 1
}
