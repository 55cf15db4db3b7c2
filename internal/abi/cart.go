package abi

import (
	"slices"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/topo"
)

// chapterCart has Cartesian topologies.
var chapterCart = map[string]row{
	"Cart_create": {do: createCart}, "Cart_get": {do: getCart}, "Cart_rank": {do: cartRank}, "Cart_coords": {do: cartCoords}, "Cart_shift": {do: cartShift},
	"Cart_sub": {do: cartSub}, "Cart_map": {do: cartMap}, "Cartdim_get": {do: cartDims}, "Dims_create": {do: createDims}, "Topo_test": {do: topoTest},
}

// gridOf reads a grid for so many ranks: dimensions, sizes, periods from argument i on.
func (c call) gridOf(i, ranks int) (topo.Grid, error) {
	d := c.int(i)
	if d < 0 {
		return topo.Grid{}, bad(spec.ERR_DIMS, "%d dimensions", d)
	}
	sizes, err := c.ints(i+1, d)
	if err != nil {
		return topo.Grid{}, err
	}
	periods, err := c.ints(i+2, d)
	if err != nil {
		return topo.Grid{}, err
	}
	s, p := make([]int, d), make([]bool, d)
	for k := range s {
		s[k], p[k] = int(sizes[k]), periods[k] != 0
		if s[k] < 1 {
			return topo.Grid{}, bad(spec.ERR_DIMS, "dimension %d has size %d", k, s[k])
		}
	}
	return topo.NewGrid(s, p, ranks)
}

// createCart is Cart_create: communicator, dimensions, sizes, periods, reorder, new communicator.
func createCart(c call) error {
	cm, err := c.intracomm(0)
	if err != nil {
		return err
	}
	if err := c.outs(5); err != nil {
		return err
	}
	g, err := c.gridOf(1, cm.c.Size())
	if err != nil {
		return err
	}
	d, err := cm.c.Cart(g, c.int(4) != 0)
	if err != nil {
		return err
	}
	n, err := c.found(5, cm, d)
	if n != nil {
		n.grid = &g
	}
	return err
}

// cart is argument i, a communicator with a grid.
func (c call) cart(i int) (*communicator, error) {
	cm, err := c.comm(i)
	if err == nil && cm.grid == nil {
		err = bad(spec.ERR_TOPOLOGY, "the communicator has no Cartesian topology")
	}
	return cm, err
}

func cartDims(c call) error {
	cm, err := c.cart(0)
	if err != nil {
		return err
	}
	c.setInt(1, len(cm.grid.Sizes))
	return c.outs(1)
}

// putInts returns numbers by argument i, an array with room for room of them.
func (c call) putInts(i, room int, all []int) error {
	if room < len(all) {
		return bad(spec.ERR_ARG, "there is room for %d, and there are %d", room, len(all))
	}
	to, err := c.ints(i, len(all))
	for k := range to {
		to[k] = int32(all[k])
	}
	return err
}

// getCart is Cart_get: communicator, room, sizes, periods, coordinates.
func getCart(c call) error {
	cm, err := c.cart(0)
	if err != nil {
		return err
	}
	periods := make([]int, len(cm.grid.Sizes))
	for i, p := range cm.grid.Periodic {
		if p {
			periods[i] = 1
		}
	}
	for i, list := range [][]int{cm.grid.Sizes, periods, cm.grid.Coords(cm.c.Rank())} {
		if err := c.putInts(2+i, c.int(1), list); err != nil {
			return err
		}
	}
	return nil
}

// cartRank is Cart_rank: communicator, coordinates, rank.
func cartRank(c call) error {
	cm, err := c.cart(0)
	if err != nil {
		return err
	}
	coords, err := c.ints(1, len(cm.grid.Sizes))
	if err != nil {
		return err
	}
	if err := c.outs(2); err != nil {
		return err
	}
	at := make([]int, len(coords))
	for i, x := range coords {
		at[i] = int(x)
	}
	place := cm.grid.Place(at)
	if place == topo.Nowhere {
		return bad(spec.ERR_ARG, "coordinates %v are outside of the grid of %v", at, cm.grid.Sizes)
	}
	c.setInt(2, place)
	return nil
}

