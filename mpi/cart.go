package mpi

import (
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/topo"
)

// Dims splits n ranks over so many dimensions as evenly as can be, the largest number first: 12 ranks in
// two dimensions are 4 times 3.
func Dims(n, dimensions int) ([]int, error) { return topo.Dims(n, dimensions) }

// Cart is a communicator whose ranks are the places of a Cartesian grid. It is made by [Comm.Cart].
// Ranks are numbered with the last dimension fastest.
type Cart struct {
	*Comm
	grid topo.Grid
}

// Cart makes a communicator of a grid with so many places in each dimension; behind the last place of a
// periodic one comes the first. If reorder, ranks may be numbered anew so that neighbours are on one
// host. All ranks call it with the same arguments; those that the grid has no place for get nil.
func (c *Comm) Cart(sizes []int, periodic []bool, reorder bool) (*Cart, error) {
	g, err := topo.NewGrid(sizes, periodic, c.Size())
	if err != nil {
		return nil, c.fail("cart", err)
	}
	d, err := c.wrap(c.c.Cart(g, reorder))
	if d == nil || err != nil {
		return nil, err
	}
	return &Cart{d, g}, nil
}

// Sizes are how many places each dimension has. The slice is the caller's.
func (c *Cart) Sizes() []int { return slices.Clone(c.grid.Sizes) }

// Periodic tells of each dimension whether the first place comes behind the last. The slice is the
// caller's.
func (c *Cart) Periodic() []bool { return slices.Clone(c.grid.Periodic) }

// Coords are where a rank is in each dimension.
func (c *Cart) Coords(rank int) ([]int, error) {
	if rank < 0 || rank >= c.Size() {
		return nil, c.fail("coords", fmt.Errorf("%w: %d; the grid has ranks 0 to %d", ErrRank, rank, c.Size()-1))
	}
	return c.grid.Coords(rank), nil
}

// RankOf is who is at some coordinates, one of each dimension: any number where it is periodic; beyond the
// ends of others is [ProcNull].
func (c *Cart) RankOf(coords ...int) (int, error) {
	if len(coords) != len(c.grid.Sizes) {
		return 0, c.fail("rankof", fmt.Errorf("%w: %d coordinates in %d dimensions", ErrGrid, len(coords), len(c.grid.Sizes)))
	}
	return orNobody(c.grid.Place(coords)), nil
}

// Shift is from whom this rank receives and to whom it sends if everybody sends so many places along a
// dimension: the two peers of a Sendrecv. Beyond the ends of a dimension that is not periodic is [ProcNull].
func (c *Cart) Shift(dimension, by int) (from, to int, err error) {
	if dimension < 0 || dimension >= len(c.grid.Sizes) {
		return 0, 0, c.fail("shift", fmt.Errorf("%w: there is no dimension %d; it has %d, from 0", ErrGrid, dimension, len(c.grid.Sizes)))
	}
	from, to = c.grid.Shift(c.Rank(), dimension, by)
	return orNobody(from), orNobody(to), nil
}

// Sub makes grids of the dimensions to keep, one for each place in the others: rows and columns of a
// plane, planes of a cube. All ranks call it with the same argument; each gets the grid that it is in.
func (c *Cart) Sub(keep ...bool) (*Cart, error) {
	if len(keep) != len(c.grid.Sizes) {
		return nil, c.fail("sub", fmt.Errorf("%w: %d words on what to keep of %d dimensions", ErrGrid, len(keep), len(c.grid.Sizes)))
	}
	sub, g, err := c.c.SubCart(c.grid, keep)
	d, err := c.wrap(sub, err)
	if err != nil {
		return nil, err
	}
	return &Cart{d, g}, nil
}

// orNobody is the rank of a place, or nobody's.
func orNobody(place int) int {
	if place == topo.Nowhere {
		return ProcNull
	}
	return place
}

// fail is the error of an operation on the communicator that concerns no single peer.
func (c *Comm) fail(op string, err error) error {
	return newError(&comm.Error{Op: op, Comm: c.Name(), Peer: None, Tag: None, Err: err})
}
