package mpi_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// form runs a collective: the blocking call, or the other one and its wait.
type form func(blocking func() error, starting func() mpi.Request) error

var forms = map[string]form{
	"blocking": func(blocking func() error, _ func() mpi.Request) error { return blocking() },
	"waiting":  func(_ func() error, starting func() mpi.Request) error { _, err := starting().Wait(); return err },
	"testing": func(_ func() error, starting func() mpi.Request) error {
		for r := starting(); ; {
			if _, done, err := r.Test(); done || err != nil {
				return err
			}
		}
	},
}

var counts = []int{0, 1, 7, 1000}

// onForms runs a body on every communicator, in every form and with every count.
func onForms(t *testing.T, body func(c *mpi.Comm, do form, n int) error) {
	onComms(t, func(c *mpi.Comm) error {
		for name, do := range forms {
			for _, n := range counts {
				if err := body(c, do, n); err != nil {
					return fmt.Errorf("%s, %d elements: %w", name, n, err)
				}
			}
		}
		return nil
	})
}

// block is what rank from contributes for rank to.
func block(n, from, to int) []int64 { return numbers(n, from*100+to) }

// blocks are the contributions of all ranks for rank to, one after the other.
func blocks(c *mpi.Comm, n, to int) (all []int64) {
	for r := range c.Size() {
		all = append(all, block(n, r, to)...)
	}
	return all
}

// reduced is the element-wise result of folding the ranks from to to-1, lowest first.
func reduced(n, from, to int, op func(a, b int64) int64) []int64 {
	sum := numbers(n, from)
	for r := from + 1; r < to; r++ {
		for i, v := range numbers(n, r) {
			sum[i] = op(sum[i], v)
		}
	}
	return sum
}

func plus(a, b int64) int64 { return a + b }

func TestBarrier(t *testing.T) { onForms(t, bodyBarrier) }

func bodyBarrier(c *mpi.Comm, do form, n int) error {
	return do(func() error { return mpi.Barrier(c) }, func() mpi.Request { return mpi.Ibarrier(c) })
}

func TestBcast(t *testing.T) { onForms(t, bodyBcast) }

func bodyBcast(c *mpi.Comm, do form, n int) error {
	for root := range c.Size() {
		buf := particles(n, c.Rank())
		err := do(func() error { return mpi.Bcast(c, buf, root) }, func() mpi.Request { return mpi.Ibcast(c, buf, root) })
		if err := errors.Join(err, same("buffer", buf, particles(n, root))); err != nil {
			return err
		}
	}
	return nil
}

func TestReduce(t *testing.T) { onForms(t, bodyReduce) }

func bodyReduce(c *mpi.Comm, do form, n int) error {
	for root := range c.Size() {
		for _, inPlace := range []bool{false, true} {
			in, out := numbers(n, c.Rank()), make([]int64, n)
			if inPlace && c.Rank() == root {
				in, out = nil, in
			}
			err := do(func() error { return mpi.Reduce(c, in, out, mpi.Sum, root) },
				func() mpi.Request { return mpi.Ireduce(c, in, out, mpi.Sum, root) })
			if c.Rank() == root {
				err = errors.Join(err, same("sum", out, reduced(n, 0, c.Size(), plus)))
			}
			if err != nil {
				return fmt.Errorf("root %d, in place %v: %w", root, inPlace, err)
			}
		}
	}
	return nil
}

func TestAllreduceAndScans(t *testing.T) { onForms(t, bodyAllreduceAndScans) }

