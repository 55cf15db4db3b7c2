package experiments

import (
	"context"
	"fmt"
	"strings"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/lab"
)

var formulaExperiment = lab.Experiment{
	ID: "F3.13",
	Explain: [2]string{
		"The figure defines overlap. A message takes l0 when the program does nothing else. Then the program computes for c between its non-blocking call and its wait, and the whole takes l. While c hides behind the message, l stays near l0; the overlap is (c - (l - l0)) / l0 at the last c for which l is below 1.1 l0.",
		"Here the formula is tried on transfers whose overlap is known beforehand: of every transfer a given part runs by itself and the rest only inside the library. The search has to find that part again.",
	},
	Run: formula,
}

// formula plants overlaps into synthetic timings and has the search find them.
func formula(_ context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F3.13")
	p := r.AddPanel("Overlap found and overlap planted", lab.Axis{Label: "planted", Unit: "%"}, lab.Axis{Label: "found", Unit: "%"})
	found, ideal := p.Line("found"), p.Line("planted")
	worst := 0.0
	for planted := 0; planted <= 100; planted += 5 {
		part, _, err := bench.FindOverlap(synthetic(100, float64(planted)))
		if err != nil {
			return nil, fmt.Errorf("overlap of %d%%: %w", planted, err)
		}
		found.Add(float64(planted), 100*part)
		ideal.Add(float64(planted), float64(planted))
		worst = max(worst, abs(100*part-float64(planted)))
	}
	var left [3]string
	for i, total := range []float64{300, 400, 325} { // it hid in the delay, began after it, or had a quarter left
		left[i] = fmt.Sprintf("%g%%", 100*bench.PostDelay(bench.Times{Alone: 100, Compute: 300, Total: total}))
	}
	r.Hold(lab.Structural,
		lab.Between("the formula finds the planted overlap, worst deviation", 0, 5, worst, "points"),
		lab.Holds("what is left of a message that hid in a delay, began after it, and did three quarters in it", "0%, 100%, 25%", strings.Join(left[:], ", "), left == [3]string{"0%", "100%", "25%"}),
	)
	return r, nil
}

// synthetic is a transfer that takes alone by itself and lets computation hide behind percent of it.
func synthetic(alone, percent float64) bench.Transfer {
	return func(compute float64) (bench.Times, error) {
		return bench.Times{Alone: alone, Compute: compute, Total: alone + max(0, compute-alone*percent/100)}, nil
	}
}

func abs(v float64) float64 { return max(v, -v) }
