package mpi_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

func TestNeighbors(t *testing.T)       { onForms(t, bodyNeighbors) }
func TestNeighborsv(t *testing.T)      { onForms(t, bodyNeighborsv) }
func TestNeighborLayouts(t *testing.T) { onForms(t, bodyNeighborLayouts) }

// withNeighbors makes communicators of several kinds whose ranks have neighbours.
func withNeighbors(c *mpi.Comm, do func(*mpi.Comm) error) error {
	plane, err := mpi.Dims(c.Size(), 2)
	if err != nil {
		return err
	}
	cart, err := c.Cart(plane, []bool{true, false}, true)
	if err != nil {
		return err
	}
	corners, err := cart.Neighborhood([]int{1, 1}, []int{-1, 0}, []int{1, 1}, []int{0, -1}, []int{2, 1})
	if err != nil {
		return err
	}
	right, left := (c.Rank()+1)%c.Size(), (c.Rank()+c.Size()-1)%c.Size()
	twice, err := c.Graph([]int{left, c.Rank(), left}, []int{right, right, c.Rank()}, []int{1, 2, 3}, true)
	if err != nil {
		return err
	}
	var star []mpi.Edge // to and from the last rank, told by it alone; if there are several, the first has no neighbours
	for r := 1; c.Rank() == c.Size()-1 && r < c.Size()-1; r++ {
		star = append(star, mpi.Edge{From: r, To: c.Rank(), Weight: 1}, mpi.Edge{From: c.Rank(), To: r, Weight: 1})
	}
	wheel, err := c.GraphOf(star, false)
	if err != nil {
		return err
	}
	copied, err := wheel.Dup()
	if err != nil {
		return err
	}
	all := []*mpi.Comm{cart.Comm, corners.Comm, twice, wheel, copied}
	for i, g := range all {
		if err := do(g); err != nil {
			return fmt.Errorf("graph %d: %w", i, err)
		}
	}
	for _, g := range all {
		err = errors.Join(err, g.Free())
	}
	return err
}

// sentAlong is what comes along each edge in: by messages, as neighbours would send them.
func sentAlong(g *mpi.Comm, send func(slot int) []int64, n int, grid bool) ([][]int64, error) {
	sources, dests := g.Neighbors()
	var reqs []mpi.Request
	came := make([][]int64, len(sources))
	for i, from := range sources {
		came[i] = slices.Repeat([]int64{-1}, n)
		tag := 0
		if grid { // what comes from below was sent above
			tag = i ^ 1
		}
		reqs = append(reqs, mpi.Irecv(g, came[i], from, tag))
	}
	for i, to := range dests {
		tag := 0
		if grid {
			tag = i
		}
		reqs = append(reqs, mpi.Isend(g, send(i), to, tag))
	}
	return came, mpi.Waitall(reqs)
}

// isGrid tells whether blocks come in as in a grid: the second graph of withNeighbors is one, but of a neighbourhood.
func isGrid(g *mpi.Comm) bool {
	sources, dests := g.Neighbors()
	return len(sources) == 4 && len(dests) == 4
}

func bodyNeighbors(c *mpi.Comm, do form, n int) error {
	return withNeighbors(c, func(g *mpi.Comm) error {
		sources, dests := g.Neighbors()
		if n == 0 {
			sources, dests = nil, nil
		}
		own, out := numbers(n, g.Rank()), blockAlong(g, n, dests)
		for _, op := range []string{"allgather", "alltoall"} {
			in := slices.Repeat([]int64{-1}, n*len(sources))
			blocking, starting := func() error { return mpi.NeighborAllgather(g, own, in) }, func() mpi.Request { return mpi.IneighborAllgather(g, own, in) }
			send := func(int) []int64 { return own }
			if op == "alltoall" {
				blocking, starting = func() error { return mpi.NeighborAlltoall(g, out, in) }, func() mpi.Request { return mpi.IneighborAlltoall(g, out, in) }
				send = func(slot int) []int64 { return out[slot*n:][:n] }
			}
			want, err := [][]int64(nil), do(blocking, starting)
			if n > 0 {
				var late error
				want, late = sentAlong(g, send, n, isGrid(g))
				err = errors.Join(err, late)
			}
			if err = errors.Join(err, same(op, in, slices.Concat(want...))); err != nil {
				return err
			}
		}
		return nil
	})
}

