package comm

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/topo"
)

// Cart makes a communicator whose ranks are the places of a grid, and whose neighbours are those on both
// sides along each dimension. All ranks call it, with the same grid; those that it has no place for get nil.
// If reorder, ranks that are neighbours in the grid are on one node where that can be had.
func (c *Comm) Cart(g topo.Grid, reorder bool) (*Comm, error) {
	if err := c.oneGroup("cart"); err != nil {
		return nil, err
	}
	if err := c.Alike("cart", g.Sizes, g.Periodic, reorder); err != nil {
		return nil, err
	}
	place := c.rank
	if reorder {
		place = slices.Index(g.Arrange(c.nodes()), c.rank)
	}
	color := 0
	if place < 0 || place >= g.Len() {
		color = Undefined
	}
	return c.splitGrid(g, color, place)
}

// SubCart makes communicators of the dimensions of a grid to keep, one for each place in the others. All ranks of
// one that Cart made call it, with its grid; each gets the grid that it is in.
func (c *Comm) SubCart(g topo.Grid, keep []bool) (*Comm, topo.Grid, error) {
	if err := c.Alike("sub", keep); err != nil {
		return nil, topo.Grid{}, err
	}
	sub, number, place := g.Sub(keep, c.rank)
	d, err := c.splitGrid(sub, number, place)
	return d, sub, err
}

// splitGrid splits the communicator into grids.
func (c *Comm) splitGrid(g topo.Grid, color, place int) (*Comm, error) {
	d, err := c.Split(color, place)
	if d != nil {
		d.graph = sync.OnceValue(g.Neighbors)
	}
	return d, err
}

// Neighborhood makes a communicator with the same ranks, the places of a grid, whose neighbours are at some
// offsets from them. All ranks call it, with the same offsets.
func (c *Comm) Neighborhood(g topo.Grid, offsets [][]int) (*Comm, error) {
	if err := c.Alike("neighborhood", g.Sizes, g.Periodic, offsets); err != nil {
		return nil, err
	}
	graph, err := g.Neighborhood(offsets)
	if err != nil {
		return nil, c.fail("neighborhood", err)
	}
	return c.dupWith("neighborhood", func() *topo.Graph { return graph })
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
