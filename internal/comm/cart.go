package comm

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/topo"
)

// Cart makes a communicator whose ranks are the places of a grid. All ranks call it, with the same grid;
// those that it has no place for get nil. If reorder, ranks that are neighbours in the grid are on one
// node where that can be had.
func (c *Comm) Cart(g topo.Grid, reorder bool) (*Comm, error) {
	if err := c.Alike("cart", g.Sizes, g.Periodic, reorder); err != nil {
		return nil, err
	}
	place := c.rank
	if reorder {
		place = slices.Index(g.Arrange(c.nodes()), c.rank)
	}
	if place < 0 || place >= g.Len() {
		return c.Split(Undefined, 0)
	}
	return c.Split(0, place)
}

// Alike fails if a rank calls a topology operation with other arguments than we do: each would be sure of
// other neighbours. All ranks call it.
func (c *Comm) Alike(op string, arguments ...any) error {
	const size = 8
	h := fnv.New64a()
	fmt.Fprint(h, arguments...)
	own, all := binary.LittleEndian.AppendUint64(nil, h.Sum64()), make([]byte, size*c.Size())
	if err := c.Run(&Call{Op: coll.Allgather, Name: op, Bytes: size, Elem: 1, In: own, Out: all}); err != nil {
		return err
	}
	for rank := range c.Size() {
		if !slices.Equal(all[rank*size:(rank+1)*size], own) {
			return c.fail(op, fmt.Errorf("%w: rank %d has other arguments than rank %d, which has %v", ErrMismatch, rank, c.rank, arguments))
		}
	}
	return nil
}
