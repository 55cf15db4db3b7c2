package mpi_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"

	"github.com/weft-mpi/weft/mpi"
)

// fold is a reduction and what it should do to what is there and what comes.
type fold[T any] struct {
	op    mpi.Op
	apply func(there, comes T) T
}

// integerFolds are all reductions of an integer type.
func integerFolds[T ~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint]() []fold[T] {
	logical := func(f func(a, b bool) bool) func(a, b T) T {
		return func(a, b T) T {
			if f(a != 0, b != 0) {
				return 1
			}
			return 0
		}
	}
	return append(numberFolds[T](),
		fold[T]{mpi.Band, func(a, b T) T { return a & b }}, fold[T]{mpi.Bor, func(a, b T) T { return a | b }}, fold[T]{mpi.Bxor, func(a, b T) T { return a ^ b }},
		fold[T]{mpi.Land, logical(func(a, b bool) bool { return a && b })}, fold[T]{mpi.Lor, logical(func(a, b bool) bool { return a || b })},
		fold[T]{mpi.Lxor, logical(func(a, b bool) bool { return a != b })})
}

// numberFolds are all reductions of numbers with an order.
func numberFolds[T ~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint | ~float32 | ~float64]() []fold[T] {
	return append(anyFolds[T](),
		fold[T]{mpi.Sum, func(a, b T) T { return a + b }}, fold[T]{mpi.Prod, func(a, b T) T { return a * b }},
		fold[T]{mpi.Min, func(a, b T) T { return min(a, b) }}, fold[T]{mpi.Max, func(a, b T) T { return max(a, b) }})
}

func anyFolds[T any]() []fold[T] {
	return []fold[T]{{mpi.Replace, func(_, b T) T { return b }}, {mpi.NoOp, func(a, _ T) T { return a }}}
}

func complexFolds[T ~complex64 | ~complex128]() []fold[T] {
	return append(anyFolds[T](), fold[T]{mpi.Sum, func(a, b T) T { return a + b }}, fold[T]{mpi.Prod, func(a, b T) T { return a * b }})
}

func boolFolds() []fold[bool] {
	return append(anyFolds[bool](), fold[bool]{mpi.Land, func(a, b bool) bool { return a && b }}, fold[bool]{mpi.Lor, func(a, b bool) bool { return a || b }},
		fold[bool]{mpi.Lxor, func(a, b bool) bool { return a != b }})
}

func locFolds[T cmp.Ordered]() []fold[mpi.Loc[T]] {
	pick := func(better func(a, b T) bool) func(a, b mpi.Loc[T]) mpi.Loc[T] {
		return func(a, b mpi.Loc[T]) mpi.Loc[T] {
			if better(b.Value, a.Value) || a.Value == b.Value && b.Index < a.Index {
				return b
			}
			return a
		}
	}
	return append(anyFolds[mpi.Loc[T]](), fold[mpi.Loc[T]]{mpi.MinLoc[T](), pick(func(a, b T) bool { return a < b })},
		fold[mpi.Loc[T]]{mpi.MaxLoc[T](), pick(func(a, b T) bool { return a > b })})
}

// reduceAll has every rank fold values into the next one's part, with every reduction and every call that
// takes one, and holds what it gets and what is left against the model.
func reduceAll[T comparable](folds []fold[T], values ...T) func(c *mpi.Comm) error {
	return func(c *mpi.Comm) error {
		to := (c.Rank() + 1) % c.Size()
		n := len(values)
		return bothWindows(c, 5*n, func(w *mpi.Window, mem []T) error {
			for _, f := range folds {
				there := make([]T, 5*n)
				for i := range there {
					there[i] = values[(i+1)%n]
				}
				got := make([]T, 3*n)
				each := mpi.Strided{Count: n, Block: 1, Stride: 2}
				err := errors.Join(w.LockAll(), mpi.Accumulate(w, there, to, 0, mpi.Replace), w.Flush(to),
					mpi.Accumulate(w, values, to, 0, f.op), mpi.GetAccumulate(w, values, got[:n], to, n, f.op),
					mpi.AccumulateLayout(w, values, to, 2*n, each, f.op), waited(mpi.RgetAccumulate(w, values, got[n:2*n], to, 4*n, f.op)),
					waited(mpi.Raccumulate(w, values[:1], to, 4*n, f.op)), w.Flush(to))
				was, ferr := mpi.FetchOp(w, values[0], to, 4*n+1, f.op)
				err = errors.Join(err, ferr, mpi.GetAccumulate(w, nil, got[2*n:], to, n, mpi.NoOp), w.UnlockAll(), mpi.Barrier(c))
				if err != nil {
					return fmt.Errorf("%v: %w", f.op, err)
				}
				want := f.model(there, values)
				old := append(append(append([]T{}, there[n:2*n]...), there[4*n:]...), want[n:2*n]...)
				fetched := f.apply(there[4*n+1], values[1])
				if err := errors.Join(same("left", mem, want), same("got", got, old), same("fetched", []T{was}, []T{fetched}), mpi.Barrier(c)); err != nil {
					return fmt.Errorf("%v of %T: %w", f.op, values[0], err)
				}
			}
			return nil
		})
	}
}

