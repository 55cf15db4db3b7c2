package mpi_test

import (
	"errors"
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/mpi"
)

// bodyAccumulate: what all ranks add to an element adds up, and one rank's accumulates happen in its order.
func bodyAccumulate(c *mpi.Comm) error {
	me, n := c.Rank(), c.Size()
	for _, each := range []int{1, 5000, 40_000} {
		err := bothWindows(c, each, func(w *mpi.Window, mem []float64) error {
			src := make([]float64, each)
			for i := range src {
				src[i] = float64(me + i)
			}
			if err := w.Fence(); err != nil {
				return err
			}
			for to := range n {
				if err := errors.Join(mpi.Accumulate(w, src, to, 0, mpi.Sum), mpi.Accumulate(w, src[:1], to, each-1, mpi.NoOp)); err != nil {
					return err
				}
			}
			if err := w.Fence(); err != nil {
				return err
			}
			for i := range mem {
				if want := float64(n*(n-1)/2 + n*i); mem[i] != want {
					return fmt.Errorf("element %d is %v, want %v", i, mem[i], want)
				}
			}
			return w.Fence()
		})
		if err != nil {
			return err
		}
	}
	return bothWindows(c, 4, func(w *mpi.Window, mem []int32) error { // of one rank, in its order
		if err := w.Fence(); err != nil {
			return err
		}
		if me == 0 {
			was := make([]int32, 4)
			err := errors.Join(mpi.Accumulate(w, []int32{1, 2, 3, 4}, n-1, 0, mpi.Replace), mpi.Accumulate(w, []int32{5, 5}, n-1, 1, mpi.Max),
				mpi.GetAccumulate(w, []int32{2, 2, 2, 2}, was, n-1, 0, mpi.Prod), mpi.GetAccumulate(w, nil, was[:1], n-1, 3, mpi.NoOp), w.Fence())
			return errors.Join(err, same("fetched", was, []int32{8, 5, 5, 4}))
		}
		err := w.Fence()
		if me == n-1 {
			err = errors.Join(err, same("folded", mem, []int32{2, 10, 10, 8}))
		}
		return err
	})
}

// bodyAtomics: counters that all ranks draw numbers from, and locks made of compare and swap.
func bodyAtomics(c *mpi.Comm) error {
	me, n := c.Rank(), c.Size()
	const draws = 40
	return bothWindows(c, 3, func(w *mpi.Window, mem []int64) error {
		if err := w.LockAll(); err != nil {
			return err
		}
		var drawn []int64
		for range draws {
			v, err := mpi.FetchOp(w, int64(1), 0, 0, mpi.Sum)
			if err != nil {
				return err
			}
			drawn = append(drawn, v)
			for { // add to element 2 while element 1 is ours
				was, err := mpi.CompareSwap(w, int64(0), int64(me+1), 0, 1)
				if err != nil {
					return err
				}
				if was == 0 {
					break
				}
			}
			one := make([]int64, 1)
			if err := errors.Join(mpi.GetAccumulate(w, nil, one, 0, 2, mpi.NoOp), w.Flush(0)); err != nil {
				return err
			}
			one[0]++
			if err := errors.Join(mpi.Accumulate(w, one, 0, 2, mpi.Replace), w.Flush(0)); err != nil {
				return err
			}
			if was, err := mpi.CompareSwap(w, int64(me+1), int64(0), 0, 1); err != nil || was != int64(me+1) {
				return fmt.Errorf("the lock was %d, %w", was, err)
			}
		}
		if !slices.IsSorted(drawn) {
			return fmt.Errorf("drew %v", drawn)
		}
		all := make([]int64, draws*n)
		if err := errors.Join(w.UnlockAll(), mpi.Allgather(c, drawn, all)); err != nil {
			return err
		}
		slices.Sort(all)
		for i, v := range all {
			if v != int64(i) {
				return fmt.Errorf("%d was drawn at place %d", v, i)
			}
		}
		if me == 0 && (mem[0] != int64(draws*n) || mem[2] != int64(draws*n) || mem[1] != 0) {
			return fmt.Errorf("left %v", mem)
		}
		return nil
	})
}
