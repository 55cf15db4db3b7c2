package comm

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/datatype"
	"github.com/weft-mpi/weft/internal/topo"
)

// Blocks that come from several ranks must be apart: nobody could say which one stays where two are to go to the same
// place. It is looked for in check mode only, as it takes longer than a short call does.

// apart fails if blocks that this rank receives would come to the same elements.
func (c *Comm) apart(call *Call) error {
	if !c.compares || call.RecvDispls == nil || call.Op == coll.Gatherv && call.Root != c.rank && call.Root != Root {
		return nil
	}
	type block struct{ first, end, from int }
	var all []block
	for i := range min(len(call.RecvCounts), len(call.RecvDispls)) {
		if n := call.RecvCounts[i]; n > 0 && c.comes(call, i) {
			all = append(all, block{call.RecvDispls[i], call.RecvDispls[i] + n, i})
		}
	}
	slices.SortFunc(all, func(a, b block) int { return cmp.Compare(a.first, b.first) })
	for i := 1; i < len(all); i++ {
		if a, b := all[i-1], all[i]; b.first < a.end {
			return c.collide(call, a.from, b.from, fmt.Sprintf("element %d of the receive buffer", b.first))
		}
	}
	return nil
}

// comes tells whether anything comes as the i-th block.
func (c *Comm) comes(call *Call, i int) bool {
	if !call.Op.Neighborly() || c.graph == nil {
		return true
	}
	in := c.graph().In(c.rank)
	return i >= len(in) || in[i].Place != topo.Nowhere
}

// shapesApart is the same for shapes.
func (c *Comm) shapesApart(call *Call, out []datatype.Shape) error {
	if !c.compares {
		return nil
	}
	if i, k, meet := datatype.Common(out); meet {
		return c.collide(call, i, k, "elements that both layouts name")
	}
	return nil
}

// collide is the error of two blocks that would come to the same place.
func (c *Comm) collide(call *Call, i, k int, where string) error {
	from := fmt.Sprintf("ranks %d and %d", min(i, k), max(i, k))
	if call.Op.Neighborly() {
		from = fmt.Sprintf("neighbours %d and %d", min(i, k), max(i, k))
	}
	return c.fail(call.name(), fmt.Errorf("%w: what comes from %s would go to %s, and nobody could say what they hold "+
		"afterwards; receive into elements that are apart", ErrBuffer, from, where))
}
