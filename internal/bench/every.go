package bench

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// What every operation is held against: the times of Weft over those of the better of the other libraries.
const (
	EveryMean  = 0.9 // geometric mean over all points, at most
	EveryWorst = 1.3 // at each point, at most
)

const mostBad = 10 // points that a report names

// EveryTests are the tests with which every operation of mpi is measured once, on any even number
// of ranks. Streams of messages are not among them: they are Isend again; nor what several
// goroutines do: libraries have to be told at their start.
func EveryTests() []Test {
	return slices.DeleteFunc(Tests(), func(t Test) bool { return !t.measuresOperation() || t.TwoRanks || t.Threads || t.Shape == Stream })
}

// Layout is where the ranks of a job are.
type Layout struct {
	Hosts int // 0: this host alone
	Ranks int // of each
}

// Total is the number of ranks.
func (l Layout) Total() int { return max(l.Hosts, 1) * l.Ranks }

// String is 4 for as many ranks on this host, 2x4 for as many on each of two.
func (l Layout) String() string {
	if l.Hosts == 0 {
		return strconv.Itoa(l.Ranks)
	}
	return fmt.Sprintf("%dx%d", l.Hosts, l.Ranks)
}

// ParseLayout reads what String writes.
func ParseLayout(text string) (Layout, error) {
	hosts, ranks, several := strings.Cut(text, "x")
	if !several {
		hosts, ranks = "0", text
	}
	var l Layout
	var errs [2]error
	l.Hosts, errs[0] = parseCount(hosts, MaxRanks)
	l.Ranks, errs[1] = parseCount(ranks, MaxRanks)
	if err := errors.Join(errs[:]...); err != nil || several && l.Hosts < 2 || l.Ranks < 1 || l.Total() < 2 || l.Total() > MaxRanks {
		return Layout{}, fmt.Errorf("layout %q is neither a number of ranks from 2 on nor HOSTSxRANKS, such as 2x4", text)
	}
	return l, nil
}

// EveryCases returns the cases of tests on a layout, in which a test that takes no size, or one only,
// has that. Tests that do not fit the number of ranks are left out. Each list shares a job; windows have
// one of their own, since not every library has them over every network, and so has what older libraries
// lack.
func EveryCases(tests []Test, l Layout, sizes []int) [][]Case {
	isWindow := func(t Test) bool { return t.Shape == Sided || strings.HasPrefix(t.Name, "win_") }
	isRecent := func(t Test) bool { return t.Recent }
	isOther := func(t Test) bool { return !isWindow(t) && !isRecent(t) }
	var lists [][]Case
	for _, wanted := range []func(Test) bool{isOther, isWindow, isRecent} {
		lists = append(lists, casesOf(slices.DeleteFunc(slices.Clone(tests), func(t Test) bool { return !wanted(t) }), l, sizes))
	}
	return slices.DeleteFunc(lists, func(list []Case) bool { return len(list) == 0 })
}

func casesOf(tests []Test, l Layout, sizes []int) []Case {
	var cases []Case
	for _, t := range tests {
		if t.CheckRanks(l.Total()) != nil {
			continue
		}
		c := Case{Test: t, Ranks: l.Total(), Window: 1}
		for _, size := range t.fit(sizes, l.Total()) {
			c.Steps = append(c.Steps, everyStep(t, size, l.Total()))
		}
		if len(c.Steps) > 0 {
			cases = append(cases, c)
		}
	}
	return cases
}

// oneSize says whether all messages of a test are of one size, or it has none.
func (t Test) oneSize() bool { return t.Sizeless || t.Smallest == t.Largest }

// fit returns those of the sizes that the test can have on so many ranks.
func (t Test) fit(sizes []int, ranks int) []int {
	if t.oneSize() {
		return []int{t.Smallest}
	}
	return slices.DeleteFunc(slices.Clone(sizes), func(size int) bool {
		return size < t.Smallest || t.Vector && size%4 != 0 || t.Shared && size < 4*ranks
	})
}