// cartCoords is Cart_coords: communicator, rank, room, coordinates.
func cartCoords(c call) error {
	cm, err := c.cart(0)
	if err != nil {
		return err
	}
	rank := c.int(1)
	if rank < 0 || rank >= cm.c.Size() {
		return bad(spec.ERR_RANK, "rank %d; the grid has ranks 0 to %d", rank, cm.c.Size()-1)
	}
	return c.putInts(3, c.int(2), cm.grid.Coords(rank))
}

// cartShift is Cart_shift: communicator, dimension, displacement, source, destination.
func cartShift(c call) error {
	cm, err := c.cart(0)
	if err != nil {
		return err
	}
	d := c.int(1)
	if d < 0 || d >= len(cm.grid.Sizes) {
		return bad(spec.ERR_DIMS, "there is no dimension %d; the grid has %d", d, len(cm.grid.Sizes))
	}
	if err := c.outs(3, 4); err != nil {
		return err
	}
	from, to := cm.grid.Shift(cm.c.Rank(), d, c.int(2))
	for i, place := range []int{from, to} {
		if place == topo.Nowhere {
			place = spec.PROC_NULL
		}
		c.setInt(3+i, place)
	}
	return nil
}

// cartSub is Cart_sub: communicator, which dimensions remain, new communicator.
func cartSub(c call) error {
	cm, err := c.cart(0)
	if err != nil {
		return err
	}
	remain, err := c.ints(1, len(cm.grid.Sizes))
	if err != nil {
		return err
	}
	if err := c.outs(2); err != nil {
		return err
	}
	keep := make([]bool, len(remain))
	for i, r := range remain {
		keep[i] = r != 0
	}
	d, g, err := cm.c.SubCart(*cm.grid, keep)
	if err != nil {
		return err
	}
	n, err := c.found(2, cm, d)
	if n != nil {
		n.grid = &g
	}
	return err
}

// cartMap is Cart_map: communicator, dimensions, sizes, periods, rank. Ranks keep their numbers.
func cartMap(c call) error {
	cm, err := c.intracomm(0)
	if err != nil {
		return err
	}
	if err := c.outs(4); err != nil {
		return err
	}
	g, err := c.gridOf(1, cm.c.Size())
	if err != nil {
		return err
	}
	rank := cm.c.Rank()
	if rank >= g.Len() {
		rank = spec.UNDEFINED
	}
	c.setInt(4, rank)
	return nil
}

// createDims is Dims_create: ranks, dimensions, sizes, of which those that are 0 are chosen.
func createDims(c call) error {
	n, d := c.int(0), c.int(1)
	if n < 1 || d < 0 {
		return bad(spec.ERR_DIMS, "%d ranks in %d dimensions", n, d)
	}
	sizes, err := c.ints(2, d)
	if err != nil {
		return err
	}
	open := 0
	for _, s := range sizes {
		switch {
		case s < 0:
			return bad(spec.ERR_DIMS, "a dimension of size %d", s)
		case s == 0:
			open++
		case n%int(s) != 0:
			return bad(spec.ERR_DIMS, "%d ranks are no multiple of the sizes given", c.int(0))
		default:
			n /= int(s)
		}
	}
	if open == 0 {
		if n != 1 {
			return bad(spec.ERR_DIMS, "the sizes given are not %d places", c.int(0))
		}
		return nil
	}
	chosen, err := topo.Dims(n, open)
	if err != nil {
		return err
	}
	for i, s := range sizes {
		if s == 0 {
			sizes[i] = int32(chosen[0])
			chosen = slices.Delete(chosen, 0, 1)
		}
	}
	return nil
}

func topoTest(c call) error {
	cm, err := c.intracomm(0)
	if err != nil {
		return err
	}
	if err := c.outs(1); err != nil {
		return err
	}
	c.setInt(1, spec.UNDEFINED)
	switch {
	case cm.grid != nil:
		c.setInt(1, spec.CART)
	case cm.graph != nil:
		c.setInt(1, spec.GRAPH)
	case cm.neighbors != nil:
		c.setInt(1, spec.DIST_GRAPH)
	}
	return nil
}
