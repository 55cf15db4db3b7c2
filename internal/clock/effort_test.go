package clock

import (
	"fmt"
	"strings"
	"testing"
)

// TestEffort: a task is charged with the real time between its calls, as long as it is the one that runs, by the
// clock by which that is shorter, and at the speed of its processor.
func TestEffort(t *testing.T) {
	for _, c := range []struct{ speed float64 }{{1}, {2}, {.5}, {0}} {
		s := NewScheduler(0)
		m := NewMeter(s, c.speed)
		var real reading
		m.read = func() reading { return real }
		compute := func(passed, processor int64) { real.passed += passed; real.processor += processor }
		var spent [2]int64
		for i := range spent {
			s.Go(fmt.Sprint("rank ", i), func() {
				compute(1000, 1000) // before it begins
				e := m.Begin(func(nano int64) { spent[i] += nano; s.Charge(nano) })
				for range 10 {
					compute(int64(i+1)*100, 1e6) // others of the process were busy too
					compute(1e6, 0)              // somebody else had the processor
					e.Enter()
					e.Enter() // a call inside a call
					compute(5000, 5000)
					s.Sleep(10) // the other one computes meanwhile
					e.Leave()
					compute(5000, 5000)
					e.Leave()
				}
				compute(100, 100)
				s.Sleep(10) // not in a call: what others do in between is not its own
				compute(100, 100)
				if before, now := s.Now(), m.Now(); c.speed > 0 && now <= before {
					t.Errorf("speed %v: it has computed, but is still at %d", c.speed, now)
				}
			})
		}
		if err := s.Run(); err != nil {
			t.Fatal(err)
		}
		for i, got := range spent {
			// Each time the shorter clock counts: the sum of both parts.
			each := float64(min(int64(i+1)*100+1e6, 1e6))
			want := int64(0)
			if c.speed > 0 {
				want = int64((10*each + 200) / c.speed)
			}
			if got != want {
				t.Errorf("speed %v: rank %d was charged with %d ns, want %d", c.speed, i, got, want)
			}
		}
	}
}

// TestEffortOfAnother: a call by anybody but the task is refused.
func TestEffortOfAnother(t *testing.T) {
	s := NewScheduler(0)
	m := NewMeter(s, 0)
	var e *Effort
	s.Go("first", func() {
		e = m.Begin(func(int64) {})
		s.Sleep(100)
	})
	s.Go("second", func() {
		s.Sleep(10)
		e.Enter()
	})
	if err := s.Run(); err == nil || !strings.Contains(err.Error(), "another goroutine") {
		t.Error(err)
	}
}

// TestProcessorTime: the clocks of the host go on.
func TestProcessorTime(t *testing.T) {
	from := read()
	for to := from; to.passed == from.passed || to.processor == from.processor; to = read() {
		if to.passed < from.passed || to.processor < from.processor {
			t.Fatalf("%+v is before %+v", to, from)
		}
	}
}
