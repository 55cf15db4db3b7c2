package apps_test

import (
	"maps"
	"math"
	"os"
	"sync"
	"testing"

	"github.com/weft-mpi/weft/apps"
	"github.com/weft-mpi/weft/apps/bt"
	"github.com/weft-mpi/weft/apps/cg"
	"github.com/weft-mpi/weft/apps/ep"
	"github.com/weft-mpi/weft/apps/ft"
	"github.com/weft-mpi/weft/apps/is"
	"github.com/weft-mpi/weft/apps/lu"
	"github.com/weft-mpi/weft/apps/mg"
	"github.com/weft-mpi/weft/apps/nbody"
	"github.com/weft-mpi/weft/apps/radix"
	"github.com/weft-mpi/weft/apps/sp"
	"github.com/weft-mpi/weft/mpi"
)

// soak makes the test run on more ranks, and larger classes.
var soak = os.Getenv("WEFT_SOAK") != ""

// TestOfficialValues runs every application in one process: it finds the official values, and sends what the
// original sends.
func TestOfficialValues(t *testing.T) {
	for _, c := range []struct {
		app         apps.App
		ranks, more []int
	}{
		{ep.App, []int{3}, []int{1, 2, 16}},
		{is.App, []int{1, 2, 4, 16}, []int{8, 32, 64}},
		{cg.App, []int{1, 2, 4, 8}, []int{16, 32}},
		{mg.App, []int{1, 2, 4, 8, 16, 32}, []int{64}},
		{ft.App, []int{2, 8}, []int{1, 4, 16, 32}},
		{lu.App, []int{1, 2, 4, 16}, []int{8}},
		{bt.App, []int{1, 4, 9}, []int{16}},
		{sp.App, []int{1, 4, 9}, []int{16}},
	} {
		t.Run(c.app.Name, func(t *testing.T) {
			classes, ranks := []string{"S"}, c.ranks
			if soak {
				classes, ranks = []string{"S", "W", "A"}, append(ranks, c.more...)
			}
			for _, class := range classes {
				for _, n := range ranks {
					checkRun(t, c.app, class, n)
				}
			}
		})
	}
}

func checkRun(t *testing.T, app apps.App, class string, ranks int) {
	t.Helper()
	result, got := run(t, app, class, ranks)
	for _, check := range result.Checks {
		if !check.Holds() {
			t.Errorf("class %s, %d ranks: %s is %.15g, want %.15g", class, ranks, check.What, check.Got, check.Want)
		}
	}
	if !result.Verified() {
		t.Errorf("class %s, %d ranks: not verified by %d checks", class, ranks, len(result.Checks))
	}
	if want := trafficOf[app.Name](class, ranks); !maps.Equal(got, want) {
		t.Errorf("class %s: %d ranks sent\n%v, want\n%v", class, ranks, got, want)
	}
}

// run runs an application on goroutines, and returns what rank 0 found and what all sent.
func run(t *testing.T, app apps.App, class string, ranks int) (result apps.Result, sent traffic) {
	t.Helper()
	return runAs(t, app, ranks, func(world *mpi.Comm) *apps.Env { return apps.NewEnv(world, class) })
}

// runAs is run where each rank has an environment of its own.
func runAs(t *testing.T, app apps.App, ranks int, env func(world *mpi.Comm) *apps.Env) (result apps.Result, sent traffic) {
	t.Helper()
	sent = traffic{}
	var mu sync.Mutex
	err := mpi.Run(ranks, func(world *mpi.Comm) error {
		e := env(world)
		r, err := app.Run(e)
		mu.Lock()
		defer mu.Unlock()
		sent.note(world.Rank(), e.Comm.Calls())
		if world.Rank() == 0 {
			result = r
		}
		return err
	})
	if err != nil {
		t.Fatalf("%s on %d ranks: %v", app.Name, ranks, err)
	}
	return result, sent
}

