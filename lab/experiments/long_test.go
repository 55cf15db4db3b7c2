package experiments

import (
	"math"
	"os"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/lab"
)

// repeated are the experiments that call or send again and again, and by how many per cent what they find
// may depend on how often. Two do not settle however long one looks: pairs that play ping-pong side by side
// (F3.8) meet and wait for each other without order; rings that do not wait for each other (002.F5.2) fall
// into step for a while, and out of it again.
var repeated = map[string]float64{
	"F3.2": 1, "F3.5": 1, "F3.6": 1, "F3.7": 1, "F3.8": 8, "F3.9": 1, "F3.11": 1, "003.F2": 1, "F6.5": 1, "002.F5.2": 15, "002.F3.9": 1, "002.F5.1": 1,
	"002.F3.1": 1, "002.F3.2": 1, "002.F3.3": 1, "002.F3.4": 1, "002.F3.8": 1, "002.F3.10": 1, "002.F3.11": 1, "002.F4.1": 1, "002.F4.2": 1,
	"002.F4.5": 1, "002.F4.6": 1, "002.F5.6": 1,
}

// soon are those of them that take seconds.
var soon = []string{"F3.5", "003.F2"}

// TestLongerRunsChangeNothing: with twice as many iterations every value is the same. All take minutes:
//
//	WEFT_SOAK=1 go test -run Longer -timeout 1h ./lab/experiments
func TestLongerRunsChangeNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("left out of short tests, which run under the race detector: virtual time has one thread")
	}
	for id, percent := range repeated {
		if os.Getenv("WEFT_SOAK") == "" && !slices.Contains(soon, id) {
			continue
		}
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
