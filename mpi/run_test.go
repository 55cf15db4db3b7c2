package mpi_test

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// says fails the test unless err is of the class (if any) and says all the words.
func says(t *testing.T, err, class error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	if class != nil && !errors.Is(err, class) {
		t.Errorf("%v is not %v", err, class)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q does not say %q", err, w)
		}
	}
}

// stuck are calls that wait for a rank that never comes.
var stuck = map[string]func(w *mpi.Comm) error{
	"recv":    func(w *mpi.Comm) error { _, err := mpi.Recv(w, make([]int, 1), 0, 99); return err },
	"send":    func(w *mpi.Comm) error { return mpi.Send(w, make([]int, 1_000_000), 0, 99) },
	"ssend":   func(w *mpi.Comm) error { return mpi.Ssend(w, []int{1}, 0, 99) },
	"probe":   func(w *mpi.Comm) error { _, err := mpi.Probe(w, 0, 99); return err },
	"barrier": mpi.Barrier,
	"wait":    func(w *mpi.Comm) error { _, err := mpi.Irecv(w, make([]int, 1), 0, 99).Wait(); return err },
	"iallreduce": func(w *mpi.Comm) error {
		_, err := mpi.Iallreduce(w, []int{1}, []int{1}, mpi.Sum).Wait()
		return err
	},
}

// TestOneRanksErrorEndsTheOthers: the first error is the job's; everybody who waits gets ErrAborted.
func TestOneRanksErrorEndsTheOthers(t *testing.T) {
	cause := errors.New("out of luck")
	for name, call := range stuck {
		var aborted atomic.Int32
		err := mpi.Run(4, func(w *mpi.Comm) error {
			if w.Rank() == 0 {
				return cause
			}
			err := call(w)
			if errors.Is(err, mpi.ErrAborted) && strings.Contains(err.Error(), "rank 0: out of luck") {
				aborted.Add(1)
			}
			return err
		})
		says(t, err, cause, "rank 0: out of luck")
		if aborted.Load() != 3 {
			t.Errorf("%s: %d of 3 ranks were told", name, aborted.Load())
		}
	}
}

// TestPanicInRun becomes an error with the panic's words and its stack.
func TestPanicInRun(t *testing.T) {
	err := mpi.Run(3, func(w *mpi.Comm) error {
		if w.Rank() == 1 {
			panic("boom")
		}
		return mpi.Barrier(w)
	})
	says(t, err, nil, "rank 1", "panic: boom", "run_test.go")
}

// TestAbortInRun ends the job with the reason; the aborting rank's next call fails too.
func TestAbortInRun(t *testing.T) {
	err := mpi.Run(3, func(w *mpi.Comm) error {
		if w.Rank() == 2 {
			w.Abort(7, "it does not converge")
			if err := mpi.Barrier(w); !errors.Is(err, mpi.ErrAborted) {
				return fmt.Errorf("after Abort: %v", err)
			}
			return nil
		}
		return mpi.Barrier(w)
	})
	says(t, err, mpi.ErrAborted, "rank 2", "code 7", "it does not converge")
}

// TestUnreceived: messages that nobody received are an error, with where they came from.
func TestUnreceived(t *testing.T) {
	err := mpi.Run(2, func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			for i := range 7 {
				if err := mpi.Send(w, make([]byte, i), 1, i); err != nil {
					return err
				}
			}
		}
		return mpi.Barrier(w)
	})
	says(t, err, nil, "rank 1", "7 messages were never received", "from process 0 tag 3 (3 bytes)", "...")
}

func TestRunNobody(t *testing.T) {
	for _, n := range []int{0, -1} {
		says(t, mpi.Run(n, func(*mpi.Comm) error { return nil }), mpi.ErrCount, "ranks")
	}
}

// TestBadSettings: a tunable that cannot be understood is an error that names it.
func TestBadSettings(t *testing.T) {
	for name, value := range map[string]string{"WEFT_PROGRESS": "sometimes", "WEFT_STALL": "soon", "WEFT_COLL": "bcast: no/such"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			says(t, mpi.Run(1, func(*mpi.Comm) error { return nil }), nil, name)
		})
	}
}

