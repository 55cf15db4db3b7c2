package progress

import (
	"sync/atomic"
	"testing"

	"github.com/weft-mpi/weft/internal/inproc"
)

// sleepless is a bell at which nobody sleeps: it calls instead.
type sleepless struct {
	Bell
	slept func()
}

func (b *sleepless) Sleep(int64) { b.slept() }

// Who serves peers sleeps at the doorbell until something happens, and drives.
func TestServeSleeps(t *testing.T) {
	box := inproc.NewExchange(0, 1).Box(0)
	bell := &sleepless{Bell: box.Bell()}
	l := New(Config{Links: []*Link{{Transport: box, Timed: urging{}}}, Bell: bell, Mode: Poll})
	defer l.Close()
	var slept atomic.Int32
	bell.slept = func() {
		l.lock()
		defer l.unlock()
		if l.driver == nil || !l.away {
			t.Error("sleeps, and nobody drives")
		}
		slept.Add(1)
	}
	l.Serve(func() bool { return slept.Load() == 3 })
	if l.driver != nil || l.away {
		t.Error("drives though it is over")
	}
	l.Settle(1e9) // nothing is on its way
	if n := slept.Load(); n != 3 {
		t.Errorf("slept %d times", n)
	}
}

// That it is over may be found while the bell is being armed: it is not asked for again, and nobody sleeps.
func TestServeAsksUntilItIsOver(t *testing.T) {
	box := inproc.NewExchange(0, 1).Box(0)
	bell := &sleepless{Bell: box.Bell(), slept: func() { t.Fatal("sleeps though it is over") }}
	l := New(Config{Links: []*Link{{Transport: box, Timed: urging{}}}, Bell: bell, Mode: Poll})
	defer l.Close()
	asked := 0
	l.Serve(func() bool { asked++; return asked == 2 }) // the second time is between Arm and Sleep
	if asked != 2 {
		t.Errorf("asked %d times", asked)
	}
}