func bodyAllreduceAndScans(c *mpi.Comm, do form, n int) error {
	for _, inPlace := range []bool{false, true} {
		buffers := func() (in, out []int64) {
			if inPlace {
				return nil, numbers(n, c.Rank())
			}
			return numbers(n, c.Rank()), make([]int64, n)
		}
		in, out := buffers()
		err := do(func() error { return mpi.Allreduce(c, in, out, mpi.Sum) }, func() mpi.Request { return mpi.Iallreduce(c, in, out, mpi.Sum) })
		if err := errors.Join(err, same("sum", out, reduced(n, 0, c.Size(), plus))); err != nil {
			return err
		}
		in, out = buffers()
		err = do(func() error { return mpi.Scan(c, in, out, mpi.Sum) }, func() mpi.Request { return mpi.Iscan(c, in, out, mpi.Sum) })
		if err := errors.Join(err, same("scan", out, reduced(n, 0, c.Rank()+1, plus))); err != nil {
			return err
		}
		in, out = buffers()
		err = do(func() error { return mpi.Exscan(c, in, out, mpi.Sum) }, func() mpi.Request { return mpi.Iexscan(c, in, out, mpi.Sum) })
		if c.Rank() > 0 {
			err = errors.Join(err, same("exscan", out, reduced(n, 0, c.Rank(), plus)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func TestReduceScatter(t *testing.T) { onForms(t, bodyReduceScatter) }

func bodyReduceScatter(c *mpi.Comm, do form, n int) error {
	in, out := make([]int64, 0, n*c.Size()), make([]int64, n)
	sum := make([]int64, n)
	for r := range c.Size() {
		in = append(in, block(n, c.Rank(), r)...)
		for i, v := range block(n, r, c.Rank()) {
			sum[i] += v
		}
	}
	err := do(func() error { return mpi.ReduceScatter(c, in, out, mpi.Sum) },
		func() mpi.Request { return mpi.IreduceScatter(c, in, out, mpi.Sum) })
	if err := errors.Join(err, same("block", out, sum)); err != nil {
		return err
	}
	counts := make([]int, c.Size()) // rank r gets r elements more than the last multiple of n
	in = in[:0]
	for r := range counts {
		counts[r] = n + r
		in = append(in, block(counts[r], c.Rank(), r)...)
	}
	out, sum = make([]int64, counts[c.Rank()]), make([]int64, counts[c.Rank()])
	for r := range c.Size() {
		for i, v := range block(len(sum), r, c.Rank()) {
			sum[i] += v
		}
	}
	err = do(func() error { return mpi.ReduceScatterv(c, in, out, counts, mpi.Sum) },
		func() mpi.Request { return mpi.IreduceScatterv(c, in, out, counts, mpi.Sum) })
	return errors.Join(err, same("uneven block", out, sum))
}

// matrix is an element whose product is associative but not commutative.
type matrix [4]uint32

func product(a, b matrix) matrix {
	return matrix{a[0]*b[0] + a[1]*b[2], a[0]*b[1] + a[1]*b[3], a[2]*b[0] + a[3]*b[2], a[2]*b[1] + a[3]*b[3]}
}

func matrices(n, rank int) []matrix {
	all := make([]matrix, n)
	for i := range all {
		all[i] = matrix{uint32(rank + 1), uint32(i), 3, uint32(rank*i + 1)}
	}
	return all
}

func products(n, from, to int) []matrix {
	all := matrices(n, from)
	for r := from + 1; r < to; r++ {
		for i, m := range matrices(n, r) {
			all[i] = product(all[i], m)
		}
	}
	return all
}

// TestUserOperation: a reduction that does not commute is applied in the order of ranks, everywhere.
func TestUserOperation(t *testing.T) {
	op := mpi.NewOp(false, product)
	onForms(t, func(c *mpi.Comm, do form, n int) error {
		whole := products(n, 0, c.Size())
		out := make([]matrix, n)
		err := do(func() error { return mpi.Allreduce(c, matrices(n, c.Rank()), out, op) },
			func() mpi.Request { return mpi.Iallreduce(c, matrices(n, c.Rank()), out, op) })
		if err := errors.Join(err, same("allreduce", out, whole)); err != nil {
			return err
		}
		root := c.Size() / 2
		err = do(func() error { return mpi.Reduce(c, matrices(n, c.Rank()), out, op, root) },
			func() mpi.Request { return mpi.Ireduce(c, matrices(n, c.Rank()), out, op, root) })
		if c.Rank() == root {
			err = errors.Join(err, same("reduce", out, whole))
		}
		if err != nil {
			return err
		}
		err = do(func() error { return mpi.Scan(c, matrices(n, c.Rank()), out, op) },
			func() mpi.Request { return mpi.Iscan(c, matrices(n, c.Rank()), out, op) })
		if err := errors.Join(err, same("scan", out, products(n, 0, c.Rank()+1))); err != nil {
			return err
		}
		wide := make([]matrix, 0, n*c.Size())
		for range c.Size() {
			wide = append(wide, matrices(n, c.Rank())...)
		}
		err = do(func() error { return mpi.ReduceScatter(c, wide, out, op) },
			func() mpi.Request { return mpi.IreduceScatter(c, wide, out, op) })
		return errors.Join(err, same("reduce scatter", out, whole))
	})
}

// TestPredefinedOperations tries each on small numbers, and the ones with places.
func TestPredefinedOperations(t *testing.T) {
	runs(t, 3, func(w *mpi.Comm) error {
		v := []int32{int32(w.Rank()), 6, int32(w.Rank() - 1)}
		for _, c := range []struct {
			op   mpi.Op
			want []int32
		}{
			{mpi.Sum, []int32{3, 18, 0}}, {mpi.Prod, []int32{0, 216, 0}}, {mpi.Min, []int32{0, 6, -1}}, {mpi.Max, []int32{2, 6, 1}},
			{mpi.Land, []int32{0, 1, 0}}, {mpi.Lor, []int32{1, 1, 1}}, {mpi.Lxor, []int32{0, 1, 0}},
			{mpi.Band, []int32{0, 6, 0}}, {mpi.Bor, []int32{3, 6, -1}}, {mpi.Bxor, []int32{3, 6, -2}},
		} {
			out := make([]int32, 3)
			if err := errors.Join(mpi.Allreduce(w, v, out, c.op), same(c.op.String(), out, c.want)); err != nil {
				return err
			}
		}
		locs := []mpi.Loc[float64]{{Value: float64(w.Rank() % 2), Index: w.Rank()}}
		low, high := make([]mpi.Loc[float64], 1), make([]mpi.Loc[float64], 1)
		return errors.Join(mpi.Allreduce(w, locs, low, mpi.MinLoc[float64]()), mpi.Allreduce(w, locs, high, mpi.MaxLoc[float64]()),
			want("lowest", low[0], mpi.Loc[float64]{Value: 0, Index: 0}), want("highest", high[0], mpi.Loc[float64]{Value: 1, Index: 1}))
	})
}
