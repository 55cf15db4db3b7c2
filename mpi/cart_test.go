package mpi_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// Neighbours in every direction meet in a Sendrecv, on grids of several shapes, with ranks that the grid
// has no place for, and in the parts that Sub makes.
func TestCart(t *testing.T) {
	for _, c := range []struct {
		ranks    int
		sizes    []int
		periodic []bool
	}{
		{1, nil, nil},
		{1, []int{1}, []bool{true}},
		{5, []int{5}, []bool{false}},
		{6, []int{3, 2}, []bool{true, false}},
		{7, []int{2, 3}, []bool{false, true}},
		{8, []int{2, 2, 2}, []bool{true, true, false}},
	} {
		for _, reorder := range []bool{false, true} {
			err := mpi.Run(c.ranks, func(w *mpi.Comm) error { return meetInGrid(w, c.sizes, c.periodic, reorder) })
			if err != nil {
				t.Errorf("%+v, reorder %v: %v", c, reorder, err)
			}
		}
	}
}

// TestVirtualCart: the same on nodes of different sizes.
func TestVirtualCart(t *testing.T) {
	oneThread(t)
	for _, nodes := range []int{2, 3} {
		j := cluster{profile: "connectx-ddr", nodes: nodes, ranks: 8}
		err := j.run(t, func(w *mpi.Comm) error {
			return meetInGrid(w, []int{2, 4}, []bool{false, true}, true)
		})
		if err != nil {
			t.Errorf("%d nodes: %v", nodes, err)
		}
	}
}

// meetInGrid makes a grid and exchanges with all neighbours in it, and in its parts.
func meetInGrid(w *mpi.Comm, sizes []int, periodic []bool, reorder bool) error {
	cart, err := w.Cart(sizes, periodic, reorder)
	if err != nil || cart == nil {
		return err
	}
	if !slices.Equal(cart.Sizes(), sizes) || !slices.Equal(cart.Periodic(), periodic) {
		return fmt.Errorf("a grid of %v %v", cart.Sizes(), cart.Periodic())
	}
	if err := meetNeighbours(cart); err != nil {
		return err
	}
	for d := range sizes {
		keep := make([]bool, len(sizes))
		keep[d] = true
		line, err := cart.Sub(keep...)
		if err != nil {
			return err
		}
		at, err := cart.Coords(cart.Rank())
		if err != nil || line.Size() != sizes[d] || line.Rank() != at[d] {
			return fmt.Errorf("rank %d of %v is rank %d of a line of %d along dimension %d: %w", cart.Rank(), sizes, line.Rank(), line.Size(), d, err)
		}
		if err := errors.Join(meetNeighbours(line), line.Free()); err != nil {
			return err
		}
	}
	return cart.Free()
}

// meetNeighbours sends this rank's coordinates along every dimension, and hears those of the one before it.
func meetNeighbours(cart *mpi.Cart) error {
	at, err := cart.Coords(cart.Rank())
	if err != nil {
		return err
	}
	if back, err := cart.RankOf(at...); err != nil || back != cart.Rank() {
		return fmt.Errorf("rank %d is at %v, where rank %d is: %w", cart.Rank(), at, back, err)
	}
	for d := range at {
		for _, by := range []int{1, -2} {
			from, to, err := cart.Shift(d, by)
			if err != nil {
				return err
			}
			got, want := slices.Repeat([]int{-9}, len(at)), slices.Repeat([]int{-9}, len(at))
			if _, err := mpi.Sendrecv(cart.Comm, at, to, d, got, from, d); err != nil {
				return err
			}
			if from != mpi.ProcNull {
				want = slices.Clone(at)
				want[d] -= by
				if size := cart.Sizes()[d]; cart.Periodic()[d] {
					want[d] = (want[d]%size + size) % size
				}
			}
			if !slices.Equal(got, want) {
				return fmt.Errorf("rank %d at %v, dimension %d by %d: heard from %v, want %v", cart.Rank(), at, d, by, got, want)
			}
		}
	}
	return nil
}

// Neighbours are on one node if ranks may be numbered anew.
func TestVirtualCartReorders(t *testing.T) {
	oneThread(t)
	for reorder, want := range map[bool]int{false: 4, true: 2} {
		var apart int
		j := cluster{profile: "connectx-ddr", nodes: 2, ranks: 8}
		err := j.run(t, func(w *mpi.Comm) error {
			cart, err := w.Cart([]int{2, 4}, []bool{false, false}, reorder)
			if err != nil {
				return err
			}
			host, err := w.SplitShared(0)
			if err != nil {
				return err
			}
			all, err := cart.Group().Translate([]int{0, 1, 2, 3, 4, 5, 6, 7}, host.Group())
			if err != nil {
				return err
			}
			mine := []int{0}
			for d := range 2 {
				if _, to, _ := cart.Shift(d, 1); to != mpi.ProcNull && all[to] == mpi.Undefined {
					mine[0]++
				}
			}
			sum := []int{0}
			if err := mpi.Allreduce(w, mine, sum, mpi.Sum); err != nil {
				return err
			}
			apart = sum[0]
			return errors.Join(cart.Free(), host.Free())
		})
		if err != nil || apart != want {
			t.Errorf("reorder %v: %d pairs of neighbours are on different nodes, want %d: %v", reorder, apart, want, err)
		}
	}
}

func TestCartMistakes(t *testing.T) {
	plane := []bool{false, false}
	for name, c := range map[string]struct {
		do   func(w *mpi.Comm) error
		want error
	}{
		"too many places": {func(w *mpi.Comm) error { _, err := w.Cart([]int{2, 3}, plane, false); return err }, mpi.ErrGrid},
		"no places":       {func(w *mpi.Comm) error { _, err := w.Cart([]int{2, 0}, plane, false); return err }, mpi.ErrGrid},
		"one word":        {func(w *mpi.Comm) error { _, err := w.Cart([]int{2, 2}, plane[:1], false); return err }, mpi.ErrGrid},
		"different sizes": {func(w *mpi.Comm) error {
			sizes := []int{2, 2}
			if w.Rank() == 3 {
				sizes = []int{4, 1}
			}
			_, err := w.Cart(sizes, plane, false)
			return err
		}, mpi.ErrMismatch},
		"a stranger":          {inGrid(func(c *mpi.Cart) error { _, err := c.Coords(4); return err }), mpi.ErrRank},
		"too few coordinates": {inGrid(func(c *mpi.Cart) error { _, err := c.RankOf(1); return err }), mpi.ErrGrid},
		"no dimension":        {inGrid(func(c *mpi.Cart) error { _, _, err := c.Shift(2, 1); return err }), mpi.ErrGrid},
		"too many kept":       {inGrid(func(c *mpi.Cart) error { _, err := c.Sub(true, true, true); return err }), mpi.ErrGrid},
		"different parts": {inGrid(func(c *mpi.Cart) error {
			_, err := c.Sub(c.Rank() != 0, true)
			return err
		}), mpi.ErrMismatch},
	} {
		if err := mpi.Run(4, c.do); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := mpi.Dims(0, 2); !errors.Is(err, mpi.ErrGrid) {
		t.Error(err)
	}
}

// inGrid does something in a grid of 2 x 2.
func inGrid(do func(*mpi.Cart) error) func(*mpi.Comm) error {
	return func(w *mpi.Comm) error {
		cart, err := w.Cart([]int{2, 2}, []bool{false, false}, false)
		if err != nil {
			return err
		}
		return do(cart)
	}
}