// blockAlong are the blocks for destinations.
func blockAlong(g *mpi.Comm, n int, dests []int) (all []int64) {
	for i := range dests {
		all = append(all, block(n, g.Rank(), i)...)
	}
	return all
}

// bodyNeighborsv has blocks of different lengths, in reverse order.
func bodyNeighborsv(c *mpi.Comm, do form, n int) error {
	return withNeighbors(c, func(g *mpi.Comm) error {
		sources, dests := g.Neighbors()
		length := func(rank int) int { return max(rank, 0) % 3 * n }
		for _, op := range []string{"allgatherv", "alltoallv"} {
			var sendCounts, sendDispls, recvCounts, recvDispls []int
			outs, ins := 0, 0
			for range dests {
				sendCounts = append(sendCounts, length(g.Rank()))
				sendDispls = append(sendDispls, outs)
				outs += length(g.Rank())
			}
			for _, from := range slices.Backward(sources) {
				recvDispls = append([]int{ins}, recvDispls...)
				recvCounts = append([]int{length(from)}, recvCounts...)
				ins += length(from) + 1
			}
			own, out, in := numbers(length(g.Rank()), g.Rank()), blockAlong(g, length(g.Rank()), dests), slices.Repeat([]int64{-1}, ins)
			blocking := func() error { return mpi.NeighborAllgatherv(g, own, in, recvCounts, recvDispls) }
			starting := func() mpi.Request { return mpi.IneighborAllgatherv(g, own, in, recvCounts, recvDispls) }
			send := func(int) []int64 { return own }
			if op == "alltoallv" {
				blocking = func() error { return mpi.NeighborAlltoallv(g, out, sendCounts, sendDispls, in, recvCounts, recvDispls) }
				starting = func() mpi.Request {
					return mpi.IneighborAlltoallv(g, out, sendCounts, sendDispls, in, recvCounts, recvDispls)
				}
				send = func(slot int) []int64 { return out[sendDispls[slot]:][:sendCounts[slot]] }
			}
			err := do(blocking, starting)
			want, late := sentAlong(g, send, 2*n, isGrid(g))
			if err := errors.Join(err, late); err != nil {
				return err
			}
			for i, from := range sources {
				got := in[recvDispls[i]:][:recvCounts[i]]
				if from == mpi.ProcNull {
					want[i] = slices.Repeat([]int64{-1}, 2*n)
				}
				if err := errors.Join(same(op, got, want[i][:len(got)]), same("gap", in[recvDispls[i]+len(got):][:1], []int64{-1})); err != nil {
					return fmt.Errorf("from %d: %w", from, err)
				}
			}
		}
		return nil
	})
}

