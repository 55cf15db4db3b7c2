package soft

import (
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/verbs"
)

// scene is a bell before which something happens just before it is armed, and just before its sleeper sleeps.
type scene struct {
	armed, rung  bool
	before, last func()
	lost         bool  // the sleeper slept though nobody would wake it
	limit        int64 // for how long
}

func (s *scene) Arm()    { s.before(); s.armed = true }
func (s *scene) Disarm() { s.armed, s.rung = false, false }
func (s *scene) Ring()   { s.rung = s.rung || s.armed }
func (*scene) Forward()  {}
func (s *scene) Sleep(limit int64) {
	s.last()
	s.lost, s.limit = !s.rung, limit
}

// A caller who leaves is heard by the device's goroutine whenever that is, also while it is about to let
// the caller drive: it would sleep on, and nobody would serve the device.
func TestLeavingIsHeard(t *testing.T) {
	for _, when := range []string{"before it is armed", "before it sleeps", "before it looks"} {
		d := new(Device)
		s := &scene{before: func() {}, last: func() {}}
		d.asleep = s
		d.attended.Store(true)
		slept := when == "before it sleeps"
		switch when {
		case "before it is armed":
			s.before = d.leave
		case "before it sleeps":
			s.last = d.leave
		default:
			d.leave()
		}
		if others := d.letOthersDrive(tick); others != slept || s.lost || s.armed {
			t.Errorf("a caller leaves %s: it lets others drive: %v; it sleeps on: %v; it leaves the bell armed: %v", when, others, s.lost, s.armed)
		}
	}
}

// While somebody is inside Wait the device's goroutine sleeps for as long as that takes, and whoever leaves wakes it.
func TestWaitersDrive(t *testing.T) {
	d := new(Device)
	for how, leave := range map[string]func(){"for good": d.leave, "to poll": d.leaveWait} {
		s := &scene{before: func() {}, last: leave}
		d.asleep = s
		d.waiters.Store(1)
		if !d.letOthersDrive(tick) || s.lost || s.limit != 0 {
			t.Errorf("a waiter that leaves %s does not count as somebody who drives (%d), or is not heard (%v)", how, s.limit, s.lost)
		}
	}
}

// Who sleeps in Wait is woken through the file, as somebody in another process would do it, every time; a
// write alone does not end the wait.
func TestWaitRung(t *testing.T) {
	var rung atomic.Bool
	c, err := open(t, Config{}).NewCQ(verbs.CQConfig{Depth: 8, Rung: rung.Load})
	if err != nil {
		t.Fatal(err)
	}
	write := func() {
		if _, err := unix.Write(c.Doorbell(), []byte{1, 0, 0, 0, 0, 0, 0, 0}); err != nil {
			t.Error(err)
		}
	}
	for range 1000 {
		rung.Store(false)
		done := make(chan bool)
		go func() { done <- c.Wait(-1) }()
		write()
		select {
		case <-done:
			t.Fatal("it returned though nobody said that there is something")
		default:
		}
		rung.Store(true)
		write()
		if <-done {
			t.Fatal("a completion came from nowhere")
		}
	}
}
