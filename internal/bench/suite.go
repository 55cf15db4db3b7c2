package bench

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// SuiteRanks are the job sizes and SuiteSizes the block sizes at which the suite compares collectives.
var (
	SuiteRanks       = []int{2, 4, 8, 16}
	SuiteSizes       = []int{8, 64, kib, 4 * kib, 64 * kib, mib}
	suiteCollectives = []string{"barrier", "bcast", "allreduce", "allgather", "alltoall"}
	threadTests      = []string{"latency_mt", "rate_mt"}
	otherCollectives = []string{"reduce", "gather", "scatter", "reduce_scatter", "scan"}
)

// Suite says which cases a suite has.
type Suite struct {
	Quick  bool // a few sizes and job sizes: minutes, not hours
	Builds bool // also what only builds of Weft are compared in: message rate, many goroutines, one-sided operations, overlap, other collectives
	Ranks  int  // of jobs of this size only; 0: of all
	Window int
	Loops  Loops
}

// suiteRow is tests that a suite has on the same ranks with the same sizes; without sizes with
// those of the whole ladder.
type suiteRow struct {
	tests        []string
	ranks, sizes []int
	unbound      bool
}

// The rows of suites. The whole one, without what is for builds, is what docs/results/suite-host.md shows.
var (
	wholeSuite = []suiteRow{
		{tests: []string{"latency", "bw"}, ranks: []int{2}},
		{tests: suiteCollectives, ranks: SuiteRanks, sizes: SuiteSizes},
	}
	wholeBuilds = []suiteRow{
		{tests: []string{"mbw_mr"}, ranks: []int{4}, sizes: SuiteSizes},
		{tests: threadTests, ranks: []int{2}, sizes: []int{8, kib, 8 * kib}},
		{tests: []string{"put", "get"}, ranks: []int{2}, sizes: SuiteSizes},
		{tests: named(overlapTest), ranks: []int{2}, sizes: []int{mib}, unbound: true},
		{tests: otherCollectives, ranks: SuiteRanks, sizes: SuiteSizes},
	}
	quickSizes = []int{8, kib, 64 * kib, mib}
	quickSuite = []suiteRow{
		{tests: []string{"latency", "bw"}, ranks: []int{2}, sizes: quickSizes},
		{tests: suiteCollectives, ranks: []int{2, 4}, sizes: quickSizes},
	}
	quickBuilds = []suiteRow{
		{tests: []string{"mbw_mr"}, ranks: []int{4}, sizes: quickSizes},
		{tests: threadTests, ranks: []int{2}, sizes: []int{8}},
		{tests: []string{"put", "get"}, ranks: []int{2}, sizes: quickSizes},
		{tests: overlapsOf(Receiver), ranks: []int{2}, sizes: []int{mib}, unbound: true},
		{tests: otherCollectives, ranks: []int{4}, sizes: quickSizes},
	}
)

// Cases returns the cases of the suite, one test after the other.
func (s Suite) Cases() []Case {
	rows, builds := wholeSuite, wholeBuilds
	if s.Quick {
		rows, builds = quickSuite, quickBuilds
	}
	if s.Builds {
		rows = slices.Concat(rows, builds)
	}
	var cases []Case
	for _, row := range rows {
		for _, name := range row.tests {
			for _, ranks := range row.ranks {
				if s.Ranks == 0 || s.Ranks == ranks {
					cases = append(cases, s.on(row, mustFind(name), ranks))
				}
			}
		}
	}
	return cases
}

// The sizes and job sizes at which a suite has the operations that its rows do not have.
var (
	operationSizes = []int{64, 8 * kib, 256 * kib}
	wholeRanks     = []int{2, 4, 8}
	quickRanks     = []int{2, 4}
)

