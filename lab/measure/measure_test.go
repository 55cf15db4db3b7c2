package measure_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/weft-mpi/weft/lab/measure"
	"github.com/weft-mpi/weft/mpi"
)

// still is a clock that only computation moves, so that tests do not depend on the machine. Ranks share it, as they
// share the time of a simulation; every look at it costs a nanosecond.
type still struct {
	mu  sync.Mutex
	now int64
}

func (s *still) Now() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now++
	return s.now
}

func (s *still) Compute(nano int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now += nano
}

// run calls a procedure on that many ranks and returns its value, which must be the same everywhere. Messages that a
// procedure leaves behind make mpi.Run fail.
func run(t *testing.T, ranks int, f func(k *measure.Rank) (float64, error)) float64 {
	t.Helper()
	values := make([]float64, ranks)
	clock := &still{}
	err := mpi.Run(ranks, func(world *mpi.Comm) error {
		v, err := f(measure.NewRank(world, clock))
		values[world.Rank()] = v
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for rank, v := range values {
		if v != values[0] {
			t.Errorf("rank %d returns %g, rank 0 %g", rank, v, values[0])
		}
	}
	return values[0]
}

var few = measure.Loops{Warmup: 1, Timed: 3}

// TestProceduresAreCorrectPrograms runs every procedure on short, long and empty messages.
func TestProceduresAreCorrectPrograms(t *testing.T) {
	for _, size := range []int{0, 1, 5000, 200_000} {
		for _, c := range []struct {
			name  string
			ranks int
			f     func(k *measure.Rank) (float64, error)
		}{
			{"ping-pong", 2, func(k *measure.Rank) (float64, error) { return measure.PingPong(k, size, few) }},
			{"ping-pong of pairs", 4, func(k *measure.Rank) (float64, error) { return measure.PairLatency(k, size, few) }},
			{"one way", 2, func(k *measure.Rank) (float64, error) { return measure.OneWay(k, size, 8, few) }},
			{"both ways", 4, func(k *measure.Rank) (float64, error) { return measure.BothWays(k, size, 8, few) }},
			{"opposite pairs", 4, func(k *measure.Rank) (float64, error) { return measure.OppositePairs(k, size, 8, few) }},
			{"reuse", 2, func(k *measure.Rank) (float64, error) {
				return measure.Reuse(k, size, 50, measure.Pool{Buffers: 4, Bytes: 1 << 20}, few)
			}},
			{"spectrum", 2, func(k *measure.Rank) (float64, error) {
				return measure.Spectrum(k, size, measure.Uses{Buffers: 3, Step: 2}, true)
			}},
			{"ping-pong of the outermost", 3, func(k *measure.Rank) (float64, error) { return measure.FarPingPong(k, size, few) }},
			{"put through a window", 2, func(k *measure.Rank) (float64, error) { return windowed(k, measure.Put, size) }},
			{"get through a window", 3, func(k *measure.Rank) (float64, error) { return windowed(k, measure.Get, size) }},
			{"crossing", 2, func(k *measure.Rank) (float64, error) { return measure.Crossing(k, size, few) }},
			{"model 1", 2, func(k *measure.Rank) (float64, error) {
				return measure.Exchange(k, measure.Model{Number: 1, Neighbours: 1}, size, time.Microsecond, few)
			}},
			{"model 2", 3, func(k *measure.Rank) (float64, error) {
				return measure.Exchange(k, measure.Model{Number: 2, Neighbours: 2}, size, time.Microsecond, few)
			}},
		} {
			t.Run(fmt.Sprintf("%s/%d", c.name, size), func(t *testing.T) {
				if v := run(t, c.ranks, c.f); v < 0 || v == 0 && size > 0 {
					t.Errorf("%d bytes: %g", size, v)
				}
			})
		}
	}
}

// windowed has both programs over windows run, and returns the sum of what they measure.
func windowed(k *measure.Rank, a measure.Access, size int) (float64, error) {
	o, err := measure.NewWindowed(k, size)
	if err != nil {
		return 0, err
	}
	one, err := o.Latency(a, size, few)
	if err != nil {
		return 0, err
	}
	many, err := o.Spectrum(a, size, measure.Uses{Buffers: 3, Step: 2})
	if err != nil {
		return 0, err
	}
	return one + many, o.Close()
}

// TestMeetings runs overlap and progress for every side that computes and comes first.
func TestMeetings(t *testing.T) {
	for _, computes := range []measure.Side{measure.Sender, measure.Receiver} {
		for _, first := range []measure.Side{measure.Neither, measure.Sender, measure.Receiver} {
			for _, synchronous := range []bool{false, true} {
				c := measure.Case{Computes: computes, First: first, Ahead: 50 * time.Microsecond, Synchronous: synchronous, Loops: few}
				t.Run(fmt.Sprintf("%v computes, %v first, synchronous %v", computes, first, synchronous), func(t *testing.T) {
					run(t, 2, func(k *measure.Rank) (float64, error) {
						percent, _, err := measure.Overlap(k, 1000, c)
						if percent < 0 || percent > 100 {
							t.Errorf("overlap of %g%%", percent)
						}
						return percent, err
					})
					run(t, 2, func(k *measure.Rank) (float64, error) {
						p, err := measure.Delay(k, 100_000, 100*time.Microsecond, c)
						return p.Delayed, err
					})
				})
			}
		}
	}
}

// TestSweepReportsOnce: only the leading rank reports, each size once.
func TestSweepReportsOnce(t *testing.T) {
	got := map[float64]float64{}
	run(t, 2, func(k *measure.Rank) (float64, error) {
		return 0, measure.Sweep(k, []int{1, 2, 4}, func(x, y float64) { got[x] += y }, func(size int) (float64, error) {
			return float64(10 * size), nil
		})
	})
	if len(got) != 3 || got[4] != 40 {
		t.Errorf("got %v", got)
	}
}

// TestSpans: what a rank does is seen.
func TestSpans(t *testing.T) {
	k := measure.NewRank(nil, &still{})
	k.Span("nobody looks")()
	var seen []string
	k.Seen = func(what string, from, to int64) { seen = append(seen, fmt.Sprint(what, " ", to-from > 5000)) }
	k.Compute(5 * time.Microsecond)
	k.Compute(0)
	if fmt.Sprint(seen) != "[compute true]" {
		t.Errorf("seen %v", seen)
	}
}
