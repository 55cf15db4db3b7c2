package experiments

import (
	"math"
	"testing"

	"github.com/weft-mpi/weft/lab"
)

// streaming are the experiments that measure how much gets through, or how much a message takes beside others, and by how many per
// cent what they find may depend on how long they look. Pairs that play ping-pong side by side (F3.8) meet and wait for each other
// without order: however long one looks, their times differ by some per cent in both directions.
var streaming = map[string]float64{"F3.2": 1, "F3.5": 1, "F3.6": 1, "F3.7": 1, "F3.8": 8, "F3.9": 1, "F3.11": 1, "003.F2": 1, "F6.5": 1}

// TestLongerRunsChangeNothing: with twice as many iterations every rate is the same.
func TestLongerRunsChangeNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("left out of short tests, which run under the race detector: virtual time has one thread")
	}
	for id, percent := range streaming {
		t.Run(id, func(t *testing.T) {
			var runs [2]*lab.Result
			for i := range runs {
				b, err := lab.NewBench(lab.Options{Quick: true, Version: "x", Longer: 1 + i})
				if err != nil {
					t.Fatal(err)
				}
				if runs[i], err = run(t, id, b); err != nil {
					t.Fatal(err)
				}
			}
			compare(t, runs[0], runs[1], percent)
		})
	}
}

func run(t *testing.T, id string, b *lab.Bench) (*lab.Result, error) {
	for _, e := range All() {
		if e.ID == id {
			return e.Run(t.Context(), b)
		}
	}
	t.Fatalf("there is no experiment %s", id)
	return nil, nil
}

// compare holds every point of one result against that of the other.
func compare(t *testing.T, once, twice *lab.Result, percent float64) {
	points := 0
	for i, p := range once.Panels {
		for _, line := range p.Series {
			for _, at := range line.Points {
				longer := twice.Panels[i].Line(line.Name).At(at.X)
				points++
				if off := 100 * (longer/at.Y - 1); !(math.Abs(off) <= percent) {
					t.Errorf("%s, %s at %g: %.4g, and %.4g with twice as many iterations: %+.1f%%", p.Title, line.Name, at.X, at.Y, longer, off)
				}
			}
		}
	}
	if points < 4 {
		t.Errorf("only %d points", points)
	}
}