// bodyNeighborLayouts exchanges columns of matrices: what is for nobody stays as it is.
func bodyNeighborLayouts(c *mpi.Comm, do form, n int) error {
	return withNeighbors(c, func(g *mpi.Comm) error {
		sources, dests := g.Neighbors()
		column := func(i, columns int) mpi.Layout {
			if n == 0 {
				return nil // an array has elements
			}
			return mpi.Subarray{Sizes: []int{n, columns}, Sub: []int{n, 1}, Start: []int{0, i}}
		}
		columns := len(sources) + 1 // the last is nobody's
		out, in := make([]int64, n*len(dests)), slices.Repeat([]int64{-1}, n*columns)
		var sendAt, recvAt []mpi.Layout
		blocks := blockAlong(g, n, dests)
		for i := range dests {
			sendAt = append(sendAt, column(i, len(dests)))
			for k := range n {
				out[k*len(dests)+i] = blocks[i*n+k]
			}
		}
		for i := range sources {
			recvAt = append(recvAt, column(i, columns))
		}
		err := do(func() error { return mpi.NeighborAlltoallLayout(g, out, sendAt, in, recvAt) },
			func() mpi.Request { return mpi.IneighborAlltoallLayout(g, out, sendAt, in, recvAt) })
		want, late := sentAlong(g, func(slot int) []int64 { return blocks[slot*n:][:n] }, n, isGrid(g))
		if err := errors.Join(err, late); err != nil {
			return err
		}
		want = append(want, slices.Repeat([]int64{-1}, n))
		for i := range columns {
			got := make([]int64, n)
			for k := range n {
				got[k] = in[k*columns+i]
			}
			if err := same("column", got, want[i]); err != nil {
				return fmt.Errorf("column %d of %d, sources %v: %w", i, columns, sources, err)
			}
		}
		return nil
	})
}