// model is what the calls of reduceAll leave.
func (f *fold[T]) model(there, values []T) []T {
	n := len(values)
	want := append([]T{}, there...)
	for i, v := range values {
		want[i] = f.apply(want[i], v)
		want[n+i] = f.apply(want[n+i], v)
		want[2*n+2*i] = f.apply(want[2*n+2*i], v)
		want[4*n+i] = f.apply(want[4*n+i], v)
	}
	want[4*n] = f.apply(want[4*n], values[0])
	want[4*n+1] = f.apply(want[4*n+1], values[0])
	return want
}

// bodyReductions: every predefined reduction of every type that it is for.
func bodyReductions(c *mpi.Comm) error {
	const top = 1 << (bits.UintSize - 1)
	for _, body := range []func(*mpi.Comm) error{
		reduceAll(integerFolds[int8](), -128, 0, 1, 127, 3), reduceAll(integerFolds[int16](), -9, 0, 1, 300),
		reduceAll(integerFolds[int32](), -9, 0, 1, 1<<30), reduceAll(integerFolds[int64](), -9, 0, 1<<62), reduceAll(integerFolds[int](), 3, 0, -1),
		reduceAll(integerFolds[uint8](), 255, 0, 1, 100), reduceAll(integerFolds[uint16](), 1<<16-1, 0, 1), reduceAll(integerFolds[uint32](), 1<<31, 0, 7),
		reduceAll(integerFolds[uint64](), 1<<63, 0, 7), reduceAll(integerFolds[uint](), top, 0, 7),
		reduceAll(numberFolds[float32](), -1.5, 0, 2, 1e30), reduceAll(numberFolds[float64](), -1.5, 0, 2, 1e300),
		reduceAll(complexFolds[complex64](), 1+2i, -1i, 0), reduceAll(complexFolds[complex128](), 1+2i, -1i, 0),
		reduceAll(boolFolds(), true, false, false, true, true),
		reduceAll(locFolds[int8](), mpi.Loc[int8]{Value: -3, Index: 1}, mpi.Loc[int8]{Value: -3}, mpi.Loc[int8]{Value: 100, Index: 1 << 40}),
		reduceAll(locFolds[uint32](), mpi.Loc[uint32]{Value: 1 << 31, Index: 1}, mpi.Loc[uint32]{Value: 1, Index: 7}, mpi.Loc[uint32]{Value: 1}),
		reduceAll(locFolds[int64](), mpi.Loc[int64]{Value: 5, Index: 9}, mpi.Loc[int64]{Value: 5, Index: 2}, mpi.Loc[int64]{Value: -8, Index: 3}),
		reduceAll(locFolds[float32](), mpi.Loc[float32]{Value: .5, Index: 9}, mpi.Loc[float32]{Value: -.5, Index: 2}, mpi.Loc[float32]{Value: .5}),
		reduceAll(locFolds[float64](), mpi.Loc[float64]{Value: 2, Index: -1}, mpi.Loc[float64]{Value: 2, Index: 4}, mpi.Loc[float64]{Value: 1e9}),
	} {
		if err := body(c); err != nil {
			return err
		}
	}
	return nil
}
