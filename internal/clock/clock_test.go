package clock

import (
	"sync/atomic"
	"testing"
	"time"
)

// TestNow does not go back.
func TestNow(t *testing.T) {
	for last, i := Now(), 0; i < 1000; i++ {
		now := Now()
		if now < last {
			t.Fatalf("%d after %d", now, last)
		}
		last = now
	}
}

// TestPolicy: spin first, then yield, then sleep; and never spin where partners share our processor.
func TestPolicy(t *testing.T) {
	for _, p := range []Policy{PolicyFor(2, 8), PolicyFor(3, 2), PolicyFor(8, 2), Park, {Spins: 3}} {
		polls := 0
		for p.Pass(polls) {
			polls++
		}
		if polls != p.Spins+p.Yields {
			t.Errorf("%+v polls %d times", p, polls)
		}
	}
	if crowded, roomy := PolicyFor(3, 2), PolicyFor(2, 2); crowded.Spins >= roomy.Spins {
		t.Errorf("crowded ranks spin %d times, others %d", crowded.Spins, roomy.Spins)
	}
	if some, none := PolicyFor(3, 2), PolicyFor(4, 2); some.Yields <= none.Yields {
		t.Errorf("where a rank has a processor to itself it yields %d times, elsewhere %d", some.Yields, none.Yields)
	}
	// Beside programs that compute every yield costs a slice of theirs.
	if roomy := PolicyFor(2, 2); roomy.Yields != 0 || roomy.brief().Yields != 0 || roomy.Spins < 200 {
		t.Errorf("ranks with a processor each wait by %+v", roomy)
	}
	if CPUs() < 1 {
		t.Error("no processor")
	}
}

// TestBellLosesNoWake: a sleeper that arms, looks and sleeps sees everything that was published before a ring.
func TestBellLosesNoWake(t *testing.T) {
	rounds := int64(100_000)
	if testing.Short() {
		rounds = 10_000
	}
	var posted, taken atomic.Int64
	mine, theirs := NewBell(), NewBell()
	wait := func(b *Bell, ready func() bool) {
		for !ready() {
			b.Arm()
			if !ready() {
				b.Sleep(0)
			}
			b.Disarm()
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := int64(1); i <= rounds; i++ {
			wait(theirs, func() bool { return posted.Load() >= i })
			taken.Store(i)
			mine.Ring()
		}
	}()
	for i := int64(1); i <= rounds; i++ {
		posted.Store(i)
		theirs.Ring()
		wait(mine, func() bool { return taken.Load() >= i })
	}
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("a wake got lost")
	}
}

// TestBellStates: a ring counts only while the bell is armed; Forward always does; Disarm forgets.
func TestBellStates(t *testing.T) {
	rung := func(b *Bell) bool {
		select {
		case <-b.ring:
			return true
		default:
			return false
		}
	}
	b := NewBell()
	b.Ring()
	if rung(b) {
		t.Error("rang though nobody armed it")
	}
	b.Arm()
	b.Ring()
	b.Ring()
	if !rung(b) || rung(b) {
		t.Error("one arming is good for one ring")
	}
	b.Arm()
	b.Ring()
	b.Disarm()
	if rung(b) {
		t.Error("a disarmed bell remembers a ring")
	}
	b.Forward()
	b.Forward() // does not block
	if !rung(b) {
		t.Error("a forwarded ring got lost")
	}
	b.Sleep(1000) // ends by itself
}

// Sleeping with a limit takes no memory, however often: a loop that waits must not feed the collector.
func TestBellSleepsWithoutMemory(t *testing.T) {
	b := NewBell()
	if n := testing.AllocsPerRun(200, func() { b.Sleep(1000) }); n >= 1 {
		t.Errorf("%v allocations per sleep", n)
	}
	b.Arm()
	b.Ring()
	b.Sleep(int64(time.Hour)) // it is still heard
}
