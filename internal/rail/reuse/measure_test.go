package reuse

import (
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// TestCostsToThresholds: the table is the smallest n with n > R / (C - V), at each kilobyte.
func TestCostsToThresholds(t *testing.T) {
	costs := Costs{Search: 100, Points: []Point{{512, 10_000, 100}, {4096, 12_000, 500}, {8192, 12_000, 900}}}
	got := costs.Thresholds()
	for _, c := range []struct {
		bytes int
		want  uint32
	}{{600, 0}, {4096, 31}, {6144, 21}, {8192, 16}, {12288, 11}} { // 12000/400 is 30 and does not suffice
		for p := range got {
			if n := got[p][class(c.bytes)]; n != c.want {
				t.Errorf("%d bytes, path %d: %d, want %d", c.bytes, p, n, c.want)
			}
		}
	}
	if n := (Costs{Points: []Point{{512, 100, 30}}}).Thresholds()[Fast][7]; n != 4 {
		t.Errorf("one point: %d", n)
	}
}

// TestLeast: n pays and n-1 does not.
func TestLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cost, gain := float64(rapid.IntRange(0, 1e6).Draw(t, "cost")), float64(rapid.IntRange(-10, 1000).Draw(t, "gain"))
		switch n := float64(least(cost, gain)); {
		case gain <= 0 && n != 0:
			t.Fatalf("nothing is gained, and yet %v", n)
		case gain > 0 && (n*gain <= cost || (n-1)*gain > cost):
			t.Fatalf("%v uses that gain %v each, for %v", n, gain, cost)
		}
	})
}

// TestMeasure runs on a clock that the measured work moves.
func TestMeasure(t *testing.T) {
	now := int64(0)
	clock := func() int64 { now += 40; return now } // a look at the clock takes time too
	costs, err := Measure(Meter{Now: clock,
		Register: func(b []byte) error { now += 2000 + int64(len(b))/4; return nil },
		Search:   func([]byte) { now += 50 }})
	if err != nil {
		t.Fatal(err)
	}
	near := func(got, want float64) bool { return got >= want && got < want+40 }
	if now > 2_000_000 || !near(costs.Search, 50) || !near(costs.Points[0].Register, 2128) || !near(costs.Points[4].Register, 2000+8192) {
		t.Errorf("after %d ns: %+v", now, costs)
	}
	broken := errors.New("broken")
	if _, err := Measure(Meter{Now: clock, Register: func([]byte) error { return broken }}); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// TestMeasureKnown: what the first search costs, because it registers, is no part of what searching costs.
func TestMeasureKnown(t *testing.T) {
	now, known := int64(0), 0
	costs, err := Measure(Meter{Now: func() int64 { return now }, Register: func([]byte) error { now += 50_000; return nil },
		Search: func(b []byte) {
			now += 4
			if known < len(b) {
				known, now = len(b), now+50_000
			}
		}})
	if err != nil || costs.Search != 4 {
		t.Errorf("searching takes %v ns, want 4; %v", costs.Search, err)
	}
}

// TestMeasureSlow: where registering takes long, it is not done often.
func TestMeasureSlow(t *testing.T) {
	now, calls := int64(0), 0
	_, err := Measure(Meter{Now: func() int64 { return now }, Register: func([]byte) error { now += 100_000; calls++; return nil }})
	if err != nil || calls != len(measureSizes) {
		t.Errorf("%d registrations, %v", calls, err)
	}
}

// TestMeasureStill: a clock that stands still ends in no buffer worth registering, not in a loop.
func TestMeasureStill(t *testing.T) {
	costs, err := Measure(Meter{Now: func() int64 { return 5 }, Register: func([]byte) error { return nil }})
	if err != nil || costs.Thresholds() != (Thresholds{}) {
		t.Errorf("%+v, %v", costs, err)
	}
}

// TestProbe: what disturbs some batches does not count.
func TestProbe(t *testing.T) {
	for _, slow := range []int{0, 3, 200} {
		now, calls := int64(0), 0
		got := probe(func() int64 { return now }, func() {
			if calls++; calls > slow && calls < slow+20 {
				now += 500
			}
			now += 10
		})
		if got != 10 {
			t.Errorf("disturbed at call %d: %v ns, want 10", slow, got)
		}
	}
}
