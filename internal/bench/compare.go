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
	// Measure runs cases, which have ranks, hosts and window in common, once and one after the
	// other, in a process set of its own that is gone when Measure returns. The outcome has the
	// rows of all of them; when a run fails, those it gave.
	Measure(ctx context.Context, cases ...Case) (Outcome, error)
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

// Compare is CompareAll of one case.
func Compare(ctx context.Context, c Case, impls []Implementation, rounds int, tick func()) (Comparison, error) {
	all, err := CompareAll(ctx, []Case{c}, impls, rounds, tick)
	return all[0], err
}

// CompareAll measures cases on every implementation in rounds: in one round each runs all steps of
// all cases once, in one set of fresh processes, and the order rotates from round to round. So a
// change of the host's mood hits all alike, and a ratio compares runs that were seconds apart.
// tick, when not nil, is called after each run.
//
// The computation of an exchange is settled first, by the first implementation, so that all compute equally long.
//
// An implementation whose run fails takes no further part; what it gave in the rounds before stays.
// When it is the first one, or leaves the others nobody to be compared with, CompareAll stops,
// without the round under way. It returns what it has, one comparison for each case, together with
// the failures, which the first comparison tells. Another library's run that hung (ErrNoResult) is
// done once more, and counted: long comparisons are not lost to a rare hang that is not ours. The
// first one's never is.
func CompareAll(ctx context.Context, cases []Case, impls []Implementation, rounds int, tick func()) ([]Comparison, error) {
	m := match{impls: impls, tick: tick, out: make([]bool, len(impls))}
	for _, c := range cases {
		m.cmps = append(m.cmps, newComparison(c, impls))
	}
	for _, c := range cases {
		c, err := settleWork(ctx, c, impls[0])
		if err != nil {
			m.cmps[0].Failure = err.Error()
			return m.cmps, err
		}
		m.cases, m.steps = append(m.cases, c), append(m.steps, c.Steps...)
	}
	m.samples = make([][][]float64, len(impls))
	for i := range m.samples {
		m.samples[i] = make([][]float64, len(m.steps))
	}
	for round := range rounds {
		if !m.round(ctx, round, rounds) {
			break
		}
	}
	m.finish()
	err := errors.Join(m.failures...)
	if err != nil {
		m.cmps[0].Failure = err.Error()
	}
	return m.cmps, err
}

// match is comparisons under way.
type match struct {
	cases    []Case
	steps    []Step // of all cases, one after the other
	impls    []Implementation
	tick     func()
	cmps     []Comparison  // of each case
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
		var at string
		var err error
		values[i], at, err = m.run(ctx, i)
		if i > 0 && ctx.Err() == nil && errors.Is(err, ErrNoResult) {
			for k := range m.cmps {
				m.cmps[k].Libraries[i].Hung++
			}
			values[i], at, err = m.run(ctx, i)
		}
		if err != nil {
			m.failures = append(m.failures, fmt.Errorf("%s on %d ranks, round %d of %d, %s: %w",
				at, m.cases[0].Ranks, round+1, rounds, m.impls[i].Name(), err))
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
	for k := range m.cmps {
		m.cmps[k].Rounds++
	}
	return true
}

// run measures one implementation once. When that fails, it names the test that was under way.
func (m *match) run(ctx context.Context, i int) (values []float64, at string, err error) {
	out, err := m.impls[i].Measure(ctx, m.cases...)
	if err != nil {
		return nil, m.under(len(out.Rows)), err
	}
	for k, c := range m.cases {
		m.cmps[k].Libraries[i].Version = out.Library
		m.cmps[k].Libraries[i].Counters = out.Counters.text(c.Evidence)
	}
	values, err = rowValues(out, m.steps)
	return values, m.under(len(out.Rows)), err
}

// under names the test to which the next row belongs.
func (m *match) under(rows int) string {
	for _, c := range m.cases {
		if rows -= len(c.Steps); rows < 0 {
			return c.Test.Name
		}
	}
	return m.cases[len(m.cases)-1].Test.Name
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
func (m *match) finish() {
	first := 0 // step of the case
	for k, c := range m.cases {
		for n, s := range c.Steps {
			if m.cmps[k].Rounds > 0 {
				m.cmps[k].add(c, s, m.samples, first+n)
			}
		}
		first += len(c.Steps)
	}
}

// add is the point of a step, of which the samples are those at an index.
func (cmp *Comparison) add(c Case, s Step, samples [][][]float64, at int) {
	p := Point{Size: s.Size, Share: s.Share}
	for i, lib := range cmp.Libraries {
		p.Sides = append(p.Sides, Side{Name: lib.Name, Samples: samples[i][at], Summary: Summarize(samples[i][at])})
		if i > 0 && c.Test.comparable() {
			p.Ratios = append(p.Ratios, Ratio{Peer: lib.Name, Summary: p.ratio(0, i)})
		}
	}
	p.Bars = Judge(c.Bars, c.Test.Name, c.Ranks, p)
	cmp.Points = append(cmp.Points, p)
}
