package progress_test

import (
	"runtime"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/shm"
	"github.com/weft-mpi/weft/internal/wire"
)

// watchedLink counts how often it is asked, and since when it has delivered nothing.
type watchedLink struct {
	progress.Transport
	asked, delivered atomic.Int64
}

func (l *watchedLink) Ready() bool { l.asked.Add(1); return l.Transport.Ready() }

func (l *watchedLink) Poll(s wire.Sink) bool {
	moved := l.Transport.Poll(s)
	if moved {
		l.delivered.Store(l.asked.Load())
	}
	return moved
}

// Who drives and receives a message for another goroutine lets that one go on before it polls on: they may
// have but one processor. A round in which the system took that away meanwhile says nothing.
func TestDriverGivesWay(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for range 100 {
		looks, disturbed := looksBeforeGivingWay(t)
		if disturbed {
			continue
		}
		if looks > 100 {
			t.Errorf("the driver looked %d times before it let the other goroutine go on", looks)
		}
		return
	}
	t.Error("the system took the processor away in every round")
}

// switches is how often the system has taken the processor away from this process.
func switches(t *testing.T) int64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return u.Nivcsw
}

// looksBeforeGivingWay is how often a driver looks for messages between the delivery of one for another goroutine
// and that one's going on, and whether the system disturbed that.
func looksBeforeGivingWay(t *testing.T) (looks int64, disturbed bool) {
	ends := shmEnds(t, 2, shm.Config{})
	link := &watchedLink{Transport: ends[0].link.Transport}
	ends[0].link.Transport = link
	loops := newLoops(t, ends, func(c *progress.Config) { c.Mode, c.Policy = progress.Poll, clock.Policy{Spins: 1 << 62} })
	receive := func(tag int) chan int64 {
		looks := make(chan int64, 1)
		go func() {
			if _, err := loops[0].Recv(t.Context(), make([]byte, 1), at(1, tag), why("recv")); err != nil {
				t.Error(err)
			}
			looks <- link.asked.Load() - link.delivered.Load()
		}()
		for len(loops[0].Waiting()) < tag {
			runtime.Gosched()
		}
		return looks
	}
	driver, other := receive(1), receive(2)
	before := switches(t)
	if err := send(loops[1], []byte{2}, 0, 2); err != nil {
		t.Fatal(err)
	}
	looks = <-other
	disturbed = switches(t) != before
	if err := send(loops[1], []byte{1}, 0, 1); err != nil {
		t.Fatal(err)
	}
	<-driver
	return looks, disturbed
}
