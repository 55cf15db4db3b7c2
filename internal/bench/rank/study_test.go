package rank

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/mpi"
)

// find returns a test of the table.
func find(t *testing.T, name string) bench.Test {
	t.Helper()
	test, err := bench.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return test
}

func TestEveryStudyTestAnswersItsSteps(t *testing.T) {
	for _, test := range bench.Tests() {
		if test.Checks() || test.Counter != "" {
			continue // measured with its data checked elsewhere, or by nobody in here
		}
		for _, n := range []int{2, 3, 4} {
			if test.CheckRanks(n) != nil {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", test.Name, n), func(t *testing.T) {
				steps := []bench.Step{
					{Size: 64, Iterations: 2, Warmup: 1, Batches: 2},
					{Size: 100 << 10, Iterations: 3, Batches: 1, Share: 100},
				}
				if test.Shape == bench.Idle { // an iteration is a second
					steps[0].Iterations, steps = 1, steps[:1]
				}
				rows, err := measure(t, n, bench.Case{Test: test, Window: 4, Steps: steps})
				if err != nil {
					t.Fatal(err)
				}
				if len(rows) != len(steps) {
					t.Fatalf("%d rows for %d steps", len(rows), len(steps))
				}
				for i, r := range rows {
					checkStudyRow(t, test, steps[i], r)
				}
			})
		}
	}
}

func checkStudyRow(t *testing.T, test bench.Test, s bench.Step, r bench.Row) {
	t.Helper()
	if r.Size != s.Size || r.Share != s.Share || r.Iterations != s.Iterations {
		t.Errorf("row %+v answers step %+v", r, s)
	}
	switch test.Shape {
	case bench.Overlap:
		if r.Value < 0 || r.Value > 100 || r.Base <= 0 {
			t.Errorf("row %+v", r)
		}
	case bench.Progress:
		if r.Value < 0 || r.Base <= 0 {
			t.Errorf("row %+v", r)
		}
	default:
		if r.Value <= 0 {
			t.Errorf("row %+v", r)
		}
	}
}

func TestStudyTestsRefuseToCheckData(t *testing.T) {
	c := bench.Case{Test: find(t, "crossing"), Validate: true, Steps: []bench.Step{{Size: 8, Iterations: 1, Batches: 1}}}
	if _, err := measure(t, 2, c); err == nil || !strings.Contains(err.Error(), "cannot check data") {
		t.Errorf("got %v", err)
	}
}

// TestExchangeComputes: an iteration with computation takes at least as long as the computation alone.
func TestExchangeComputes(t *testing.T) {
	const work = 2_000_000 // ns
	for _, name := range []string{"exchange_m1_n1", "exchange_m2_n1", "exchange_m1_n2", "exchange_m2_n2"} {
		c := bench.Case{Test: find(t, name), Steps: []bench.Step{{Size: 1 << 10, Iterations: 2, Batches: 1, Share: 50, Work: work}}}
		rows, err := measure(t, 2, c)
		if err != nil {
			t.Fatal(err)
		}
		if rows[0].Value < work/1e3/2 { // half: a calibration on a busy host may be too low
			t.Errorf("%s: an iteration with %d ns of work took %.0f us", name, work, rows[0].Value)
		}
	}
}

// TestReuseFollowsTheShare counts which buffers the messages of a batch come from.
func TestReuseFollowsTheShare(t *testing.T) {
	const messages = 40
	for _, share := range []int{0, 50, 100} {
		var used []int
		err := mpi.Run(2, func(world *mpi.Comm) error {
			steps := []bench.Step{{Size: 8, Share: share}}
			q := newPool(newPairs(world, 1, 8), steps)
			for range messages {
				before := q.next
				if _, err := q.batch(steps[0], 1); err != nil {
					return err
				}
				if world.Rank() != 0 {
					continue
				}
				if q.next == before {
					used = append(used, 0)
				} else {
					used = append(used, before)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		reused := 0
		for _, u := range used {
			if u == 0 {
				reused++
			}
		}
		if reused != messages*share/100 {
			t.Errorf("%d %%: %d of %d messages reused the buffer", share, reused, messages)
		}
		fresh := slices.DeleteFunc(used, func(u int) bool { return u == 0 })
		slices.Sort(fresh)
		if len(slices.Compact(fresh)) != messages-reused {
			t.Errorf("%d %%: a buffer was taken twice: %v", share, fresh)
		}
	}
}

func TestPoolComesRound(t *testing.T) {
	q := &pool{stride: page, next: 1, out: make([]byte, 3*page), in: make([]byte, 3*page)}
	err := mpi.Run(2, func(world *mpi.Comm) error {
		mine := *q
		mine.pairs = newPairs(world, 1, 8)
		mine.out, mine.in = make([]byte, 3*page), make([]byte, 3*page)
		_, err := mine.batch(bench.Step{Size: 8}, 7) // buffers 1 and 2 by turns
		if err == nil && mine.next != 2 {
			err = fmt.Errorf("next is %d after 7 of 2", mine.next)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestSpectrumCountsItsMessages(t *testing.T) {
	test := find(t, "spectrum_paged")
	if got := test.Operations(bench.Step{Iterations: 1000}); got != 500_500 {
		t.Errorf("%d messages in a spectrum of 1000 buffers", got)
	}
	s := &spectrum{paged: true}
	packed := &spectrum{}
	if s.stride(1) != page || s.stride(page+1) != 2*page || packed.stride(100) != 100 {
		t.Error("buffers are laid out wrongly")
	}
}

func TestParseResident(t *testing.T) {
	status := "Name:\tx\nVmRSS:\t  9999 kB\nRssAnon:\t  1024 kB\nRssFile:\t  4096 kB\nRssShmem:\t  512 kB\n"
	if got := parseResident(status); got != 1.5 {
		t.Errorf("got %v MB, want 1.5", got)
	}
	if got := parseResident("RssAnon: lots\n"); got != 0 {
		t.Errorf("nonsense gave %v", got)
	}
	if ResidentMegabytes() <= 0 {
		t.Error("this process has no memory")
	}
}

// TestWorkIsCounted: twice the time is twice the steps, whatever the host does meanwhile.
func TestWorkIsCounted(t *testing.T) {
	w := &worker{perMicrosecond: 100, state: 1}
	w.compute(3)
	if want := grind(1, 300); w.state != want {
		t.Error("3 us at 100 steps per us are not 300 steps")
	}
	if newWorker().perMicrosecond <= 0 {
		t.Error("calibration found no speed")
	}
}
