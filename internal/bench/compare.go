package bench

import (
	"context"
	"fmt"
	"slices"
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
	Counters string `json:"counters,omitempty"` // of the last round: the case's evidence, where the library counts
}

// Point is one message size, at one share where the test has shares.
type Point struct {
	Size   int      `json:"size"`
	Share  int      `json:"share,omitempty"`
	Sides  []Side   `json:"sides"`
	Ratios []Ratio  `json:"ratios,omitempty"` // of the first side to each of Sides[1:]
	Bars   []Judged `json:"bars,omitempty"`
}

// side returns the index of the side called name, or -1.
func (p Point) side(name string) int {
	return slices.IndexFunc(p.Sides, func(s Side) bool { return s.Name == name })
}

// ratio returns the distribution of one side over another, formed within rounds.
func (p Point) ratio(ours, theirs int) Summary {
	return Summarize(Ratios(p.Sides[ours].Samples, p.Sides[theirs].Samples))
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
// The computation of an exchange is settled first, by the first implementation, so that all compute equally long.
//
// When a run fails, Compare stops and returns what complete rounds it has together with the error.
func Compare(ctx context.Context, c Case, impls []Implementation, rounds int, tick func()) (Comparison, error) {
	cmp := newComparison(c, impls)
	c, err := settleWork(ctx, c, impls[0])
	if err != nil {
		cmp.Failure = err.Error()
		return cmp, err
	}
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
			cmp.Libraries[i].Counters = out.Counters.text(c.Evidence)
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

// settleWork gives the steps of an exchange the computation that their shares mean, from the time of iterations
// without any. Other cases come back as they are.
func settleWork(ctx context.Context, c Case, impl Implementation) (Case, error) {
	if c.Test.Neighbours == 0 {
		return c, nil
	}
	bare := c
	bare.Steps = slices.Clone(c.Steps)
	for i := range bare.Steps {
		bare.Steps[i].Share = 0
	}
	out, err := impl.Measure(ctx, bare)
	var communication []float64
	if err == nil {
		communication, err = rowValues(out, bare.Steps)
	}
	if err != nil {
		return c, fmt.Errorf("%s without computation, %s: %w", c.Test.Name, impl.Name(), err)
	}
	c.Steps = slices.Clone(c.Steps)
	for i, s := range c.Steps {
		c.Steps[i].Work = ExchangeWork(communication[i], s.Share)
	}
	return c, nil
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
		if row.Size != steps[i].Size || row.Share != steps[i].Share {
			return nil, fmt.Errorf("row %d is for %d bytes at %d %%, asked was %d at %d %%",
				i+1, row.Size, row.Share, steps[i].Size, steps[i].Share)
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
		p := Point{Size: s.Size, Share: s.Share}
		for i, lib := range cmp.Libraries {
			p.Sides = append(p.Sides, Side{Name: lib.Name, Samples: samples[i][step], Summary: Summarize(samples[i][step])})
			if i > 0 && c.Test.comparable() {
				p.Ratios = append(p.Ratios, Ratio{Peer: lib.Name, Summary: p.ratio(0, i)})
			}
		}
		p.Bars = Judge(c.Bars, c.Test.Name, c.Ranks, p)
		cmp.Points = append(cmp.Points, p)
	}
}
