package comm_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// onCrew runs f as n ranks of one process.
func onCrew(t *testing.T, n int, f func(c *comm.Comm) error) {
	t.Helper()
	crew, err := boot.NewCrew(n, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer crew.Close()
	for i, r := range crew.Ranks {
		crew.Go(i, func() {
			if err := f(r.Env.World()); err != nil {
				crew.Fail(err)
			}
		})
	}
	if err := errors.Join(crew.Wait(), crew.Cause()); err != nil {
		t.Error(err)
	}
}

// sums is an Allreduce of one number by a reduction of the program's.
func sums(foreign comm.Foreign, out []byte, number uint64, called func()) *comm.Call {
	return &comm.Call{Op: coll.Allreduce, Bytes: 8, Elem: 8, In: binary.LittleEndian.AppendUint64(nil, number), Out: out,
		Commutative: true, Reduction: "user", Fold: comm.Own, Foreign: foreign, Combine: func(dst, src []byte, _ bool) {
			called()
			binary.LittleEndian.PutUint64(dst, binary.LittleEndian.Uint64(dst)+binary.LittleEndian.Uint64(src))
		}}
}

// inCall tells whether the calling goroutine is one of a rank's program, not of the library's.
func inCall() bool {
	stack := make([]byte, 64<<10)
	return !strings.Contains(string(stack[:runtime.Stack(stack, false)]), "driveBackground")
}

// TestCallersReduce: a reduction that only goroutines inside a call may run waits for one, whoever makes
// progress meanwhile, and another one does not.
func TestCallersReduce(t *testing.T) {
	for _, mode := range []string{"auto", "wake", "poll"} {
		t.Setenv("WEFT_PROGRESS", mode)
		for _, links := range []string{"auto", "rail"} {
			t.Setenv("WEFT_LINKS", links)
			onCrew(t, 3, func(c *comm.Comm) error {
				var here, elsewhere atomic.Int32
				out := make([]byte, 8)
				r := c.Start(sums(comm.Callers, out, uint64(c.Rank()+1), func() {
					if inCall() {
						here.Add(1)
					} else {
						elsewhere.Add(1)
					}
				}))
				time.Sleep(20 * time.Millisecond) // everything else has happened by now
				_, _, err := r.One(true)
				if sum := binary.LittleEndian.Uint64(out); err != nil || sum != 6 || elsewhere.Load() != 0 {
					return fmt.Errorf("%s: sum %d, %d calls, %d outside: %w", mode, sum, here.Load(), elsewhere.Load(), err)
				}
				return c.Run(&comm.Call{Op: coll.Barrier})
			})
		}
	}
}

// TestCallersReduceInOtherCalls: whatever call a goroutine waits in, or looks, it runs what is there to run.
func TestCallersReduceInOtherCalls(t *testing.T) {
	for name, until := range map[string]func(c *comm.Comm, over *atomic.Bool) error{
		"recv": func(c *comm.Comm, _ *atomic.Bool) error { _, err := c.Recv(nil, c.Rank(), 9); return err },
		"iprobe": func(c *comm.Comm, over *atomic.Bool) error {
			for !over.Load() {
				if _, _, err := c.Iprobe(c.Rank(), 8); err != nil {
					return err
				}
			}
			_, err := c.Recv(nil, c.Rank(), 9)
			return err
		},
	} {
		onCrew(t, 4, func(c *comm.Comm) error {
			var over atomic.Bool
			out, told := make([]byte, 8), make(chan error)
			go func() { // it makes no call before the other has done all the work
				r := c.Start(sums(comm.Callers, out, 1, func() {}))
				for {
					if done, err := finished(r); done || err != nil {
						over.Store(true)
						told <- errors.Join(err, c.Send(nil, c.Rank(), 9, comm.Standard))
						return
					}
					time.Sleep(time.Millisecond)
				}
			}()
			err := errors.Join(until(c, &over), <-told)
			if sum := binary.LittleEndian.Uint64(out); err != nil || sum != 4 {
				return fmt.Errorf("%s: sum %d: %w", name, sum, err)
			}
			return nil
		})
	}
}

func finished(r comm.Request) (bool, error) {
	_, over, err := r.One(false)
	return over, err
}

// TestEndWhileReducing: a job that ends while a reduction runs, or waits to be run, ends its collective too.
func TestEndWhileReducing(t *testing.T) {
	crew, err := boot.NewCrew(2, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer crew.Close()
	why := errors.New("enough")
	begun, end := make(chan int), make(chan int)
	for i, r := range crew.Ranks {
		crew.Go(i, func() {
			c := r.Env.World()
			if i == 1 { // runs its reduction until the job has ended
				call := sums(comm.Callers, make([]byte, 8), 1, func() { close(begun); <-end })
				if err := c.Run(call); !errors.Is(err, comm.ErrAborted) {
					t.Errorf("rank 1 ended with %v", err)
				}
				return
			}
			req := c.Start(sums(comm.Callers, make([]byte, 8), 1, func() { t.Error("the reduction of rank 0 ran") }))
			<-begun
			crew.Fail(why)
			close(end)
			if _, _, err := req.One(true); !errors.Is(err, why) {
				t.Errorf("rank 0 ended with %v", err)
			}
		})
	}
	if err := errors.Join(crew.Wait(), crew.Cause()); !errors.Is(err, why) {
		t.Error(err)
	}
}
