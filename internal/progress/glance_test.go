package progress_test

import (
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/shm"
)

// fakeClock goes on by a microsecond whenever somebody looks at it, and notes when somebody slept.
type fakeClock struct {
	now  int64
	naps []int64
}

func (c *fakeClock) Now() int64            { c.now += 1000; return c.now }
func (c *fakeClock) Sleep(d int64)         { c.naps, c.now = append(c.naps, c.now), c.now+d }
func (c *fakeClock) Spend(clock.Work, int) {}

// pollingTags are the tags of the messages that the calls of polling look for.
var pollingTags = map[string]int{"test": 5, "testall": 5, "iprobe": 6, "improbe": 7}

// polling makes a loop with a fake clock, its peer, and a call that a program may poll with.
func polling(t *testing.T, p clock.Policy, what string) (c *fakeClock, peer *progress.Loop, call func() bool) {
	c = new(fakeClock)
	loops := newLoops(t, shmEnds(t, 2, shm.Config{}), func(cfg *progress.Config) {
		cfg.Policy, cfg.Mode = p, progress.Poll
		if cfg.Self == 0 {
			cfg.Clock = c
		}
	})
	l := loops[0]
	h := l.Irecv(make([]byte, 1), at(1, 5), why("irecv"))
	return c, loops[1], func() bool {
		switch what {
		case "iprobe":
			_, found, _ := l.Iprobe(at(1, 6))
			return found
		case "improbe":
			m, _ := l.Improbe(at(1, 7))
			return m != nil
		}
		taken, _, _ := collect(l, progress.Want{All: what == "testall"}, h)
		return len(taken) > 0
	}
}

// A loop of calls that find nothing gives the processor away by naps: soon where ranks share
// processors, after a while where they seem not to, and never if it computes between the calls or
// was told to spin.
func TestPollingLoopsNap(t *testing.T) {
	roomy := clock.PolicyFor(1, 2)
	for name, c := range map[string]struct {
		policy   clock.Policy
		computes int64 // nanoseconds between two calls
		naps     bool
		after    int64 // nanoseconds
	}{
		"roomy":      {roomy, 50, true, 2_000_000},
		"crowded":    {clock.PolicyFor(8, 2), 50, true, 0},
		"park":       {clock.Policy{}, 50, true, 0},
		"spin":       {clock.Policy{Spins: 1 << 62}, 50, false, 0},
		"goroutines": {clock.Park, 50, false, 0},
		"computing":  {roomy, 20_000, false, 0},
	} {
		for what := range pollingTags {
			clk, _, call := polling(t, c.policy, what)
			for range 50_000 {
				clk.now += c.computes
				if call() {
					t.Fatalf("%s, %s: found what nobody has sent", name, what)
				}
			}
			if got := len(clk.naps) > 0; got != c.naps {
				t.Errorf("%s, %s: %d naps", name, what, len(clk.naps))
			} else if got && clk.naps[0] < c.after {
				t.Errorf("%s, %s: the first nap after %d ns", name, what, clk.naps[0])
			}
		}
	}
}

// A call that finds what it looks for ends the row of those in vain, though nothing has arrived in
// it: the message lay there.
func TestPollingLoopsThatFind(t *testing.T) {
	clk, peer, call := polling(t, clock.PolicyFor(8, 2), "iprobe")
	if err := send(peer, []byte{1}, 0, pollingTags["iprobe"]); err != nil {
		t.Fatal(err)
	}
	for range 10_000 {
		if !call() {
			t.Fatal("the message is not there")
		}
	}
	if len(clk.naps) > 0 {
		t.Errorf("%d naps", len(clk.naps))
	}
}