// TestMismatch: ranks in different collectives are told which and where.
func TestMismatch(t *testing.T) {
	buf := func(n int) []int32 { return make([]int32, n) }
	for name, c := range map[string]struct {
		odd, others func(w *mpi.Comm) error
		words       []string
	}{
		"operation": {mpi.Barrier, func(w *mpi.Comm) error { return mpi.Bcast(w, buf(1), 0) }, []string{"calls barrier", "calls bcast"}},
		"root":      {func(w *mpi.Comm) error { return mpi.Bcast(w, buf(1), 1) }, func(w *mpi.Comm) error { return mpi.Bcast(w, buf(1), 0) }, []string{"root 1", "root 0"}},
		"count": {func(w *mpi.Comm) error { return mpi.Allreduce(w, buf(3), buf(3), mpi.Sum) },
			func(w *mpi.Comm) error { return mpi.Allreduce(w, buf(4), buf(4), mpi.Sum) }, []string{"12 bytes", "16 bytes"}},
		"type": {func(w *mpi.Comm) error { return mpi.Bcast(w, make([]float32, 2), 0) },
			func(w *mpi.Comm) error { return mpi.Bcast(w, buf(2), 0) }, []string{"float32", "int32"}},
		"reduction": {func(w *mpi.Comm) error { return mpi.Allreduce(w, buf(1), buf(1), mpi.Max) },
			func(w *mpi.Comm) error { return mpi.Allreduce(w, buf(1), buf(1), mpi.Sum) }, []string{"max", "sum"}},
		"non-blocking": {func(w *mpi.Comm) error { _, err := mpi.Iallgather(w, buf(1), buf(3)).Wait(); return err },
			func(w *mpi.Comm) error { _, err := mpi.Ibcast(w, buf(1), 0).Wait(); return err }, []string{"allgather", "bcast"}},
	} {
		err := mpi.Run(3, func(w *mpi.Comm) error {
			if err := mpi.Barrier(w); err != nil {
				return err
			}
			if w.Rank() == 1 {
				return c.odd(w)
			}
			return c.others(w)
		})
		says(t, err, mpi.ErrMismatch, append(c.words, "rank 1 calls", "run_test.go:")...)
		if strings.Count(err.Error(), "run_test.go:") < 2 {
			t.Errorf("%s: %v does not name both call sites", name, err)
		}
	}
}

// TestCheckOff: without the check the same call of all still works.
func TestCheckOff(t *testing.T) {
	t.Setenv("WEFT_CHECK", "off")
	runs(t, 4, func(w *mpi.Comm) error {
		sum := []int{0}
		return errors.Join(mpi.Allreduce(w, []int{w.Rank()}, sum, mpi.Sum), want("sum", sum[0], 6))
	})
}

// TestRunInsideRun: a rank may run a job of its own; nothing is shared.
func TestRunInsideRun(t *testing.T) {
	runs(t, 2, func(w *mpi.Comm) error {
		return mpi.Run(3, func(inner *mpi.Comm) error {
			sum := []int{0}
			return errors.Join(mpi.Allreduce(inner, []int{inner.Rank()}, sum, mpi.Sum), want("sum", sum[0], 3))
		})
	})
}

// TestAlloc gives zeroed memory of any pointer-free type that can be sent from and given back.
func TestAlloc(t *testing.T) {
	runs(t, 2, func(w *mpi.Comm) error {
		buf, err := mpi.Alloc[particle](w, 5000)
		if err != nil {
			return err
		}
		if err := same("memory", buf, make([]particle, 5000)); err != nil {
			return err
		}
		copy(buf, particles(5000, w.Rank()))
		if err := errors.Join(mpi.Bcast(w, buf, 1), same("memory", buf, particles(5000, 1)), mpi.Free(w, buf)); err != nil {
			return err
		}
		none, err := mpi.Alloc[int](w, 0)
		return errors.Join(err, want("elements", len(none), 0), mpi.Free(w, none))
	})
}