// TestWrongNeighbors: what a rank gets wrong about neighbours is told to all, with the call and the ranks.
func TestWrongNeighbors(t *testing.T) {
	far := func(w *mpi.Comm) error { // rank 1 names a rank that there is not
		dest := 0
		if w.Rank() == 1 {
			dest = 7
		}
		_, err := w.Graph(nil, []int{dest}, nil, false)
		return err
	}
	for _, c := range []struct {
		name  string
		call  func(w *mpi.Comm) error
		class error
		words map[int][]string // by rank
	}{
		{"range", far, mpi.ErrGraph, map[int][]string{0: {"graph on world", "rank 1 names"}, 1: {"destination 0 is rank 7", "0 to 2"}}},
		{"one-sided", func(w *mpi.Comm) error {
			var dests []int
			if w.Rank() == 2 {
				dests = []int{0}
			}
			_, err := w.Graph(nil, dests, nil, false)
			return err
		}, mpi.ErrGraph, map[int][]string{0: {"rank 2 names rank 0 as a destination, which does not name it as a source"}, 1: {"rank 2"}}},
		{"weights", func(w *mpi.Comm) error {
			_, err := w.Graph([]int{w.Rank()}, []int{w.Rank()}, []int{1, 2}, true)
			return err
		}, mpi.ErrGraph, map[int][]string{0: {"2 weights for 1"}}},
		{"negative", func(w *mpi.Comm) error {
			_, err := w.GraphOf([]mpi.Edge{{From: 0, To: -1, Weight: -4}}, true)
			return err
		}, mpi.ErrGraph, map[int][]string{0: {"to 0 is rank -1", "weight 0 is -4"}}},
		{"reorder", func(w *mpi.Comm) error {
			_, err := w.Graph(nil, nil, nil, w.Rank() == 1)
			return err
		}, mpi.ErrMismatch, map[int][]string{0: {"rank 0 and rank 1 differ in whether to reorder"}}},
		{"none", func(w *mpi.Comm) error { return mpi.NeighborAlltoall(w, []int{}, []int{}) }, mpi.ErrGraph,
			map[int][]string{2: {"neighbor_alltoall on world", "Cart or Graph"}}},
		{"offsets", func(w *mpi.Comm) error {
			cart, err := w.Cart([]int{3}, []bool{true}, false)
			if err != nil {
				return err
			}
			_, err = cart.Neighborhood([]int{1, 1})
			return err
		}, mpi.ErrGrid, map[int][]string{0: {"offset 0 has 2 numbers in 1 dimensions"}}},
		{"lengths", func(w *mpi.Comm) error {
			cart, err := w.Cart([]int{3}, []bool{true}, false)
			if err != nil {
				return err
			}
			return mpi.NeighborAlltoall(cart.Comm, make([]int, 3), make([]int, 3))
		}, mpi.ErrCount, map[int][]string{0: {"send has 3 elements for 2 neighbours"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			errs := make([]error, 3)
			_ = mpi.Run(3, func(w *mpi.Comm) error {
				errs[w.Rank()] = c.call(w)
				return nil
			})
			for rank, words := range c.words {
				says(t, errs[rank], c.class, words...)
			}
		})
	}
}

// TestUnevenBlocksBetweenNeighbors: a block that is longer than its receiver says is told.
func TestUnevenBlocksBetweenNeighbors(t *testing.T) {
	err := mpi.Run(2, func(w *mpi.Comm) error {
		other := 1 - w.Rank()
		g, err := w.Graph([]int{other}, []int{other}, nil, false)
		if err != nil {
			return err
		}
		return mpi.NeighborAlltoallv(g, make([]int, 4), []int{1 + w.Rank()}, nil, make([]int, 4), []int{1}, nil)
	})
	says(t, err, mpi.ErrMismatch, "rank 1 sent 16 bytes, and rank 0 expects 8 of it")
}

// TestGraphByOnlySome: a rank that calls something else than the others, who make a graph, is told of.
func TestGraphByOnlySome(t *testing.T) {
	err := mpi.Run(3, func(w *mpi.Comm) error {
		if w.Rank() == 1 {
			return mpi.Barrier(w) //weft:ignore collective the mistake is meant
		}
		_, err := w.Graph(nil, nil, nil, false)
		return err
	})
	says(t, err, mpi.ErrMismatch, "graph", "rank 1", "barrier")
}

// TestTopologyByOnlySome: whoever calls something else than those who make a grid, or a part of one, is told of.
func TestTopologyByOnlySome(t *testing.T) {
	ring := func(w *mpi.Comm) (*mpi.Cart, error) { return w.Cart([]int{3, 1}, []bool{true, false}, false) }
	for name, call := range map[string]func(w *mpi.Comm, some bool) error{
		"cart": func(w *mpi.Comm, some bool) error {
			if !some {
				return mpi.Barrier(w)
			}
			_, err := ring(w)
			return err
		},
		"neighborhood": func(w *mpi.Comm, some bool) error {
			c, err := ring(w)
			if err != nil || !some {
				return errors.Join(err, mpi.Barrier(c.Comm))
			}
			_, err = c.Neighborhood([]int{1, 0})
			return err
		},
		"sub": func(w *mpi.Comm, some bool) error {
			c, err := ring(w)
			if err != nil || !some {
				return errors.Join(err, mpi.Barrier(c.Comm))
			}
			_, err = c.Sub(true, false)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			err := mpi.Run(3, func(w *mpi.Comm) error { return call(w, w.Rank() != 1) })
			says(t, err, mpi.ErrMismatch, name, "rank 1", "barrier")
		})
	}
}