// TestMessagesOfClassB: the specification that the runs are held against gives the messages that were counted in
// the study of shared receive queues, on 64 hosts.
func TestMessagesOfClassB(t *testing.T) {
	for name, c := range map[string]struct{ exact, published float64 }{
		"is": {1.86e5, 1.9e5}, "mg": {3.12e5, 3.1e5}, "cg": {2.73e6, 2.7e6}, "ft": {3.56e5, 3.6e5},
		"lu": {5.82e6, 5.8e6}, "bt": {1.66e6, 1.6e6}, "sp": {4.93e6, 4.7e6},
	} {
		got := trafficOf[name]("B", 64).network(64)
		if !near(got, c.exact, .003) || !near(got, c.published, .05) {
			t.Errorf("%s: %d messages, want %g, published %g", name, got, c.exact, c.published)
		}
	}
	if got := trafficOf["cg"]("C", 16)[sent{"send", 8}] / 16; got != 7904 {
		t.Errorf("cg of class C: every one of 16 ranks sends %d messages of 8 bytes, want 7904", got)
	}
}

func TestChecks(t *testing.T) {
	for _, c := range []struct {
		apps.Check
		holds bool
	}{
		{apps.Check{Got: 1, Want: 1}, true}, {apps.Check{Got: 1.1, Want: 1, Tolerance: .2}, true}, {apps.Check{Got: 1.3, Want: 1, Tolerance: .2}, false},
		{apps.Check{Got: -1, Want: 1, Tolerance: .2}, false}, {apps.Check{Got: -1.1, Want: -1, Tolerance: .2}, true},
		{apps.Check{Got: math.NaN(), Want: 1, Tolerance: .2}, false}, {apps.Check{Got: math.NaN(), Tolerance: .2}, false},
		{apps.Check{Got: math.Inf(1), Want: 1, Tolerance: .2}, false}, {apps.Check{Got: .1, Tolerance: .2}, true}, {apps.Check{Got: .3, Tolerance: .2}, false},
	} {
		if c.Holds() != c.holds {
			t.Errorf("%+v holds: %v", c.Check, !c.holds)
		}
	}
	if (apps.Result{}).Verified() {
		t.Error("a result without checks is verified")
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		app   apps.App
		class string
		ranks int
		fits  bool
	}{
		{ep.App, "S", 7, true}, {ep.App, "Z", 1, false}, {ep.App, "", 1, false}, {ep.App, "SW", 1, false}, {cg.App, "A", 3, false}, {cg.App, "C", 64, true},
		{ft.App, "W", 32, true}, {ft.App, "W", 64, false}, {is.App, "S", 256, false}, {mg.App, "S", 0, false},
		{lu.App, "S", 16, true}, {lu.App, "S", 32, false}, {bt.App, "S", 16, true}, {bt.App, "S", 25, false}, {sp.App, "A", 8, false},
	} {
		if err := c.app.Check(c.class, c.ranks); (err == nil) != c.fits {
			t.Errorf("%s of class %q on %d ranks: %v", c.app.Name, c.class, c.ranks, err)
		}
	}
}

// TestInsteadOfArithmetic: with the arithmetic left out every rank makes the same calls, and one rank alone is told of
// as many operations as the original counts.
func TestInsteadOfArithmetic(t *testing.T) {
	for _, app := range []apps.App{ep.App, is.App, cg.App, mg.App, ft.App, lu.App, bt.App, sp.App} {
		_, got := instead(t, app, "S", 16)
		if want := trafficOf[app.Name]("S", 16); !maps.Equal(got, want) {
			t.Errorf("%s: 16 ranks sent\n%v, want\n%v", app.Name, got, want)
		}
		r, _ := instead(t, app, "W", 1)
		// Before the time is taken there are steps for the caches.
		if ratio := r.operations / (r.Mops * r.Seconds * 1e6); ratio < .95 || ratio > 1.05+2/float64(r.Iterations) {
			t.Errorf("%s: told of %g operations, %g times what the original counts", app.Name, r.operations, ratio)
		}
	}
}

