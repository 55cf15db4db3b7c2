package mpi_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weft-mpi/weft/mpi"
)

// terms are what ranks may disagree about in a collective call.
type terms struct {
	op    string
	count int
	root  int
	float bool
	fold  mpi.Op
}

// The operations, by what ranks have to agree about in them.
var (
	rootedOps  = []string{"bcast", "reduce", "gather", "gatherv", "scatter", "scatterv"}
	foldingOps = []string{"reduce", "allreduce", "scan", "exscan", "reduce_scatter", "reduce_scatterv"}
	movingOps  = []string{"allgather", "allgatherv", "alltoall", "alltoallv"}
)

// call makes the call.
func (a terms) call(w *mpi.Comm) error {
	if a.float {
		return callOn[float64](a, w)
	}
	return callOn[int64](a, w)
}

func callOn[T any](a terms, w *mpi.Comm) error {
	n := w.Size()
	buf := func(k int) []T { return make([]T, k) }
	counts := make([]int, n)
	for i := range counts {
		counts[i] = a.count + i%2
	}
	own, all := counts[w.Rank()], n*a.count+n/2
	switch a.op {
	case "barrier":
		return mpi.Barrier(w)
	case "bcast":
		return mpi.Bcast(w, buf(a.count), a.root)
	case "reduce":
		return mpi.Reduce(w, buf(a.count), buf(a.count), a.fold, a.root)
	case "allreduce":
		return mpi.Allreduce(w, buf(a.count), buf(a.count), a.fold)
	case "scan":
		return mpi.Scan(w, buf(a.count), buf(a.count), a.fold)
	case "exscan":
		return mpi.Exscan(w, buf(a.count), buf(a.count), a.fold)
	case "reduce_scatter":
		return mpi.ReduceScatter(w, buf(n*a.count), buf(a.count), a.fold)
	case "reduce_scatterv":
		return mpi.ReduceScatterv(w, buf(all), buf(own), counts, a.fold)
	case "gather":
		return mpi.Gather(w, buf(a.count), buf(n*a.count), a.root)
	case "gatherv":
		return mpi.Gatherv(w, buf(own), buf(all), counts, nil, a.root)
	case "scatter":
		return mpi.Scatter(w, buf(n*a.count), buf(a.count), a.root)
	case "scatterv":
		return mpi.Scatterv(w, buf(all), counts, nil, buf(own), a.root)
	case "allgather":
		return mpi.Allgather(w, buf(a.count), buf(n*a.count))
	case "allgatherv":
		return mpi.Allgatherv(w, buf(own), buf(all), counts, nil)
	case "alltoall":
		return mpi.Alltoall(w, buf(n*a.count), buf(n*a.count))
	case "alltoallv":
		row := make([]int, n)
		for i := range row {
			row[i] = a.count
		}
		return mpi.Alltoallv(w, buf(n*a.count), row, nil, buf(n*a.count), row, nil)
	}
	return fmt.Errorf("no operation %q", a.op)
}

// disagreement is a pair of calls that do not belong together.
type disagreement struct {
	name        string
	most, other terms
}

// disagreements are those of all operations, each about one thing.
func disagreements() (all []disagreement) {
	for _, ops := range [][]string{{"barrier"}, rootedOps, foldingOps, movingOps} {
		for _, op := range ops {
			add := func(what string, change func(*terms)) {
				d := disagreement{op + " " + what, terms{op: op, count: 4, fold: mpi.Sum}, terms{op: op, count: 4, fold: mpi.Sum}}
				change(&d.other)
				all = append(all, d)
			}
			add("operation", func(a *terms) {
				if a.op = "allreduce"; op == "allreduce" {
					a.op = "alltoall"
				}
			})
			if op == "barrier" {
				continue
			}
			add("count", func(a *terms) { a.count++ })
			add("length", func(a *terms) { a.count += 2000 })
			add("type", func(a *terms) { a.float = true })
			if ops[0] == rootedOps[0] {
				add("root", func(a *terms) { a.root = 1 })
			}
			if ops[0] == foldingOps[0] || op == "reduce" {
				add("reduction", func(a *terms) { a.fold = mpi.Max })
			}
		}
	}
	return all
}

// unseen tells of disagreements that are not compared, or that end in a circle of ranks none of which has
// sent anything: that the stall report tells.
func unseen(d disagreement, ranks int, links string) bool {
	op, what, _ := strings.Cut(d.name, " ")
	switch op {
	case "gatherv", "scatterv", "alltoallv":
		if what == "count" || what == "length" { // who sends and who receives may differ; messages are compared, memory of a node is not
			return true
		}
	}
	if d.name == "gather length" && links == "sim" { // a long block waits in silence for an announcement that short ones do without
		return true
	}
	return what == "root" && ranks == 2 && links != "auto" && (op == "reduce" || strings.HasPrefix(op, "gather")) // each waits for the other
}