// TestBlocksOnOneAnother: blocks of several ranks that would come to the same elements are told, those of nobody and
// those that another rank receives are not.
func TestBlocksOnOneAnother(t *testing.T) {
	three, at := []int{2, 2, 2}, []int{0, 4, 1}
	in := func() []int { return make([]int, 6) }
	onGrid := func(w *mpi.Comm, periodic bool, call func(c *mpi.Comm) error) error {
		c, err := w.Cart([]int{3}, []bool{periodic}, false)
		if err != nil {
			return err
		}
		return call(c.Comm)
	}
	column := func(i int) mpi.Layout { return mpi.From(i, mpi.Strided{Count: 2, Block: 1, Stride: 3}) }
	columns := []mpi.Layout{column(0), column(1), column(2)}
	for name, c := range map[string]struct {
		call  func(w *mpi.Comm) error
		words []string // none: all is well
	}{
		"alltoallv":  {func(w *mpi.Comm) error { return mpi.Alltoallv(w, in(), three, nil, in(), three, at) }, []string{"ranks 0 and 2", "element 1 of"}},
		"allgatherv": {func(w *mpi.Comm) error { return mpi.Allgatherv(w, in()[:2], in(), three, at) }, []string{"allgatherv", "ranks 0 and 2"}},
		"gatherv":    {func(w *mpi.Comm) error { return mpi.Gatherv(w, in()[:2], in(), three, at, 1) }, []string{"gatherv", "ranks 0 and 2"}},
		"gatherv, others": {func(w *mpi.Comm) error {
			if w.Rank() == 1 {
				return mpi.Gatherv(w, in()[:2], in(), three, nil, 1)
			}
			return mpi.Gatherv(w, in()[:2], in(), three, at, 1)
		}, nil},
		"scatterv": {func(w *mpi.Comm) error { return mpi.Scatterv(w, in(), three, at, in()[:2], 0) }, nil},
		"neighbours": {func(w *mpi.Comm) error {
			return onGrid(w, true, func(c *mpi.Comm) error {
				return mpi.NeighborAlltoallv(c, in(), []int{2, 2}, nil, in(), []int{2, 2}, []int{1, 2})
			})
		}, []string{"neighbours 0 and 1", "element 2 of"}},
		"nobody": {func(w *mpi.Comm) error {
			displs := []int{0, 2}
			if w.Rank() != 1 {
				displs = []int{0, 0} // one of them is nobody
			}
			return onGrid(w, false, func(c *mpi.Comm) error {
				return mpi.NeighborAlltoallv(c, in(), []int{2, 2}, nil, in(), []int{2, 2}, displs)
			})
		}, nil},
		"columns": {func(w *mpi.Comm) error { return mpi.AlltoallLayout(w, in(), columns, in(), columns) }, nil},
		"the same column": {func(w *mpi.Comm) error {
			return mpi.AlltoallLayout(w, in(), columns, in(), []mpi.Layout{column(0), column(2), column(0)})
		}, []string{"ranks 0 and 2", "elements that both layouts name"}},
		"edges": {func(w *mpi.Comm) error {
			return onGrid(w, true, func(c *mpi.Comm) error {
				return mpi.NeighborAlltoallLayout(c, in(), columns[:2], in(), []mpi.Layout{column(1), mpi.Strided{Count: 1, Block: 3, Stride: 3}})
			})
		}, []string{"neighbor_alltoall_layout", "neighbours 0 and 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			err := mpi.Run(3, c.call)
			if c.words != nil {
				says(t, err, mpi.ErrBuffer, append(c.words, "apart")...)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestLayoutsThatDoNotFit: what is longer than the elements that wait for it is told, whichever way it is laid out.
func TestLayoutsThatDoNotFit(t *testing.T) {
	long, short := mpi.Strided{Count: 5, Block: 1, Stride: 2}, mpi.Indexed{{Start: 7, Len: 1}, {Start: 2, Len: 3}}
	err := mpi.Run(2, func(w *mpi.Comm) error {
		buf := make([]int64, 10)
		if w.Rank() == 0 {
			return mpi.SendLayout(w, buf, long, 1, 4)
		}
		_, err := mpi.RecvLayout(w, buf, short, 0, 4)
		return err
	})
	says(t, err, mpi.ErrTruncate, "recv", "rank 0", "40 bytes", "32")
	err = mpi.Run(2, func(w *mpi.Comm) error {
		c, err := w.Cart([]int{2}, []bool{true}, false)
		if err != nil {
			return err
		}
		buf := make([]int64, 20)
		at := []mpi.Layout{long, mpi.From(10, long)}
		if w.Rank() == 1 {
			at = []mpi.Layout{short, mpi.From(10, short)}
		}
		return mpi.NeighborAlltoallLayout(c.Comm, buf, []mpi.Layout{long, long}, buf, at)
	})
	says(t, err, mpi.ErrMismatch, "40 bytes", "32")
}
