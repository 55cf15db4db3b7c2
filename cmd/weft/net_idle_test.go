package main

import (
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/cluster"
	"github.com/weft-mpi/weft/mpi"
)

// A rank that waits sleeps until something happens, whatever it waits in, on one host and between hosts.
func TestNetIdle(t *testing.T) {
	f := newBox(t, cluster.Config{Hosts: 2})
	f.job(t, "--host h0,h1:2", "idle", "500").good(t) // a rank alone, and one with the rank that it waits for
}

// A rank polls before it sleeps, and the background and the runtime look some times before they rest:
// idleEntry is for them. Then what is used is bounded until idleLeave before the last rank comes: what a
// call does after that takes as many turns as a busy machine makes of it. Ticks of half a millisecond would
// be some 400 wake-ups in between.
const (
	idleEntry = 250 * time.Millisecond
	idleLeave = 50 * time.Millisecond
	idleWakes = 100
	idleTime  = 20 * time.Millisecond
	idleTries = 4
)

// netIdle MILLISECONDS: the last rank comes so much later than the others to one call after the other, and
// these are to do nothing meanwhile. On a machine that has much else to do entering a call can take until
// the look begins: only who wakes up in idleTries tries of a call is not idle in it.
func netIdle(world *mpi.Comm, words []string) error {
	late, err := strconv.Atoi(words[0])
	if err != nil {
		return err
	}
	if err := mpi.Barrier(world); err != nil {
		return err
	}
	for _, w := range idleWaits {
		restless := []int{1} // how many ranks are
		for try := 1; restless[0] > 0; try++ {
			used, err := wait(world, w.call, time.Duration(late)*time.Millisecond)
			if err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
			restless[0] = 0
			if world.Rank() != world.Size()-1 && (used.wakes > idleWakes || used.time > idleTime) {
				restless[0] = 1
			}
			if restless[0] > 0 && try == idleTries {
				return fmt.Errorf("%s: rank %d woke up %d times and computed for %v while it waited for %d ms",
					w.name, world.Rank(), used.wakes, used.time, late)
			}
			if err := mpi.Allreduce(world, nil, restless, mpi.Sum); err != nil {
				return err
			}
		}
	}
	return nil
}

// wait has everybody call, the last rank so much later than the others, and tells what was used meanwhile.
func wait(world *mpi.Comm, call func(*mpi.Comm, int) error, late time.Duration) (used outlay, err error) {
	last := world.Size() - 1
	if world.Rank() == last {
		time.Sleep(late)
	}
	var before, after atomic.Pointer[outlay]
	entered := time.AfterFunc(idleEntry, func() { before.Store(spent()) })
	leaves := time.AfterFunc(late-idleLeave, func() { after.Store(spent()) })
	err = call(world, last)
	entered.Stop()
	leaves.Stop()
	if before, after := before.Load(), after.Load(); before != nil && after != nil {
		used = after.minus(before)
	}
	return used, err
}

// outlay is what a process has used.
type outlay struct {
	time  time.Duration
	wakes int64 // how often one of its threads has slept
}

func spent() *outlay {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r) // cannot fail
	return &outlay{time.Duration(r.Utime.Nano() + r.Stime.Nano()), int64(r.Nvcsw)}
}

func (u *outlay) minus(v *outlay) outlay { return outlay{u.time - v.time, u.wakes - v.wakes} }

// idleWaits are calls in which everybody waits for the last rank.
var idleWaits = []struct {
	name string
	call func(world *mpi.Comm, last int) error
}{
	{"Recv", fromLast(func(world *mpi.Comm, b []byte, last int) error {
		_, err := mpi.Recv(world, b, last, 0)
		return err
	})},
	{"Probe", fromLast(func(world *mpi.Comm, b []byte, last int) error {
		_, err := mpi.Probe(world, last, 0)
		_, err2 := mpi.Recv(world, b, last, 0)
		return errors.Join(err, err2)
	})},
	{"Waitany", fromLast(func(world *mpi.Comm, b []byte, last int) error {
		_, _, err := mpi.Waitany([]mpi.Request{mpi.Irecv(world, b, last, 0)})
		return err
	})},
	{"Barrier", func(world *mpi.Comm, last int) error { return mpi.Barrier(world) }},
	{"Bcast", func(world *mpi.Comm, last int) error { return mpi.Bcast(world, make([]byte, 8), last) }},
	{"Allreduce", func(world *mpi.Comm, last int) error {
		return mpi.Allreduce(world, make([]int, 1), make([]int, 1), mpi.Sum)
	}},
	{"Alltoall", func(world *mpi.Comm, last int) error {
		return mpi.Alltoall(world, make([]int, world.Size()), make([]int, world.Size()))
	}},
	{"Ibarrier and Wait", func(world *mpi.Comm, last int) error {
		_, err := mpi.Ibarrier(world).Wait()
		return err
	}},
	{"Fence", func(world *mpi.Comm, last int) error {
		w, _, err := mpi.AllocateWindow[byte](world, 8)
		if err != nil {
			return err
		}
		return errors.Join(w.Fence(), w.Free())
	}},
}

// fromLast has the last rank send a message to all others, which receive it.
func fromLast(receive func(world *mpi.Comm, b []byte, last int) error) func(*mpi.Comm, int) error {
	return func(world *mpi.Comm, last int) (err error) {
		b := make([]byte, 8)
		if world.Rank() != last {
			return receive(world, b, last)
		}
		for to := range last {
			err = errors.Join(err, mpi.Send(world, b, to, 0))
		}
		return err
	}
}
