package mpi_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/mpi"
)

// call is one atomic operation on a register in a recorded history: when it began and ended, and what it did.
type atomicCall struct {
	begin, end int64
	apply      func(state int64) (next, result int64)
	result     int64
}

// linearizable searches for an order of the calls in which each takes effect between its begin and its end
// and gets the result that was recorded: any call that began before the earliest end of those left may be
// next (Wing and Gong). States that were tried with the same calls left are not tried again.
func linearizable(calls []atomicCall, initial int64) bool {
	if len(calls) > 64 {
		panic("too many calls for a set of bits")
	}
	type point struct {
		done  uint64
		state int64
	}
	tried := map[point]bool{}
	var search func(p point) bool
	search = func(p point) bool {
		if p.done == 1<<len(calls)-1 {
			return true
		}
		if tried[p] {
			return false
		}
		tried[p] = true
		first := int64(1) << 62
		for i, c := range calls {
			if p.done&(1<<i) == 0 {
				first = min(first, c.end)
			}
		}
		for i, c := range calls {
			if p.done&(1<<i) != 0 || c.begin > first {
				continue
			}
			if next, result := c.apply(p.state); result == c.result && search(point{p.done | 1<<i, next}) {
				return true
			}
		}
		return false
	}
	return search(point{0, initial})
}

func addTo(n int64) func(int64) (int64, int64) {
	return func(s int64) (int64, int64) { return s + n, s }
}

func swapFor(old, value int64) func(int64) (int64, int64) {
	return func(s int64) (int64, int64) {
		if s == old {
			return value, s
		}
		return s, s
	}
}

