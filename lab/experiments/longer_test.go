package experiments

import (
	"math"
	"os"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/lab"
)

// measured002 are the measured figures of document 002, chapters 3 to 5. Those that need least time come first.
var measured002 = []string{"002.F5.2", "002.F3.9", "002.F5.1", "002.F3.1", "002.F3.2", "002.F3.3", "002.F3.4", "002.F3.8", "002.F3.10", "002.F3.11",
	"002.F4.1", "002.F4.2", "002.F4.5", "002.F4.6", "002.F5.6"}

// TestLongEnough: twice as many calls and messages change no value by more than 1%. All figures take minutes: without WEFT_SOAK=1 it
// is those that take seconds.
func TestLongEnough(t *testing.T) {
	if testing.Short() {
		t.Skip("left out of short tests, which run under the race detector: virtual time has one thread")
	}
	ids := measured002
	if os.Getenv("WEFT_SOAK") == "" {
		ids = ids[:3]
	}
	for _, e := range All() {
		if slices.Contains(ids, e.ID) {
			once, twice := forLonger(t, e, 1), forLonger(t, e, 2)
			compareLonger(t, once, twice)
		}
	}
}

func forLonger(t *testing.T, e lab.Experiment, times int) *lab.Result {
	t.Helper()
	b, err := lab.NewBench(lab.Options{Quick: true, Version: "x", Longer: times})
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Run(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func compareLonger(t *testing.T, once, twice *lab.Result) {
	t.Helper()
	points := 0
	for i, p := range once.Panels {
		for _, s := range p.Series {
			for _, at := range s.Points {
				points++
				if then := twice.Panels[i].Line(s.Name).At(at.X); math.IsNaN(then) || math.Abs(then/at.Y-1) > 0.01 {
					t.Errorf("%s, %s, %s at %g: %.4g, and %.4g with twice as many", once.ID, p.Title, s.Name, at.X, at.Y, then)
				}
			}
		}
	}
	if points == 0 {
		t.Errorf("%s has no points", once.ID)
	}
}
