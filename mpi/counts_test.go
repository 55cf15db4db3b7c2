package mpi_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// counted is a call of every operation with counts, on slices that belong to one rank. Rank r has,
// or gets, counts[r] elements, and in Alltoallv everybody sends each of its neighbours as many as
// it has itself.
type counted struct {
	w          *mpi.Comm
	counts, to []int
	in, out    []int64
}

func newCounted(w *mpi.Comm, most int) *counted {
	n := most * w.Size()
	return &counted{w: w, counts: make([]int, w.Size()), to: make([]int, w.Size()), in: make([]int64, n), out: make([]int64, n)}
}

// set has rank r have count(r) elements.
func (c *counted) set(count func(rank int) int) {
	for r := range c.counts {
		c.counts[r], c.to[r] = count(r), count(c.w.Rank())
	}
	copy(c.in, numbers(len(c.in), c.w.Rank()))
	clear(c.out)
}

// countedOps are the operations with counts.
var countedOps = []string{"gatherv", "scatterv", "allgatherv", "alltoallv", "reduce_scatterv"}

func (c *counted) call(op string) error {
	w, me := c.w, c.w.Rank()
	switch op {
	case "gatherv":
		return mpi.Gatherv(w, c.in[:c.counts[me]], c.out, c.counts, nil, 0)
	case "scatterv":
		return mpi.Scatterv(w, c.in, c.counts, nil, c.out[:c.counts[me]], 0)
	case "allgatherv":
		return mpi.Allgatherv(w, c.in[:c.counts[me]], c.out, c.counts, nil)
	case "alltoallv":
		return mpi.Alltoallv(w, c.in, c.to, nil, c.out, c.counts, nil)
	}
	return mpi.ReduceScatterv(w, c.in[:total(c.counts)], c.out[:c.counts[me]], c.counts, mpi.Sum)
}

// want returns what out begins with after a call.
func (c *counted) want(op string) (want []int64) {
	w, me := c.w, c.w.Rank()
	first := total(c.counts[:me])
	switch op {
	case "scatterv":
		return numbers(len(c.in), 0)[first : first+c.counts[me]]
	case "gatherv":
		if me != 0 {
			return nil
		}
	case "reduce_scatterv":
		want = make([]int64, c.counts[me])
		for r := range w.Size() {
			for i, x := range numbers(len(c.in), r)[first : first+c.counts[me]] {
				want[i] += x
			}
		}
		return want
	}
	for r, n := range c.counts {
		from := 0
		if op == "alltoallv" {
			from = n * me
		}
		want = append(want, numbers(len(c.in), r)[from:from+n]...)
	}
	return want
}

func total(counts []int) (sum int) {
	for _, n := range counts {
		sum += n
	}
	return sum
}

// TestCountsMayChange: counts are the program's, which may write new ones into the same slices, and
// go back to those it had before.
func TestCountsMayChange(t *testing.T) {
	layouts := []func(rank int) int{
		func(int) int { return 3 },
		func(rank int) int { return rank },
		func(rank int) int { return 2 * (rank % 2) },
		func(rank int) int { return 700 * (rank / 2) },
		func(int) int { return 0 },
	}
	runs(t, 3, func(w *mpi.Comm) (err error) {
		c := newCounted(w, 1000)
		for i := range 3 * 100 { // more than are kept
			count := func(rank int) int { return layouts[i%5](rank) + i/5%100*(rank+i)%2 }
			for _, op := range countedOps {
				c.set(count)
				name := fmt.Sprintf("%s, call %d, counts %v", op, i, c.counts)
				want := c.want(op)
				err = errors.Join(err, c.call(op), same(name, c.out[:len(want)], want))
			}
		}
		return err
	})
}

// TestCountsAllocateNothing: calls with counts that were there before.
func TestCountsAllocateNothing(t *testing.T) {
	if underRace || onFakes {
		t.Skip("the race detector allocates, and so does a driver made of Go")
	}
	t.Setenv("WEFT_CHECK", "off")
	const rounds = 200
	runs(t, 2, func(w *mpi.Comm) (err error) {
		c := newCounted(w, 32)
		c.set(func(rank int) int { return 8 + rank })
		for _, op := range countedOps { // all of them, since a rank that is done with one goes on to the next
			for range 200 {
				err = errors.Join(err, c.call(op), mpi.Barrier(w))
			}
		}
		for _, op := range countedOps {
			run := func() { err = errors.Join(err, c.call(op), mpi.Barrier(w)) }
			if w.Rank() == 1 {
				for range rounds + 1 {
					run()
				}
				continue
			}
			err = errors.Join(err, want("allocations per "+op, testing.AllocsPerRun(rounds, run), 0))
		}
		return err
	})
}

// BenchmarkCounts is what a call with counts costs, even or not, and with counts that no call has had before.
func BenchmarkCounts(b *testing.B) {
	for _, ranks := range []int{2, 4} {
		for _, kind := range []string{"even", "uneven", "new"} {
			for _, op := range countedOps {
				b.Run(fmt.Sprintf("%s/%s/%d", op, kind, ranks), func(b *testing.B) { benchmarkCounts(b, ranks, kind, op) })
			}
		}
	}
}

func benchmarkCounts(b *testing.B, ranks int, kind, op string) {
	b.Setenv("WEFT_CHECK", "off")
	b.ReportAllocs()
	err := mpi.Run(ranks, func(w *mpi.Comm) (err error) {
		c := newCounted(w, 1<<10)
		c.set(func(rank int) int { return 8 })
		if kind == "uneven" {
			c.set(func(rank int) int { return 7 + rank })
		}
		for i := 0; i < b.N && err == nil; i++ {
			if kind == "new" {
				for r := range c.counts {
					c.counts[r], c.to[r] = 8+i>>(6*r)%64, 8+i>>(6*w.Rank())%64
				}
			}
			err = c.call(op)
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
}
