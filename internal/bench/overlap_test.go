package bench

import (
	"errors"
	"math"
	"testing"
)

// machine is a host whose transfers have three parts: the call, the time that the network needs alone, and what the
// library does at the end. Its mood slows everything down.
type machine struct {
	call, alone, end float64
	mood             func(run int) float64
	jolt             int     // every so many runs the computation is disturbed
	pace             float64 // of computation, to what the calibration says; 0 is 1
	runs             int
}

func (m *machine) transfer(compute float64) (Times, error) {
	m.runs++
	mood := 1.0
	if m.mood != nil {
		mood = m.mood(m.runs)
	}
	if m.pace > 0 {
		compute *= m.pace
	}
	time := func(c float64) float64 { return mood * (m.call + math.Max(m.alone, c/mood) + m.end) }
	if m.jolt > 0 && m.runs%m.jolt == 0 {
		return Times{time(0), compute, 3 * time(compute)}, nil
	}
	return Times{time(0), compute, time(compute)}, nil
}

func TestFindOverlap(t *testing.T) {
	for _, tc := range []struct {
		name string
		m    machine
		want float64
	}{
		{"everything hides", machine{call: 0, alone: 100, end: 0}, 1},
		{"most hides", machine{call: 5, alone: 90, end: 5}, 0.90},
		{"half hides", machine{call: 10, alone: 50, end: 40}, 0.50},
		{"nothing hides", machine{call: 10, alone: 0, end: 90}, 0},
		{"a slow host", machine{call: 500, alone: 5000, end: 4500}, 0.50},
		{"a host that is disturbed now and then", machine{call: 10, alone: 80, end: 10, jolt: 5}, 0.80},
		{"computation that takes longer than asked for", machine{call: 10, alone: 80, end: 10, pace: 1.25}, 0.80},
		{"computation that takes less than asked for", machine{call: 10, alone: 80, end: 10, pace: 0.75}, 0.80},
		{"a host that slows down", machine{call: 10, alone: 80, end: 10, mood: func(run int) float64 { return 1 + 0.02*float64(run) }}, 0.80},
	} {
		got, alone, err := FindOverlap(tc.m.transfer)
		if err != nil || math.Abs(got-tc.want) > 0.011 || alone <= 0 {
			t.Errorf("%s: %.3f of %.0f us, %v; want %.2f", tc.name, got, alone, err, tc.want)
		}
	}
}

// The search stays below what the message may suffer, and ends even on a machine that hides everything.
func TestFindOverlapKeepsItsLimits(t *testing.T) {
	most := 0.0
	_, _, err := FindOverlap(func(compute float64) (Times, error) {
		most = math.Max(most, compute)
		return Times{Alone: 100, Total: 100}, nil
	})
	if err != nil || most > 150 {
		t.Errorf("computed %.0f us next to a message of 100 us, %v", most, err)
	}
	calls := 0
	part, _, err := FindOverlap(func(compute float64) (Times, error) {
		calls++
		return Times{100, compute, 100 + compute*1.2}, nil
	})
	if err != nil || part != 0 || calls > 12 {
		t.Errorf("a machine on which computing disturbs: %.2f after %d steps, %v", part, calls, err)
	}
	broken := errors.New("rank 1 is gone")
	for fail := range 3 {
		n := 0
		_, _, err := FindOverlap(func(float64) (Times, error) {
			if n++; n > fail {
				return Times{}, broken
			}
			return Times{Alone: 100, Total: 100}, nil
		})
		if !errors.Is(err, broken) {
			t.Errorf("failure at step %d came back as %v", fail+1, err)
		}
	}
	if part, _, err := FindOverlap(func(float64) (Times, error) { return Times{}, nil }); part != 0 || err != nil {
		t.Errorf("a transfer without time: %v, %v", part, err)
	}
}

func TestPostDelay(t *testing.T) {
	for _, tc := range []struct {
		times Times
		want  float64
	}{
		{Times{100, 200, 300}, 1},    // only started after the delay
		{Times{100, 200, 230}, 0.30}, // the rest of it
		{Times{100, 200, 105}, 0},    // arrived during the delay
		{Times{100, 200, 200}, 0},
		{Times{0, 200, 300}, 0},
	} {
		if got := PostDelay(tc.times); math.Abs(got-tc.want) > 1e-9 {
			t.Errorf("PostDelay(%v) = %v, want %v", tc.times, got, tc.want)
		}
	}
}

func TestExchangeWork(t *testing.T) {
	for _, tc := range []struct {
		communication float64
		share, want   int
	}{{100, 100, 100_000}, {100, 50, 200_000}, {100, 200, 50_000}, {100, 0, 0}, {1e12, 1, maxWork}} {
		if got := ExchangeWork(tc.communication, tc.share); got != tc.want {
			t.Errorf("%v us at %d %%: %d ns, want %d", tc.communication, tc.share, got, tc.want)
		}
	}
}
