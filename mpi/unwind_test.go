package mpi_test

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// unwinding are the ways in which code of the program's leaves a call without returning, and what
// the job's end then says.
var unwinding = map[string]struct {
	leave func()
	words []string
}{
	"panic":  {func() { panic("boom") }, []string{"panic: boom", "unwind_test.go"}},
	"goexit": {runtime.Goexit, []string{"runtime.Goexit"}},
}

// TestLeavingRank: a rank whose function does not return ends the others, whatever they wait in.
func TestLeavingRank(t *testing.T) {
	for way, u := range unwinding {
		for name, call := range stuck {
			var aborted atomic.Int32
			err := mpi.Run(4, func(w *mpi.Comm) error {
				if w.Rank() == 2 {
					u.leave()
				}
				wait := call
				if w.Rank() == 0 { // whom the others wait for
					wait = func(w *mpi.Comm) error { _, err := mpi.Recv(w, []int{0}, 2, 98); return err }
				}
				err := wait(w)
				if errors.Is(err, mpi.ErrAborted) {
					aborted.Add(1)
				}
				return err
			})
			says(t, err, nil, append(u.words, "rank 2")...)
			if aborted.Load() != 3 {
				t.Errorf("%s, %s: %d of 3 ranks were told", way, name, aborted.Load())
			}
		}
	}
}

// TestGoexitOfAll is an error too.
func TestGoexitOfAll(t *testing.T) {
	err := mpi.Run(3, func(*mpi.Comm) error { runtime.Goexit(); return nil })
	says(t, err, nil, "rank", "runtime.Goexit")
}

// reducing are calls in which op is called.
var reducing = map[string]func(w *mpi.Comm, op mpi.Op) error{
	"allreduce": func(w *mpi.Comm, op mpi.Op) error { return mpi.Allreduce(w, []int{1}, []int{0}, op) },
	"long allreduce": func(w *mpi.Comm, op mpi.Op) error {
		return mpi.Allreduce(w, make([]int, 100_000), make([]int, 100_000), op)
	},
	"reduce": func(w *mpi.Comm, op mpi.Op) error { return mpi.Reduce(w, []int{1}, []int{0}, op, 1) },
	"scan":   func(w *mpi.Comm, op mpi.Op) error { return mpi.Scan(w, []int{1}, []int{0}, op) },
	"reduce_scatter": func(w *mpi.Comm, op mpi.Op) error {
		return mpi.ReduceScatter(w, make([]int, w.Size()), []int{0}, op)
	},
	"iallreduce": func(w *mpi.Comm, op mpi.Op) error {
		_, err := mpi.Iallreduce(w, []int{1}, []int{0}, op).Wait()
		return err
	},
	"several": func(w *mpi.Comm, op mpi.Op) error {
		return mpi.Waitall([]mpi.Request{mpi.Ibarrier(w), mpi.Iallreduce(w, []int{1}, []int{0}, mpi.Sum), mpi.Iallreduce(w, []int{1}, []int{0}, op), mpi.Ibarrier(w)})
	},
}

// TestLeavingOp: a reduction of the program's that does not return ends its rank, and so the job,
// over memory and over a network, in all ranks that call it or in one.
func TestLeavingOp(t *testing.T) {
	for _, env := range [][]string{{"WEFT_CHECK", "on"}, {"WEFT_CHECK", "off"}, {"WEFT_LINKS", "rail"}} {
		t.Run(env[0]+"="+env[1], func(t *testing.T) {
			t.Setenv(env[0], env[1])
			for _, u := range unwinding {
				for name, call := range reducing {
					for _, all := range []bool{true, false} {
						var calls atomic.Int32
						op := mpi.NewOp(true, func(a, b int) int {
							if calls.Add(1) == 1 || all {
								u.leave()
							}
							return a + b
						})
						err := mpi.Run(4, func(w *mpi.Comm) error { return call(w, op) })
						says(t, err, nil, u.words...)
						if t.Failed() {
							t.Fatal(name, all)
						}
					}
				}
			}
		})
	}
}

