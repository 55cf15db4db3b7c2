package perf

import (
	"math"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestSummarizeTimes(t *testing.T) {
	var times []int64
	for i := int64(1000); i >= 1; i-- {
		times = append(times, i*2000) // 2 to 2000 us round trip: 1 to 1000 us one way
	}
	l := summarizeTimes(times, 2)
	want := Latency{Min: 1, Max: 1000, Typical: 500, Avg: 500.5, Stdev: math.Sqrt(999999.0 / 12), P99: 990, P999: 999}
	if !near(l.Stdev, want.Stdev) {
		t.Errorf("deviation %g, want %g", l.Stdev, want.Stdev)
	}
	l.Stdev = want.Stdev
	if l != want {
		t.Errorf("got %+v, want %+v", l, want)
	}
	if one := summarizeTimes([]int64{3000}, 1); one != (Latency{Min: 3, Max: 3, Typical: 3, Avg: 3, P99: 3, P999: 3}) {
		t.Errorf("one time: %+v", one)
	}
	if none := summarizeTimes(nil, 1); none != (Latency{}) {
		t.Errorf("no times: %+v", none)
	}
}

func TestTrafficAddsUp(t *testing.T) {
	var sum traffic
	if v := sum.add(1000, Outcome{Messages: 100, Elapsed: 100_000}); !near(v, 1000) { // 100 kB in 100 us
		t.Errorf("first batch %g MB/s", v)
	}
	sum.add(1000, Outcome{Messages: 100, Elapsed: 300_000, Lost: 3})
	b := sum.bandwidth()
	if !near(b.Peak, 1000) || !near(b.Average, 500) || !near(b.Rate, 0.5) || sum.lost != 3 {
		t.Errorf("got %+v, lost %d", b, sum.lost)
	}
	if rate(5, 0) != 0 {
		t.Error("a rate in no time")
	}
}

func TestQuotasAddUp(t *testing.T) {
	for _, qps := range []int{1, 3, 4, 7} {
		b := Batch{QPs: qps, Iterations: 10}
		sum := 0
		for i := range 16 {
			sum += quota(b, i)
		}
		if sum != b.Iterations {
			t.Errorf("%d queue pairs share %d of %d messages", qps, sum, b.Iterations)
		}
	}
}

func TestOutcomeCountsBothDirections(t *testing.T) {
	b := Batch{Shape: Stream, Both: true, Iterations: 10}
	out := b.outcome(tally{Elapsed: 5, Sent: 10, Received: 8}, tally{Elapsed: 7, Sent: 10, Received: 10}, nil)
	if out.Elapsed != 7 || out.Messages != 18 || out.Lost != 2 {
		t.Errorf("got %+v", out)
	}
}
