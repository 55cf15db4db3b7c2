package main

import (
	"errors"

	"github.com/weft-mpi/weft/mpi"
)

// torus is the ranks as a grid whose edges meet: above the first row is the last one, left of the
// first column the last one. Neighbours are on one host where that can be had.
type torus struct {
	*mpi.Cart
	rows, columns int       // of ranks
	row, column   int       // this rank's place
	around        *mpi.Cart // the same ranks, whose neighbours are those in all eight directions
}

// newTorus makes the grid as square as the number of ranks allows. Close it in the end.
func newTorus(world *mpi.Comm) (*torus, error) {
	sizes, err := mpi.Dims(world.Size(), 2)
	if err != nil {
		return nil, err
	}
	cart, err := world.Cart(sizes, []bool{true, true}, true)
	if err != nil {
		return nil, err
	}
	t := &torus{Cart: cart, rows: sizes[0], columns: sizes[1]}
	if t.row, t.column, err = t.place(cart.Rank()); err != nil {
		return nil, err
	}
	t.around, err = cart.Neighborhood(directions...)
	return t, err
}

// Close frees the communicators.
func (t *torus) Close() error { return errors.Join(t.around.Free(), t.Free()) }

// place is where a rank is.
func (t *torus) place(rank int) (row, column int, err error) {
	at, err := t.Coords(rank)
	if err != nil {
		return 0, 0, err
	}
	return at[0], at[1], nil
}

// directions are the ways to the neighbours: so many places down and to the right.
var directions = [][]int{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}