// disagree runs a job whose last rank makes another call than the others.
func disagree(d disagreement, ranks int, run func(int, func(*mpi.Comm) error) error) error {
	return run(ranks, func(w *mpi.Comm) error {
		if err := mpi.Barrier(w); err != nil {
			return err
		}
		call := d.most
		if w.Rank() == w.Size()-1 {
			call = d.other
		}
		if err := call.call(w); err != nil {
			return err
		}
		return mpi.Barrier(w) // who has done its part does not see it before
	})
}

// TestDispute: ranks that call different collectives are told so, also where calls are not compared one
// by one. The call neither hangs nor gives a result.
func TestDispute(t *testing.T) {
	sizes := []int{2, 3, 5, 8}
	if testing.Short() || underRace {
		sizes = []int{3}
	}
	for _, links := range []string{"auto", "rail"} {
		t.Run(links, func(t *testing.T) {
			t.Setenv("WEFT_CHECK", "off")
			t.Setenv("WEFT_LINKS", links)
			slots := make(chan struct{}, 16)
			var wg sync.WaitGroup
			for _, d := range disagreements() {
				for _, n := range sizes {
					if unseen(d, n, links) {
						continue
					}
					wg.Go(func() {
						slots <- struct{}{}
						defer func() { <-slots }()
						err := disagree(d, n, func(n int, f func(*mpi.Comm) error) error {
							ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
							defer cancel()
							return mpi.Run(n, func(w *mpi.Comm) error { return f(w.WithContext(ctx)) })
						})
						if !errors.Is(err, mpi.ErrMismatch) {
							t.Errorf("%s, %d ranks: %v", d.name, n, err)
						}
					})
				}
			}
			wg.Wait()
		})
	}
}

// TestVirtualDispute: the same on two nodes in virtual time.
func TestVirtualDispute(t *testing.T) {
	oneThread(t)
	for _, n := range []int{3, 8} {
		for _, d := range disagreements() {
			if unseen(d, n, "sim") {
				continue
			}
			err := disagree(d, n, func(n int, f func(*mpi.Comm) error) error {
				j := cluster{profile: "connectx-ddr", nodes: 2, ranks: n}
				return j.run(t, f)
			})
			if !errors.Is(err, mpi.ErrMismatch) {
				t.Errorf("%s, %d ranks: %v", d.name, n, err)
			}
		}
	}
}

// TestDisputeWords: the error says what was called, as far as it is known.
func TestDisputeWords(t *testing.T) {
	base := terms{op: "allreduce", count: 4, fold: mpi.Sum}
	for name, c := range map[string]struct {
		change func(*terms)
		near   string // in memory of the node
		far    string // by a message
	}{
		"count":     {func(a *terms) { a.count = 5 }, "rank 1 calls allreduce of 40 bytes of int64 with sum", "rank 1 calls allreduce with another length, type or reduction"},
		"type":      {func(a *terms) { a.float = true }, "rank 1 calls allreduce of 32 bytes of float64 with sum", "rank 1 calls allreduce with another length, type or reduction"},
		"reduction": {func(a *terms) { a.fold = mpi.Min }, "rank 1 calls allreduce of 32 bytes of int64 with min", "rank 1 calls allreduce with another length, type or reduction"},
		"operation": {func(a *terms) { a.op = "bcast"; a.root = 1 }, "rank 1 calls bcast root 1 of 32 bytes of int64", "rank 1 calls bcast"},
	} {
		other := base
		c.change(&other)
		for links, words := range map[string]string{"auto": c.near, "rail": c.far} {
			t.Run(name+" "+links, func(t *testing.T) {
				t.Setenv("WEFT_CHECK", "off")
				t.Setenv("WEFT_LINKS", links)
				var said string
				err := mpi.Run(2, func(w *mpi.Comm) error {
					if w.Rank() == 1 {
						_ = other.call(w) // rank 0 says it, too
						return nil
					}
					err := base.call(w)
					said = fmt.Sprint(err)
					return err
				})
				says(t, err, mpi.ErrMismatch)
				if !strings.Contains(said, "rank 0 calls allreduce of 32 bytes of int64 with sum, "+words) {
					t.Errorf("%s: %s", name, said)
				}
			})
		}
	}
}
