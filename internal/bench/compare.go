package bench

import (
	"context"
	"fmt"
)

// Implementation is one MPI library that can run a case in fresh processes.
type Implementation interface {
	// Name is short and unique within a comparison.
	Name() string
	// Settings says how the library is run on that many ranks: switches and environment that differ from its
	// defaults. It goes into the report.
	Settings(ranks int) string
	// Measure runs c once, in a process set of its own that is gone when Measure returns.
	Measure(ctx context.Context, c Case) (Outcome, error)
}

// Comparison is one test on several implementations. Sides[0] of every point is the one the ratios are for.
type Comparison struct {
	Test           string    `json:"test"`
	Unit           string    `json:"unit"`
	HigherIsBetter bool      `json:"higher_is_better"`
	Ranks          int       `json:"ranks"`
	Window         int       `json:"window,omitempty"`
	Rounds         int       `json:"rounds"`
	Libraries      []Library `json:"libraries"`
	Points         []Point   `json:"points"`
	Failure        string    `json:"failure,omitempty"` // why the rounds stopped early
}

// Library names an implementation as it reported itself, and how it was run.
type Library struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Settings string `json:"settings"`
}

// Point is one message size.
type Point struct {
	Size   int     `json:"size"`
	Sides  []Side  `json:"sides"`
	Ratios []Ratio `json:"ratios"` // one per peer, in the order of Sides[1:]
	Bar    Judged  `json:"bar"`
}

// Side is one implementation at one size; Samples holds the value of each round.
type Side struct {
	Name    string    `json:"name"`
	Samples []float64 `json:"samples"`
	Summary Summary   `json:"summary"`
}

// Ratio is the distribution of ours/theirs over the rounds.
type Ratio struct {
	Peer    string  `json:"peer"`
	Summary Summary `json:"summary"`
}

// Compare measures c on every implementation in rounds: in one round each runs all steps once, in fresh
// processes, and the order rotates from round to round. So a change of the host's mood hits all alike, and a
// ratio compares runs that were seconds apart. tick, when not nil, is called after each run.
//
// When a run fails, Compare stops and returns what complete rounds it has together with the error.
func Compare(ctx context.Context, c Case, impls []Implementation, rounds int, tick func()) (Comparison, error) {
	cmp := newComparison(c, impls)
	samples := make([][][]float64, len(impls)) // implementation, step, round
	for i := range samples {
		samples[i] = make([][]float64, len(c.Steps))
	}
	for round := range rounds {
		values := make([][]float64, len(impls))
		for turn := range impls {
			i := (round + turn) % len(impls)
			out, err := impls[i].Measure(ctx, c)
			if err == nil {
				values[i], err = rowValues(out, c.Steps)
			}
			if err != nil {
				err = fmt.Errorf("%s on %d ranks, round %d of %d, %s: %w",
					c.Test.Name, c.Ranks, round+1, rounds, impls[i].Name(), err)
				cmp.Failure = err.Error()
				cmp.finish(c, samples)
				return cmp, err
			}
			cmp.Libraries[i].Version = out.Library
			if tick != nil {
				tick()
			}
		}
		for i, v := range values {
			for step, value := range v {
				samples[i][step] = append(samples[i][step], value)
			}
		}
		cmp.Rounds++
	}
	cmp.finish(c, samples)
	return cmp, nil
}

func newComparison(c Case, impls []Implementation) Comparison {
	cmp := Comparison{
		Test:           c.Test.Name,
		Unit:           c.Test.Unit(),
		HigherIsBetter: c.Test.HigherIsBetter(),
		Ranks:          c.Ranks,
	}
	if c.Test.Shape == Stream {
		cmp.Window = c.Window
	}
	for _, impl := range impls {
		cmp.Libraries = append(cmp.Libraries, Library{Name: impl.Name(), Settings: impl.Settings(c.Ranks)})
	}
	return cmp
}

// rowValues checks that a run answered exactly the steps it was asked for.
func rowValues(out Outcome, steps []Step) ([]float64, error) {
	if len(out.Rows) != len(steps) {
		return nil, fmt.Errorf("gave %d rows for %d sizes", len(out.Rows), len(steps))
	}
	values := make([]float64, len(steps))
	for i, row := range out.Rows {
		if row.Size != steps[i].Size {
			return nil, fmt.Errorf("row %d is for %d bytes, asked was %d", i+1, row.Size, steps[i].Size)
		}
		values[i] = row.Value
	}
	return values, nil
}

// finish turns the samples of the complete rounds into points.
func (cmp *Comparison) finish(c Case, samples [][][]float64) {
	if cmp.Rounds == 0 {
		return
	}
	for step, s := range c.Steps {
		p := Point{Size: s.Size}
		for i, lib := range cmp.Libraries {
			p.Sides = append(p.Sides, Side{Name: lib.Name, Samples: samples[i][step], Summary: Summarize(samples[i][step])})
			if i > 0 {
				ratios := Ratios(samples[0][step], samples[i][step])
				p.Ratios = append(p.Ratios, Ratio{Peer: lib.Name, Summary: Summarize(ratios)})
			}
		}
		p.Bar = Judge(c.Test, p)
		cmp.Points = append(cmp.Points, p)
	}
}