// TestLeavingOpInBackground: it runs on a goroutine of the library's while the rank computes; the
// job ends all the same.
func TestLeavingOpInBackground(t *testing.T) {
	t.Setenv("WEFT_PROGRESS", "wake")
	for way, u := range unwinding {
		begun, called := make(chan int), make(chan int)
		op := mpi.NewOp(true, func(a, b int) int {
			close(called)
			u.leave()
			return 0
		})
		err := mpi.Run(2, func(w *mpi.Comm) error {
			if w.Rank() == 1 {
				<-begun
				return mpi.Reduce(w, []int{1}, nil, op, 0)
			}
			r := mpi.Ireduce(w, []int{1}, []int{0}, op, 0)
			close(begun)
			<-called
			_, err := r.Wait()
			if !errors.Is(err, mpi.ErrAborted) {
				return fmt.Errorf("%s: wait ended with %v", way, err)
			}
			return err
		})
		says(t, err, nil, append(u.words, "rank 0")...)
	}
}

// TestLeavingOpInAnother: it runs on a goroutine that waits for something else. Those who wait for
// the reduction are told.
func TestLeavingOpInAnother(t *testing.T) {
	t.Setenv("WEFT_PROGRESS", "poll")
	for _, u := range unwinding {
		begun, left := make(chan int), make(chan int)
		op := mpi.NewOp(true, func(a, b int) int { u.leave(); return 0 })
		err := mpi.Run(2, func(w *mpi.Comm) error {
			if w.Rank() == 1 {
				<-begun
				return mpi.Reduce(w, []int{1}, nil, op, 0)
			}
			r := mpi.Ireduce(w, []int{1}, []int{0}, op, 0)
			go func() {
				defer close(left)
				defer func() { _ = recover() }()
				_, _ = mpi.Recv(w, []int{0}, 1, 9)
			}()
			close(begun)
			<-left
			_, err := r.Wait()
			return err
		})
		says(t, err, mpi.ErrAborted, "rank 0", "reduction")
	}
}

// TestRecoveredOp: a rank that goes on after the panic is told so by its next call, or has failed at its end.
func TestRecoveredOp(t *testing.T) {
	for _, next := range []func(*mpi.Comm) error{mpi.Barrier, func(*mpi.Comm) error { return nil }} {
		err := mpi.Run(3, func(w *mpi.Comm) error {
			func() {
				defer func() { _ = recover() }()
				_ = mpi.Allreduce(w, []int{1}, []int{0}, mpi.NewOp(true, func(a, b int) int { panic("boom") }))
			}()
			return next(w)
		})
		says(t, err, mpi.ErrAborted, "panic: boom")
	}
}

// TestAbortInOp is the one call that a reduction may make.
func TestAbortInOp(t *testing.T) {
	for _, call := range reducing {
		err := mpi.Run(3, func(w *mpi.Comm) error {
			return call(w, mpi.NewOp(true, func(a, b int) int { w.Abort(3, "it overflows"); return 0 }))
		})
		says(t, err, mpi.ErrAborted, "code 3", "it overflows")
	}
}

// TestLeavingInVirtualTime: all the same for ranks on a simulated cluster.
func TestLeavingInVirtualTime(t *testing.T) {
	for _, u := range unwinding {
		j := cluster{profile: "connectx-ddr", nodes: 2, ranks: 4}
		err := j.run(t, func(w *mpi.Comm) error {
			if w.Rank() == 3 {
				u.leave()
			}
			return mpi.Barrier(w)
		})
		says(t, err, nil, append(u.words, "rank 3")...)
		for _, call := range reducing {
			j := cluster{profile: "connectx-ddr", nodes: 2, ranks: 4}
			err := j.run(t, func(w *mpi.Comm) error {
				return call(w, mpi.NewOp(true, func(a, b int) int { u.leave(); return 0 }))
			})
			says(t, err, nil, u.words...)
		}
	}
}
