package mpi_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// ranksIn are the world ranks of a group's members, in its order.
func ranksIn(w *mpi.Comm, g *mpi.Group) []int {
	all := make([]int, g.Size())
	for i := range all {
		all[i] = i
	}
	got, err := g.Translate(all, w.Group())
	if err != nil {
		return nil
	}
	return got
}

// TestGroups checks the algebra on a world of six.
func TestGroups(t *testing.T) {
	runs(t, 6, func(w *mpi.Comm) error {
		g := w.Group()
		a, err1 := g.Incl(4, 0, 2)
		b, err2 := g.Incl(5, 2, 4)
		c, err3 := g.Excl(1, 3)
		if err := errors.Join(err1, err2, err3); err != nil {
			return err
		}
		empty := a.Difference(a)
		back, err := a.Translate([]int{0, 1, 2}, b)
		return errors.Join(err,
			same("incl", ranksIn(w, a), []int{4, 0, 2}),
			same("excl", ranksIn(w, c), []int{0, 2, 4, 5}),
			same("union", ranksIn(w, a.Union(b)), []int{4, 0, 2, 5}),
			same("intersection", ranksIn(w, a.Intersection(b)), []int{4, 2}),
			same("difference", ranksIn(w, a.Difference(b)), []int{0}),
			same("translation", back, []int{2, mpi.Undefined, 1}),
			want("empty", empty.Size(), 0), want("union with nothing", empty.Union(a).Size(), 3))
	})
}

// TestSplit: ranks are ordered by key, then by old rank; Undefined gets nothing.
func TestSplit(t *testing.T) {
	runs(t, 7, func(w *mpi.Comm) error {
		r := w.Rank()
		c, err := w.Split(r%2, -(r / 4))
		if err != nil {
			return err
		}
		order := map[int][]int{0: {4, 6, 0, 2}, 1: {5, 1, 3}}[r%2]
		if err := errors.Join(want("size", c.Size(), len(order)), want("member", order[c.Rank()], r)); err != nil {
			return err
		}
		all := make([]int, c.Size())
		if err := mpi.Allgather(c, []int{r}, all); err != nil {
			return err
		}
		if err := same("members", all, order); err != nil {
			return err
		}
		color := mpi.Undefined
		if r == 3 {
			color = 7
		}
		alone, err := w.Split(color, 0)
		if err != nil || (alone != nil) != (r == 3) {
			return fmt.Errorf("split with Undefined: %v, %w", alone, err)
		}
		if alone != nil {
			return errors.Join(want("size", alone.Size(), 1), mpi.Barrier(alone), c.Free())
		}
		return c.Free()
	})
}

// TestCreate makes a communicator of a group; processes outside get nil, groups from outside are refused.
func TestCreate(t *testing.T) {
	runs(t, 5, func(w *mpi.Comm) error {
		g, err := w.Group().Incl(3, 1, 4)
		if err != nil {
			return err
		}
		c, err := w.Create(g)
		if err != nil {
			return err
		}
		if inside := w.Rank() == 1 || w.Rank() >= 3; inside != (c != nil) {
			return fmt.Errorf("rank %d got %v", w.Rank(), c)
		}
		if c == nil {
			return nil
		}
		if err := want("member", []int{3, 1, 4}[c.Rank()], w.Rank()); err != nil {
			return err
		}
		if _, err := c.Create(w.Group()); !errors.Is(err, mpi.ErrGroup) {
			return fmt.Errorf("a group from outside: %v", err)
		}
		sum := []int{0}
		return errors.Join(mpi.Allreduce(c, []int{w.Rank()}, sum, mpi.Sum), want("sum", sum[0], 8), c.Free())
	})
}

// TestIsolation: messages of different communicators with the same ranks and tags never meet, nor do
// collectives and point-to-point messages of one communicator.
func TestIsolation(t *testing.T) {
	runs(t, 3, func(w *mpi.Comm) error {
		comms := []*mpi.Comm{w}
		for range 4 {
			d, err := comms[len(comms)-1].Dup()
			if err != nil {
				return err
			}
			comms = append(comms, d)
		}
		right, left := (w.Rank()+1)%3, (w.Rank()+2)%3
		var sends []mpi.Request
		for i, c := range comms {
			sends = append(sends, mpi.Isend(c, numbers(10, i), right, 0))
		}
		for i := len(comms) - 1; i >= 0; i-- { // in reverse: each must get its own
			if err := mpi.Barrier(comms[i]); err != nil {
				return err
			}
			buf := make([]int64, 10)
			if _, err := mpi.Recv(comms[i], buf, mpi.AnySource, mpi.AnyTag); err != nil {
				return err
			}
			if err := same(fmt.Sprintf("from %d on communicator %d", left, i), buf, numbers(10, i)); err != nil {
				return err
			}
		}
		err := mpi.Waitall(sends)
		for _, c := range comms[1:] {
			err = errors.Join(err, c.Free())
		}
		return err
	})
}

// TestManyCommunicators: numbers come back, so that making and freeing communicators never ends.
func TestManyCommunicators(t *testing.T) {
	rounds := 40_000 // more than a process can lead at a time
	if testing.Short() {
		rounds = 1_000
	}
	runs(t, 1, func(w *mpi.Comm) error {
		for i := range rounds {
			c, err := w.Dup()
			if err != nil {
				return fmt.Errorf("after %d: %w", i, err)
			}
			if err := c.Free(); err != nil {
				return err
			}
		}
		var kept []*mpi.Comm
		for {
			c, err := w.Dup()
			if errors.Is(err, mpi.ErrLimit) {
				break
			}
			if err != nil {
				return err
			}
			kept = append(kept, c)
		}
		if len(kept) < 10_000 {
			return fmt.Errorf("only %d communicators at a time", len(kept))
		}
		return kept[0].Free()
	})
}