// TestLinearizable: the checker knows right histories from wrong ones.
func TestLinearizable(t *testing.T) {
	for name, c := range map[string]struct {
		calls []atomicCall
		want  bool
	}{
		"one after the other":     {[]atomicCall{{1, 2, addTo(1), 0}, {3, 4, addTo(1), 1}}, true},
		"a number drawn twice":    {[]atomicCall{{1, 4, addTo(1), 0}, {2, 3, addTo(1), 0}}, false},
		"drawn against the time":  {[]atomicCall{{1, 2, addTo(1), 1}, {3, 4, addTo(1), 0}}, false},
		"at the same time":        {[]atomicCall{{1, 4, addTo(1), 1}, {2, 3, addTo(1), 0}}, true},
		"two winners":             {[]atomicCall{{1, 4, swapFor(0, 7), 0}, {2, 5, swapFor(0, 8), 0}}, false},
		"a loser before":          {[]atomicCall{{1, 2, swapFor(5, 7), 0}, {3, 4, swapFor(0, 5), 0}}, true},
		"a value out of thin air": {[]atomicCall{{1, 2, swapFor(5, 7), 3}}, false},
		"nothing":                 {nil, true},
	} {
		if got := linearizable(c.calls, 0); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// recorder collects what ranks of one process did to a register, by one clock.
type recorder struct {
	clock atomic.Int64
	mu    sync.Mutex
	calls []atomicCall
}

func (r *recorder) do(apply func(int64) (int64, int64), f func() (int64, error)) error {
	begin := r.clock.Add(1)
	result, err := f()
	end := r.clock.Add(1)
	r.mu.Lock()
	r.calls = append(r.calls, atomicCall{begin, end, apply, result})
	r.mu.Unlock()
	return err
}

// history has ranks fetch, add, swap and read one number of rank 0's, each with two goroutines, and records it.
func history(c *mpi.Comm, w *mpi.Window, r *recorder, rounds int) error {
	if err := w.LockAll(); err != nil {
		return err
	}
	errs := make([]error, 2)
	var both sync.WaitGroup
	for g := range errs {
		both.Go(func() {
			for i := range rounds {
				n := int64(1 + (c.Rank()+i+g)%3)
				switch (i + c.Rank() + g) % 3 {
				case 0:
					errs[g] = r.do(addTo(n), func() (int64, error) { return mpi.FetchOp(w, n, 0, 0, mpi.Sum) })
				case 1:
					errs[g] = r.do(swapFor(n, 0), func() (int64, error) { return mpi.CompareSwap(w, n, 0, 0, 0) })
				case 2:
					errs[g] = r.do(addTo(0), func() (int64, error) { return mpi.FetchOp(w, int64(0), 0, 0, mpi.NoOp) })
				}
				if errs[g] != nil {
					return
				}
			}
		})
	}
	both.Wait()
	return errors.Join(errors.Join(errs...), w.UnlockAll())
}

// TestAtomicsAreLinearizable: what ranks get from one number fits one order of all calls, on every way that
// atomics take.
func TestAtomicsAreLinearizable(t *testing.T) {
	for _, way := range [][]string{{"WEFT_LINKS=auto"}, {"WEFT_LINKS=rail"}, {"WEFT_LINKS=rail", "WEFT_CHANNEL=ud"}, {"WEFT_LINKS=rail", "WEFT_CHANNEL=hybrid"}} {
		t.Run(strings.Join(way, " "), func(t *testing.T) {
			for _, setting := range way {
				name, value, _ := strings.Cut(setting, "=")
				t.Setenv(name, value)
			}
			for run := range 12 {
				var kinds [2]recorder // of the created and the allocated window
				err := mpi.Run(3, func(c *mpi.Comm) error {
					kind := 0
					return bothWindows(c, 1, func(w *mpi.Window, _ []int64) error {
						kind++
						return errors.Join(history(c, w, &kinds[kind-1], 6), mpi.Barrier(c))
					})
				})
				if err != nil {
					t.Fatal(err)
				}
				for i := range kinds {
					if r := &kinds[i]; len(r.calls) != 36 || !linearizable(r.calls, 0) {
						t.Fatalf("run %d: no order explains %v", run, r.calls)
					}
				}
			}
		})
	}
}

// remembered is a call of a process, so that others can judge it: times are those of the host.
type remembered struct {
	Begin, End, Add, Old, Result int64
}

func hostTime() int64 {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		panic(err)
	}
	return now.Nano()
}

// histories has processes fetch, add and swap one number of rank 0's; rank 0 looks for an order that
// explains what all of them got.
func histories(c *mpi.Comm) error {
	return bothWindows(c, 1, func(w *mpi.Window, mem []int64) error {
		for run := range 10 {
			mem[0] = 0
			if err := errors.Join(mpi.Barrier(c), w.LockAll()); err != nil {
				return err
			}
			mine := make([]remembered, 12)
			for i := range mine {
				r := &mine[i]
				*r = remembered{Begin: hostTime(), Old: -1, Add: int64(1 + (c.Rank()+i)%3)}
				var err error
				if i%3 == 1 {
					r.Old = r.Add
					r.Result, err = mpi.CompareSwap(w, r.Old, 0, 0, 0)
				} else {
					r.Result, err = mpi.FetchOp(w, r.Add, 0, 0, mpi.Sum)
				}
				if r.End = hostTime(); err != nil {
					return err
				}
			}
			var all []remembered
			if c.Rank() == 0 {
				all = make([]remembered, len(mine)*c.Size())
			}
			if err := errors.Join(w.UnlockAll(), mpi.Gather(c, mine, all, 0)); err != nil {
				return err
			}
			if err := explain(all); err != nil {
				return fmt.Errorf("run %d: %w", run, err)
			}
		}
		return nil
	})
}

// explain tells if no order explains calls of processes on a number that was 0.
func explain(all []remembered) error {
	var calls []atomicCall
	for _, r := range all {
		apply := addTo(r.Add)
		if r.Old >= 0 {
			apply = swapFor(r.Old, 0)
		}
		calls = append(calls, atomicCall{r.Begin, r.End, apply, r.Result})
	}
	if !linearizable(calls, 0) {
		return fmt.Errorf("no order explains %+v", all)
	}
	return nil
}

// TestAtomicsOfProcessesAreLinearizable: the same between processes: in shared memory, in packets of shared
// memory and of the network.
func TestAtomicsOfProcessesAreLinearizable(t *testing.T) {
	for _, vars := range [][]string{{"WEFT_CMA=on"}, {"WEFT_CMA=off"}, {"WEFT_LINKS=rail"}} {
		if code, text := job(t, 3, "histories", vars...); code != 0 {
			t.Errorf("%v: code %d: %s", vars, code, text)
		}
	}
}

// TestCounterInVirtualTime: numbers that ranks of simulated nodes draw are distinct, without gaps, and
// consistent with virtual time.
func TestCounterInVirtualTime(t *testing.T) {
	for _, nodes := range []int{1, 2} {
		type draw struct {
			begin, end float64
			n          int64
		}
		var all []draw
		j := &cluster{profile: "ib-sdr", nodes: nodes, ranks: 4}
		err := j.run(t, func(c *mpi.Comm) error {
			w, _, err := mpi.AllocateWindow[int64](c, 1)
			if err != nil {
				return err
			}
			if err := w.LockAll(); err != nil {
				return err
			}
			for range 25 {
				d := draw{begin: c.Wtime()}
				if d.n, err = mpi.FetchOp(w, int64(1), 3, 0, mpi.Sum); err != nil {
					return err
				}
				d.end = c.Wtime()
				all = append(all, d)
				j.compute(c, int64(100*(c.Rank()+1)))
			}
			return errors.Join(w.UnlockAll(), w.Free())
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(all, func(a, b draw) int { return int(a.n - b.n) })
		latest := 0.0
		for i, d := range all {
			if d.n != int64(i) {
				t.Fatalf("%d nodes: place %d has number %d", nodes, i, d.n)
			}
			if d.end < latest {
				t.Errorf("%d nodes: number %d was drawn before %v, when a lower one was asked for", nodes, d.n, latest)
			}
			latest = max(latest, d.begin)
		}
	}
}
