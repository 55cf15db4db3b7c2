package mpi_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// TestThousandRanks: a process holds a thousand ranks in modest memory, whatever links them. That is memory
// which is there: links of hosts have addresses for many receives, and most of them are never written to.
// Links within the process have no such excuse, and are held to what the system gave them, too.
func TestThousandRanks(t *testing.T) {
	n := 1000
	if testing.Short() || underRace {
		n = 100
	}
	before := resident()
	var sys runtime.MemStats
	runtime.ReadMemStats(&sys)
	most, mostSys := 0, uint64(0)
	runs(t, n, func(w *mpi.Comm) error {
		sum := []int{0, 0}
		for range 3 {
			if err := errors.Join(mpi.Barrier(w), mpi.Allreduce(w, []int{w.Rank(), 1}, sum, mpi.Sum)); err != nil {
				return err
			}
		}
		if w.Rank() == 0 {
			most = resident() - before // other tests of this process may have taken more
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			mostSys = m.Sys - sys.Sys
		}
		return errors.Join(want("sum", sum[0], n*(n-1)/2), want("ranks", sum[1], n), mpi.Barrier(w))
	})
	if most > 1<<30 {
		t.Errorf("%d ranks took %d MB", n, most>>20)
	}
	if mostSys > 1<<30 && os.Getenv("WEFT_LINKS") == "" {
		t.Errorf("%d ranks took %d MB from the system", n, mostSys>>20)
	}
	t.Logf("%d ranks: %d MB of memory, %d MB from the system", n, most>>20, mostSys>>20)
}

// TestMillionUnexpected: messages pile up before their receives, which take them in another order.
func TestMillionUnexpected(t *testing.T) {
	messages, tags := 1_000_000, 1000
	if testing.Short() || underRace {
		messages = 50_000
	}
	runs(t, 2, func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			for i := range messages {
				if err := mpi.Send(w, []int{i}, 1, i%tags); err != nil {
					return err
				}
			}
			return mpi.Barrier(w)
		}
		if err := mpi.Barrier(w); err != nil {
			return err
		}
		buf := []int{0}
		for i := range tags * 10 { // wildcards take the oldest
			if _, err := mpi.Recv(w, buf, mpi.AnySource, mpi.AnyTag); err != nil || buf[0] != i {
				return fmt.Errorf("any: got %d, want %d: %w", buf[0], i, err)
			}
		}
		for tag := tags - 1; tag >= 0; tag-- {
			for i := tag + tags*10; i < messages; i += tags {
				if _, err := mpi.Recv(w, buf, 0, tag); err != nil || buf[0] != i {
					return fmt.Errorf("tag %d: got %d, want %d: %w", tag, buf[0], i, err)
				}
			}
		}
		return nil
	})
}

// TestManyGoroutines: goroutines of every rank send, receive, test, probe and reduce at the same time.
func TestManyGoroutines(t *testing.T) { runs(t, 3, manyGoroutines) }

func manyGoroutines(w *mpi.Comm) error {
	const goroutines, rounds = 6, 40
	comms := make([]*mpi.Comm, goroutines)
	for g := range comms {
		var err error
		if comms[g], err = w.Dup(); err != nil {
			return err
		}
	}
	errs := make([]error, goroutines)
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			for i := range rounds {
				if errs[g] = busyRound(w, comms[g], g, i); errs[g] != nil {
					errs[g] = fmt.Errorf("goroutine %d, round %d: %w", g, i, errs[g])
					return
				}
			}
		})
	}
	wg.Wait()
	err := errors.Join(errs...)
	for _, c := range comms {
		err = errors.Join(err, c.Free())
	}
	return err
}

// busyRound is one goroutine's share: messages with its own tag on the shared communicator, a reduction on its
// own one.
func busyRound(shared, own *mpi.Comm, g, i int) error {
	right, left := (shared.Rank()+1)%shared.Size(), (shared.Rank()-1+shared.Size())%shared.Size()
	n := []int{1, 500, 5000}[(g+i)%3]
	in := make([]int64, n)
	r := mpi.Irecv(shared, in, left, g)
	s := mpi.Isend(shared, numbers(n, shared.Rank()+i), right, g)
	for done := false; !done && i%2 == 0; {
		var err error
		if _, done, err = s.Test(); err != nil {
			return err
		}
	}
	if i%2 == 1 {
		if _, err := s.Wait(); err != nil {
			return err
		}
	}
	sum := []int{0}
	if err := mpi.Allreduce(own, []int{i}, sum, mpi.Sum); err != nil {
		return err
	}
	if _, _, err := mpi.Iprobe(own, mpi.AnySource, mpi.AnyTag); err != nil {
		return err
	}
	_, err := r.Wait()
	return errors.Join(err, want("sum", sum[0], i*own.Size()), same("received", in, numbers(n, left+i)))
}

// TestShortMessagesAllocateNothing: a blocking send and receive, between two ranks and to oneself.
func TestShortMessagesAllocateNothing(t *testing.T) {
	if underRace || onFakes {
		t.Skip("the race detector allocates, and so does a driver made of Go")
	}
	t.Setenv("WEFT_CHECK", "off") // else messages have labels
	const rounds = 500
	for _, n := range []int{0, 1, 12, 100} {
		runs(t, 2, func(w *mpi.Comm) error {
			buf := make([]int64, n)
			pingpong := func() {
				_ = mpi.Send(w, buf, 1-w.Rank(), 1)
				_, _ = mpi.Recv(w, buf, 1-w.Rank(), 1)
			}
			if w.Rank() == 1 {
				for range rounds + 201 {
					_, _ = mpi.Recv(w, buf, 0, 1)
					_ = mpi.Send(w, buf, 0, 1)
				}
				return nil
			}
			for range 200 {
				pingpong()
			}
			return want(fmt.Sprintf("allocations per round trip of %d elements", n), testing.AllocsPerRun(rounds, pingpong), 0)
		})
		runs(t, 1, func(w *mpi.Comm) error {
			buf := make([]int64, n)
			self := func() {
				_ = mpi.Send(w, buf, 0, 1)
				_, _ = mpi.Recv(w, buf, 0, 1)
			}
			for range 200 {
				self()
			}
			return want(fmt.Sprintf("allocations per message of %d elements to oneself", n), testing.AllocsPerRun(rounds, self), 0)
		})
		runs(t, 2, func(w *mpi.Comm) error {
			out, in := make([]int64, n), make([]int64, n)
			exchange := func() {
				_, _ = mpi.Sendrecv(w, out, 1-w.Rank(), 1, in, 1-w.Rank(), 1)
				_, _ = mpi.SendrecvReplace(w, in, 1-w.Rank(), 2, 1-w.Rank(), 2)
			}
			if w.Rank() == 1 {
				for range rounds + 201 {
					exchange()
				}
				return nil
			}
			for range 200 {
				exchange()
			}
			return want(fmt.Sprintf("allocations per exchange of %d elements", n), testing.AllocsPerRun(rounds, exchange), 0)
		})
	}
}