// everyStep is a short measurement: there are hundreds of them in a job, and as many jobs as there
// is patience for. It warms up for long enough to have gone once through the memory that messages
// go through, and shorter on more ranks, which may share processors and then take turns.
func everyStep(t Test, size, ranks int) Step {
	bytes := max(size, 1)
	if t.Spread {
		bytes *= ranks
	}
	warm := 100
	switch {
	case t.Manages: // slow, and the same whatever the size
		return Step{Size: size, Iterations: 4, Warmup: 4, Batches: 5}
	case t.Shape == PingPong || t.exchanges():
		warm = 500
	}
	s := Step{Size: size, Iterations: clamp(mib/bytes, 2, 10), Warmup: clamp(4*mib/bytes, 4, max(2*warm/ranks, 10)), Batches: 7}
	if bytes >= 256*kib {
		s.Batches = 5
	}
	return s
}

// Every says how every operation stands to the other libraries. Ratios are those of times: below 1
// the first side is faster.
type Every struct {
	Layouts []string     `json:"layouts"`
	Sizes   []int        `json:"sizes"`
	Ratio   float64      `json:"ratio"` // geometric mean of all points; 0 when there are none
	Above   int          `json:"above"` // points above EveryWorst
	Tests   []TestMean   `json:"tests"` // in the order of the table of tests
	Points  []EveryPoint `json:"points"`
}

// EveryPoint is one operation on one layout with one size.
type EveryPoint struct {
	Test   string  `json:"test"`
	Layout string  `json:"layout"`
	Size   int     `json:"size"`
	Peer   string  `json:"peer"`  // the library that is faster than the others
	Ours   float64 `json:"ours"`  // median, in microseconds
	Best   float64 `json:"best"`  // of that library
	Ratio  Summary `json:"ratio"` // within rounds

	column int
}

// HoldEvery sums up what the report says about operations at these sizes.
func (r *Report) HoldEvery(sizes []int) {
	e := &Every{Sizes: sizes}
	for _, c := range r.Comparisons {
		t, err := Find(c.Test)
		if err != nil {
			continue // not of the table
		}
		layout := c.layout().String()
		if !slices.Contains(e.Layouts, layout) {
			e.Layouts = append(e.Layouts, layout)
		}
		for _, p := range c.Points {
			point, ok := p.best()
			point.column = slices.Index(e.Layouts, layout) * len(sizes)
			if !t.oneSize() {
				point.column += slices.Index(sizes, p.Size)
			}
			if point.Test, point.Layout = c.Test, layout; ok {
				e.Points = append(e.Points, point)
			}
		}
	}
	e.sum()
	r.Every = e
}

// layout is where the ranks of the comparison were.
func (c Comparison) layout() Layout {
	if c.Hosts == "" {
		return Layout{Ranks: c.Ranks}
	}
	hosts := strings.Count(c.Hosts, ",") + 1
	return Layout{Hosts: hosts, Ranks: c.Ranks / hosts}
}

// best is the point against the library that is hardest to beat.
func (p Point) best() (EveryPoint, bool) {
	best := EveryPoint{Size: p.Size}
	for i, r := range p.Ratios {
		if r.Summary.Count > 0 && r.Summary.Median > best.Ratio.Median {
			best.Peer, best.Ratio = r.Peer, r.Summary
			best.Ours, best.Best = p.Sides[0].Summary.Median, p.Sides[i+1].Summary.Median
		}
	}
	return best, best.Peer != ""
}

// sum forms the means anew.
func (e *Every) sum() {
	e.Above, e.Tests = 0, nil
	var all []float64
	for _, t := range Tests() {
		ratios := e.ratios(func(p EveryPoint) bool { return p.Test == t.Name })
		if len(ratios) > 0 {
			e.Tests = append(e.Tests, TestMean{Test: t.Name, Points: len(ratios), Ratio: GeometricMean(ratios)})
		}
		all = append(all, ratios...)
	}
	for _, r := range all {
		if r > EveryWorst {
			e.Above++
		}
	}
	e.Ratio = GeometricMean(all)
}

// ratios returns the medians at some points.
func (e *Every) ratios(of func(EveryPoint) bool) []float64 {
	var ratios []float64
	for _, p := range e.Points {
		if of(p) {
			ratios = append(ratios, p.Ratio.Median)
		}
	}
	return ratios
}

// worst returns the points with the highest ratios, the highest first.
func (e *Every) worst() []EveryPoint {
	points := slices.Clone(e.Points)
	slices.SortStableFunc(points, func(a, b EveryPoint) int { return cmp.Compare(b.Ratio.Median, a.Ratio.Median) })
	return points[:min(len(points), mostBad)]
}
