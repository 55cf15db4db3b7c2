package progress

import (
	"testing"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/inproc"
)

// The background can begin after one waiter was woken to drive and before it does. If it serves that waiter, which then
// leaves, and comes to its own end, those who still sleep have nobody but the background to wake the next of them.
func TestBackgroundHandsOver(t *testing.T) {
	box := inproc.NewExchange(0, 1).Box(0)
	l := New(Config{Links: []*Link{{Transport: box}}, Bell: box.Bell()})
	defer l.Close()
	l.lock()
	defer l.mu.Unlock()
	sleeper := l.newWaiter()
	sleeper.parked = true
	l.parked = append(l.parked, sleeper)
	l.driveBackground() // nothing is in flight: it ends at once
	if sleeper.parked || len(sleeper.wake) != 1 || l.driver != nil {
		t.Error("the background left, and nobody was woken to drive")
	}
}

// urging is a link that somebody has to drive always.
type urging struct{}

func (urging) Due() int64   { return 0 }
func (urging) Urgent() bool { return true }
func (urging) Arm()         {}
func (urging) Idle() bool   { return true }
func (urging) Holds() bool  { return false }
func (urging) LetGo()       {}

// The background is woken for a message that is left in flight and for one that has gone, not for one whose
// sender waits for it: that sender drives.
func TestBackgroundIsNotWokenForWaiters(t *testing.T) {
	for _, c := range []struct {
		name        string
		bytes       int
		leave, woke bool
	}{{"waited for", 1 << 20, false, false}, {"left in flight", 1 << 20, true, true}, {"gone", 1, false, true}} {
		box := inproc.NewExchange(0, 2).Box(0)
		l := New(Config{Links: []*Link{{Transport: box, Timed: urging{}}}, Bell: box.Bell()})
		l.lock()
		r := l.startSend(make([]byte, c.bytes), Peer{Ctx: 8, Peer: 1}, engine.Standard)
		if c.leave {
			l.leave(r, Why{})
		}
		if l.bg.started != c.woke {
			t.Errorf("a message that is %s: woken %v", c.name, l.bg.started)
		}
		l.unlock()
		l.Close()
	}
}

// A look does not wait for a program that is in a call, unless somebody wants it.
func TestBackgroundDoesNotWaitForCalls(t *testing.T) {
	box := inproc.NewExchange(0, 1).Box(0)
	l := New(Config{Links: []*Link{{Transport: box}}, Bell: box.Bell()})
	defer l.Close()
	l.lock()
	if pause, met := l.glimpse(false); pause != tick || !met {
		t.Errorf("again in %d, met %v", pause, met)
	}
	looked := make(chan bool)
	go func() {
		_, met := l.glimpse(true)
		looked <- met
	}()
	l.unlock()
	if <-looked {
		t.Error("a look that is wanted was not made")
	}
}

// The background goes on while a program makes few calls, and leaves one that makes many.
func TestBackgroundLeavesBusyPrograms(t *testing.T) {
	box := inproc.NewExchange(0, 2).Box(0)
	l := New(Config{Links: []*Link{{Transport: box, Timed: urging{}}}, Bell: box.Bell(), Mode: Auto})
	defer l.Close()
	left := make(chan struct{})
	drives := make(chan struct{})
	go func() {
		l.lock()
		close(drives)
		l.driveBackground()
		l.unlock()
		close(left)
	}()
	<-drives
	call := func(n uint64) (driven bool) {
		l.lock()
		defer l.unlock()
		l.calls += n
		l.cfg.Bell.Ring()
		return l.driver == &l.bg.waiter
	}
	if !call(fewCalls) || !call(0) {
		t.Fatal("the background did not drive, or left for a few calls")
	}
	call(1)
	<-left
	l.lock()
	defer l.unlock()
	if l.driver != nil || !l.bg.busy {
		t.Errorf("driver %p, busy %v", l.driver, l.bg.busy)
	}
}