// Lists returns the cases of all operations that are not among Cases; those of one list share their runs.
func (s Suite) Lists() [][]Case {
	ranks := wholeRanks
	if s.Quick {
		ranks = quickRanks
	}
	all := s
	all.Ranks = 0
	known := map[string]bool{}
	for _, c := range all.Cases() {
		known[c.Test.Name] = true
	}
	rest := slices.DeleteFunc(EveryTests(), func(t Test) bool { return known[t.Name] })
	var lists [][]Case
	for _, n := range ranks {
		if s.Ranks == 0 || s.Ranks == n {
			lists = append(lists, EveryCases(rest, Layout{Ranks: n}, operationSizes)...)
		}
	}
	for _, list := range lists {
		for i := range list {
			list[i].Bars = HostBars
			s.Loops.override(list[i].Steps)
		}
	}
	return lists
}

// on returns the case of one test on so many ranks.
func (s Suite) on(row suiteRow, t Test, ranks int) Case {
	ladder, err := Sizes(t, Range{}, ranks, maxSize)
	if err != nil {
		panic(err) // the table's own defaults; a test builds every case
	}
	sizes := ladder
	if row.sizes != nil && !t.Sizeless {
		sizes = slices.DeleteFunc(slices.Clone(row.sizes), func(size int) bool { return size < ladder[0] })
	}
	return Case{Test: t, Ranks: ranks, Window: s.Window, Unbound: row.unbound, Bars: HostBars,
		Steps: RoundSteps(t, sizes, ranks, s.Window, s.Loops)}
}

func mustFind(name string) Test {
	t, err := Find(name)
	if err != nil {
		panic(err) // a name written in this package; a test builds every case
	}
	return t
}

// Trial is comparisons of a suite that share their runs: what is measured, on whom, how often.
type Trial struct {
	Cases  []Case
	Impls  []Implementation
	Rounds int
}

// RunSuite makes the comparisons one after the other. One that fails is kept with its failure and the next one runs;
// only the end of ctx stops the suite, and then the report holds what was measured until then. onTrial, when not
// nil, is called with each finished trial, tick after each run.
func RunSuite(ctx context.Context, trials []Trial, tick func(), onTrial func(Trial)) Report {
	report := Report{Started: time.Now(), Host: Observe()}
	for _, t := range trials {
		if ctx.Err() != nil {
			break
		}
		all, _ := CompareAll(ctx, t.Cases, t.Impls, t.Rounds, tick) // the failure is in the first
		for i, c := range all {
			report.Comparisons = append(report.Comparisons, c)
			report.judge(t.Cases[i].Bars)
		}
		if onTrial != nil {
			onTrial(t)
		}
	}
	report.Host.Done()
	report.Finished = time.Now()
	return report
}

// judge lists bars above the tables and holds the newest comparison against those about growth, which take an earlier
// comparison of the same test.
func (r *Report) judge(bars []Bar) {
	newest := &r.Comparisons[len(r.Comparisons)-1]
	for _, b := range bars {
		if !slices.ContainsFunc(r.bars, func(known Bar) bool { return known.Text == b.Text }) {
			r.bars = append(r.bars, b)
		}
		if b.Since == 0 {
			continue
		}
		for i, p := range newest.Points {
			if !b.applies(newest.Test, newest.Ranks, p) {
				continue
			}
			if j, ok := b.grown(p, r.pointOn(b.Since, newest.Test, p)); ok {
				newest.Points[i].Bars = append(newest.Points[i].Bars, j)
			}
		}
	}
}

// pointOn finds the same size and share of a test on another number of ranks.
func (r *Report) pointOn(ranks int, test string, like Point) Point {
	for _, c := range r.Comparisons {
		for _, p := range c.Points {
			if c.Test == test && c.Ranks == ranks && p.Size == like.Size && p.Share == like.Share {
				return p
			}
		}
	}
	return Point{}
}

// grown holds the ratio of a side's values in a larger job to those in a smaller one against the bar.
func (b Bar) grown(larger, smaller Point) (Judged, bool) {
	now, before := larger.side(b.Side), smaller.side(b.Side)
	if now < 0 || before < 0 {
		return Judged{}, false
	}
	j := Judged{Side: b.Side, Peer: fmt.Sprintf("%d ranks", b.Since), Limit: b.Limit, Least: b.Least,
		Value: Summarize(Ratios(larger.Sides[now].Samples, smaller.Sides[before].Samples))}
	j.Mark = mark(j.Value, b.Limit, b.Least)
	return j, j.Value.Count > 0
}
