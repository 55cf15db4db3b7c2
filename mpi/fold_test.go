package mpi_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weft-mpi/weft/mpi"
)

// concat puts two decimal numbers one behind the other: associative, and not commutative.
func concat(a, b int64) int64 {
	shift := int64(10)
	for ; shift <= b; shift *= 10 {
		continue
	}
	return a*shift + b
}

// TestCallInOp: a reduction may call the library, since nothing is locked while it runs.
func TestCallInOp(t *testing.T) {
	for _, mode := range []string{"auto", "poll", "wake"} {
		t.Setenv("WEFT_PROGRESS", mode)
		for name, inner := range map[string]func(w *mpi.Comm) error{
			"iprobe":  func(w *mpi.Comm) error { _, _, err := mpi.Iprobe(w, mpi.AnySource, 77); return err },
			"barrier": func(w *mpi.Comm) error { return mpi.Barrier(w.Self()) },
			"message": func(w *mpi.Comm) error {
				r := mpi.Irecv(w.Self(), []int{0}, 0, 5)
				return errors.Join(mpi.Send(w.Self(), []int{1}, 0, 5), mpi.Waitall([]mpi.Request{r}))
			},
			"another reduction": func(w *mpi.Comm) error {
				return mpi.Allreduce(w.Self(), []int{1}, []int{0}, mpi.NewOp(true, func(a, b int) int { return a + b }))
			},
		} {
			for call, reduce := range reducing {
				err := mpi.Run(3, func(w *mpi.Comm) error {
					var failed atomic.Value
					var calls atomic.Int64
					err := reduce(w, mpi.NewOp(true, func(a, b int) int {
						if calls.Add(1)%5000 == 1 {
							if err := inner(w); err != nil {
								failed.Store(err)
							}
						}
						return a + b
					}))
					if why, is := failed.Load().(error); is {
						return why
					}
					return err
				})
				if err != nil {
					t.Errorf("%s in %s, %s: %v", name, call, mode, err)
				}
			}
		}
	}
}

// TestOwnOpKeepsOrder: a reduction of the program's that is not commutative is applied in the order of ranks,
// though its steps end when they like.
func TestOwnOpKeepsOrder(t *testing.T) {
	op := mpi.NewOp(false, concat)
	for _, env := range [][2]string{{"WEFT_CHECK", "off"}, {"WEFT_LINKS", "rail"}, {"WEFT_PROGRESS", "poll"}} {
		t.Setenv(env[0], env[1])
		for _, n := range []int{1, 2, 3, 6} {
			runs(t, n, func(w *mpi.Comm) error {
				for _, k := range []int{1, 3, 4000} {
					in, out, part := make([]int64, k), make([]int64, k), make([]int64, k)
					for i := range in {
						in[i] = int64(w.Rank() + 1)
					}
					if err := errors.Join(mpi.Allreduce(w, in, out, op), mpi.Scan(w, in, part, op)); err != nil {
						return err
					}
					all, mine := int64(1), int64(1)
					for r := 2; r <= w.Size(); r++ {
						if all = concat(all, int64(r)); r == w.Rank()+1 {
							mine = all
						}
					}
					for i := range out {
						if out[i] != all || part[i] != mine {
							return fmt.Errorf("element %d of %d is %d, want %d; of the scan %d, want %d", i, k, out[i], all, part[i], mine)
						}
					}
				}
				return nil
			})
		}
	}
}

// TestOpHoldsNobodyUp: while a reduction of a rank's runs, the rank's other goroutines send and receive.
func TestOpHoldsNobodyUp(t *testing.T) {
	for _, mode := range []string{"auto", "poll", "wake"} {
		t.Setenv("WEFT_PROGRESS", mode)
		err := mpi.Run(2, func(w *mpi.Comm) error {
			begun, end := make(chan int), make(chan int)
			op := mpi.NewOp(true, func(a, b int) int { close(begun); <-end; return a + b })
			if w.Rank() == 1 {
				return errors.Join(mpi.Reduce(w, []int{2}, nil, op, 0), echo(w, 0, 50))
			}
			sum, told := []int{0}, make(chan error)
			go func() {
				<-begun
				err := ask(w, 1, 50)
				close(end)
				told <- err
			}()
			if err := errors.Join(mpi.Reduce(w, []int{1}, sum, op, 0), <-told); err != nil {
				return err
			}
			return want("sum", sum[0], 3)
		})
		if err != nil {
			t.Errorf("%s: %v", mode, err)
		}
	}
}

// ask sends n messages and waits for the answer of each, echo answers them.
func ask(w *mpi.Comm, to, n int) error {
	for i := range n {
		in := []int{0}
		if _, err := mpi.Sendrecv(w, []int{i}, to, 1, in, to, 2); err != nil || in[0] != i {
			return fmt.Errorf("answer %d is %d: %v", i, in[0], err)
		}
	}
	return nil
}

func echo(w *mpi.Comm, to, n int) error {
	for range n {
		in := []int{0}
		if _, err := mpi.Recv(w, in, to, 1); err != nil {
			return err
		}
		if err := mpi.Send(w, in, to, 2); err != nil {
			return err
		}
	}
	return nil
}

// TestOpWhileNobodyCalls: the library runs a reduction though the rank computes, and the peers get on.
func TestOpWhileNobodyCalls(t *testing.T) {
	t.Setenv("WEFT_PROGRESS", "wake")
	runs(t, 3, func(w *mpi.Comm) error {
		called := make(chan int, 10)
		op := mpi.NewOp(true, func(a, b int) int { called <- 1; return a + b })
		out := []int{0}
		if w.Rank() != 0 {
			return mpi.Reduce(w, []int{1}, nil, op, 0)
		}
		r := mpi.Ireduce(w, []int{1}, out, op, 0)
		for range 2 {
			select {
			case <-called:
			case <-time.After(20 * time.Second):
				return errors.New("nobody runs the reduction")
			}
		}
		_, err := r.Wait()
		return errors.Join(err, want("sum", out[0], 3))
	})
}

// TestOpInLoopOfTest: a program that only looks runs its reductions by that.
func TestOpInLoopOfTest(t *testing.T) {
	t.Setenv("WEFT_PROGRESS", "poll")
	runs(t, 4, func(w *mpi.Comm) error {
		out := make([]int64, 2000)
		r := mpi.Iallreduce(w, numbers(2000, w.Rank()), out, mpi.NewOp(true, plus))
		for {
			if _, done, err := r.Test(); done || err != nil {
				return errors.Join(err, same("sum", out, reduced(2000, 0, 4, plus)))
			}
		}
	})
}

// TestManyOps: several goroutines of each rank reduce at once, each on a communicator of its own.
func TestManyOps(t *testing.T) {
	runs(t, 3, func(w *mpi.Comm) error {
		const goroutines = 4
		errs := make(chan error, goroutines)
		for range goroutines {
			d, err := w.Dup()
			if err != nil {
				return err
			}
			go func() {
				for i := range 30 {
					out := make([]int64, 100*i)
					if err := mpi.Allreduce(d, numbers(100*i, w.Rank()), out, mpi.NewOp(true, plus)); err != nil {
						errs <- err
						return
					}
					if err := same("sum", out, reduced(100*i, 0, 3, plus)); err != nil {
						errs <- err
						return
					}
				}
				errs <- d.Free()
			}()
		}
		var all error
		for range goroutines {
			all = errors.Join(all, <-errs)
		}
		return all
	})
}
