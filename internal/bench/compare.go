package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// ErrNoResult is the cause with which an implementation's run is ended that has taken its time.
var ErrNoResult = errors.New("no result")

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
	Hosts          string    `json:"hosts,omitempty"` // that the ranks were on, joined by commas; empty: on one host
	Window         int       `json:"window,omitempty"`
	Rounds         int       `json:"rounds"`
	Libraries      []Library `json:"libraries"`
	Points         []Point   `json:"points"`
	Failure        string    `json:"failure,omitempty"` // who failed, and how
}

// Library names an implementation as it reported itself, and how it was run.
type Library struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Settings string `json:"settings"`
	Counters string `json:"counters,omitempty"` // of the last round: the case's evidence, where the library counts
	Hung     int    `json:"hung,omitempty"`     // runs that gave no result in time and were done once more
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
// An implementation whose run fails takes no further part; what it gave in the rounds before stays. When it is the
// first one, or leaves the others nobody to be compared with, Compare stops, without the round under way. It
// returns what it has together with the failures. Another library's run that hung (ErrNoResult) is done once more,
// and counted: long comparisons are not lost to a rare hang that is not ours. The first one's never is.
func Compare(ctx context.Context, c Case, impls []Implementation, rounds int, tick func()) (Comparison, error) {
	m := match{impls: impls, tick: tick, cmp: newComparison(c, impls), out: make([]bool, len(impls))}
	var err error
	if m.c, err = settleWork(ctx, c, impls[0]); err != nil {
		m.cmp.Failure = err.Error()
		return m.cmp, err
	}
	m.samples = make([][][]float64, len(impls))
	for i := range m.samples {
		m.samples[i] = make([][]float64, len(c.Steps))
	}
	for round := range rounds {
		if !m.round(ctx, round, rounds) {
			break
		}
	}
	m.cmp.finish(c, m.samples)
	err = errors.Join(m.failures...)
	if err != nil {
		m.cmp.Failure = err.Error()
	}
	return m.cmp, err
}

// match is a comparison under way.
type match struct {
	c        Case
	impls    []Implementation
	tick     func()
	cmp      Comparison
	samples  [][][]float64 // implementation, step, round
	out      []bool        // implementations that failed
	failures []error
}

// round runs one round and says whether another makes sense.
func (m *match) round(ctx context.Context, round, rounds int) bool {
	values := make([][]float64, len(m.impls))
	for turn := range m.impls {
		i := (round + turn) % len(m.impls)
		if m.out[i] {
			continue
		}
		var err error
		values[i], err = m.run(ctx, i)
		if i > 0 && ctx.Err() == nil && errors.Is(err, ErrNoResult) {
			m.cmp.Libraries[i].Hung++
			values[i], err = m.run(ctx, i)
		}
		if err != nil {
			m.failures = append(m.failures, fmt.Errorf("%s on %d ranks, round %d of %d, %s: %w",
				m.c.Test.Name, m.c.Ranks, round+1, rounds, m.impls[i].Name(), err))
			m.out[i] = true
			if ctx.Err() != nil || m.out[0] || m.left() < 2 {
				return false
			}
		}
		if m.tick != nil {
			m.tick()
		}
	}
	for i, v := range values {
		for step, value := range v {
			m.samples[i][step] = append(m.samples[i][step], value)
		}
	}
	m.cmp.Rounds++
	return true
}

// run measures one implementation once.
func (m *match) run(ctx context.Context, i int) ([]float64, error) {
	out, err := m.impls[i].Measure(ctx, m.c)
	if err != nil {
		return nil, err
	}
	m.cmp.Libraries[i].Version = out.Library
	m.cmp.Libraries[i].Counters = out.Counters.text(m.c.Evidence)
	return rowValues(out, m.c.Steps)
}

// left is how many implementations still take part.
func (m *match) left() int {
	n := 0
	for _, out := range m.out {
		if !out {
			n++
		}
	}
	return n
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
	bySize := map[int][]float64{}
	for i, s := range c.Steps {
		bySize[s.Size] = append(bySize[s.Size], communication[i])
	}
	c.Steps = slices.Clone(c.Steps)
	for i, s := range c.Steps {
		c.Steps[i].Work = ExchangeWork(Median(bySize[s.Size]), s.Share)
	}
	return c, nil
}

func newComparison(c Case, impls []Implementation) Comparison {
	cmp := Comparison{
		Test:           c.Test.Name,
		Unit:           c.Test.Unit(),
		HigherIsBetter: c.Test.HigherIsBetter(),
		Ranks:          c.Ranks,
		Hosts:          c.Hosts,
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