// TestUnevenCells: where the points of a side cannot be dealt out evenly, what comes has room.
func TestUnevenCells(t *testing.T) {
	for _, app := range []apps.App{bt.App, sp.App} {
		result, _ := runAs(t, app, 49, func(world *mpi.Comm) *apps.Env {
			e := apps.NewEnv(world, "W")
			e.Instead, e.Steps = func(float64) {}, 2
			return e
		})
		if result.Iterations != 2 {
			t.Errorf("%s: %d steps, want 2", app.Name, result.Iterations)
		}
	}
}

// told is what came of a run without arithmetic, and of how many operations rank 0 was told.
type told struct {
	apps.Result
	operations float64
}

// instead runs an application without its arithmetic.
func instead(t *testing.T, app apps.App, class string, ranks int) (r told, sent traffic) {
	t.Helper()
	sums := make([]float64, ranks)
	r.Result, sent = runAs(t, app, ranks, func(world *mpi.Comm) *apps.Env {
		e := apps.NewEnv(world, class)
		e.Instead = func(operations float64) { sums[world.Rank()] += operations }
		return e
	})
	r.operations = sums[0]
	return r, sent
}

// TestRadix: keys are sorted, everybody sends to everybody in every pass, and without keys as much as the keys were.
func TestRadix(t *testing.T) {
	const keys, calls = 1 << 16, 3 * 11 // of class S; passes of all sorts
	for _, ranks := range []int{1, 2, 4, 16} {
		result, got := run(t, radix.App, "S", ranks)
		if !result.Verified() {
			t.Errorf("%d ranks: %+v", ranks, result.Checks)
		}
		_, without := instead(t, radix.App, "S", ranks)
		for _, sent := range []traffic{got, without} {
			messages, bytes := 0, 0
			for s, n := range sent {
				if s.name == "send" {
					messages, bytes = messages+n, bytes+n*s.bytes
				}
			}
			messages, bytes = messages-(ranks-1), bytes-4*(ranks-1) // the test at the end
			if messages != calls*ranks*(ranks-1) || sent[sentOf("allgather", 4096)] != calls*ranks {
				t.Errorf("%d ranks sent %d messages and made %d allgathers", ranks, messages, sent[sentOf("allgather", 4096)])
			}
			if want := calls * 4. * keys * float64(ranks-1) / float64(ranks); !near(bytes, want, .03) {
				t.Errorf("%d ranks sent %d bytes, want about %g", ranks, bytes, want)
			}
		}
	}
}

// TestNBody: energy is kept and forces are right on any number of ranks. Every step has the allgathers of
// the study, nine of ten of them shorter than 64 bytes, also without the arithmetic.
func TestNBody(t *testing.T) {
	const begin, steps = 6, 10 // divisions before the first step
	many := []int{1, 2, 4, 16}
	if soak {
		many = append(many, 128)
	}
	for _, ranks := range many {
		result, got := run(t, nbody.App, "S", ranks)
		if !result.Verified() {
			t.Errorf("%d ranks: %+v", ranks, result.Checks)
		}
		told, without := instead(t, nbody.App, "S", ranks)
		counted := result.Mops * result.Seconds * 1e6 * (1 + steps) / steps
		if ratio := told.operations * float64(ranks) / counted; ratio < .85 || ratio > 1.15 {
			t.Errorf("%d ranks: told of %g operations, %g times what they count", ranks, told.operations, ratio)
		}
		for _, sent := range []traffic{got, without} {
			for bytes, n := range map[int]int{16: 20 * (begin + steps), 24: 1 + steps, 48: 1 + steps, 512: 1 + steps, 768: 1 + steps} {
				if ranks == 1 && bytes == 16 {
					n = 0
				}
				if sent[sentOf("allgather", bytes)] != n*ranks {
					t.Errorf("%d ranks made %d allgathers of %d bytes, want %d", ranks, sent[sentOf("allgather", bytes)], bytes, n*ranks)
				}
			}
		}
	}
}

func sentOf(name string, bytes int) sent { return sent{name, bytes} }
