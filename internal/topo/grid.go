package topo

import (
	"errors"
	"fmt"
	"slices"
)

// Grid is a Cartesian arrangement of places. Places are numbered from 0, the last dimension fastest.
// The zero value has one place and no dimension.
type Grid struct {
	Sizes    []int
	Periodic []bool // of each dimension: behind its last place comes the first
}

// Nowhere is the place beyond the end of a dimension that is not periodic.
const Nowhere = -1

// ErrGrid is the class of errors about grids that cannot be.
var ErrGrid = errors.New("bad grid")

// NewGrid makes a grid of at most that many places. The slices are copied.
func NewGrid(sizes []int, periodic []bool, most int) (Grid, error) {
	if len(sizes) != len(periodic) {
		return Grid{}, fmt.Errorf("%w: %d sizes and %d words on whether they are periodic; give one of each for every dimension", ErrGrid, len(sizes), len(periodic))
	}
	places := 1
	for d, n := range sizes {
		if n < 1 {
			return Grid{}, fmt.Errorf("%w: dimension %d has %d places; it needs one at least", ErrGrid, d, n)
		}
		if n > most/places {
			return Grid{}, fmt.Errorf("%w: %v has more places than there are ranks, %d; Dims finds sizes that fit", ErrGrid, sizes, most)
		}
		places *= n
	}
	return Grid{slices.Clone(sizes), slices.Clone(periodic)}, nil
}

// Len is how many places there are.
func (g Grid) Len() int {
	n := 1
	for _, size := range g.Sizes {
		n *= size
	}
	return n
}

// Coords is where a place is in each dimension.
func (g Grid) Coords(place int) []int {
	at := make([]int, len(g.Sizes))
	for d := len(g.Sizes) - 1; d >= 0; d-- {
		at[d], place = place%g.Sizes[d], place/g.Sizes[d]
	}
	return at
}

// Place is the place with these coordinates. Those of periodic dimensions may be any number; beyond
// the ends of the others is Nowhere.
func (g Grid) Place(coords []int) int {
	place := 0
	for d, n := range g.Sizes {
		at := coords[d]
		if g.Periodic[d] {
			if at %= n; at < 0 {
				at += n
			}
		}
		if at < 0 || at >= n {
			return Nowhere
		}
		place = place*n + at
	}
	return place
}

// Shift is who sends to a place, and to whom it sends, if all send so many places along a dimension.
func (g Grid) Shift(place, dimension, by int) (from, to int) {
	at := g.Coords(place)
	here := at[dimension]
	n := g.Sizes[dimension]
	if g.Periodic[dimension] {
		by %= n // so that sums do not overflow
	} else if by <= -n || by >= n {
		return Nowhere, Nowhere
	}
	at[dimension] = here - by
	from = g.Place(at)
	at[dimension] = here + by
	return from, g.Place(at)
}

// Sub is the grid that is left of the dimensions to keep, which of these grids a place belongs to, and
// its place there. Grids are numbered from 0.
func (g Grid) Sub(keep []bool, place int) (sub Grid, number, at int) {
	var rest Grid
	var here, there []int
	for d, c := range g.Coords(place) {
		if keep[d] {
			sub.Sizes, sub.Periodic = append(sub.Sizes, g.Sizes[d]), append(sub.Periodic, g.Periodic[d])
			here = append(here, c)
		} else {
			rest.Sizes, rest.Periodic = append(rest.Sizes, g.Sizes[d]), append(rest.Periodic, false)
			there = append(there, c)
		}
	}
	return sub, rest.Place(there), sub.Place(here)
}
