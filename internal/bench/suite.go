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
)

// SuiteCases returns the cases behind docs/performance.md: latency and bandwidth over the whole ladder on two
// ranks, five collectives at SuiteSizes on SuiteRanks.
func SuiteCases(window int, l Loops) []Case {
	var cases []Case
	for _, name := range []string{"latency", "bw"} {
		t := mustFind(name)
		sizes, err := Sizes(t, Range{}, 2, maxSize)
		if err != nil {
			panic(err) // the table's own defaults; a test builds every case
		}
		cases = append(cases, Case{Test: t, Ranks: 2, Window: window, Bars: HostBars, Steps: RoundSteps(t, sizes, 2, window, l)})
	}
	for _, name := range suiteCollectives {
		t := mustFind(name)
		for _, ranks := range SuiteRanks {
			sizes := SuiteSizes
			if t.Sizeless {
				sizes = []int{0}
			}
			cases = append(cases, Case{Test: t, Ranks: ranks, Window: window, Bars: HostBars, Steps: RoundSteps(t, sizes, ranks, window, l)})
		}
	}
	return cases
}

func mustFind(name string) Test {
	t, err := Find(name)
	if err != nil {
		panic(err) // a name written in this package; a test builds every case
	}
	return t
}

// Trial is one comparison of a suite: what is measured, on whom, how often.
type Trial struct {
	Case   Case
	Impls  []Implementation
	Rounds int
}

// RunSuite makes the comparisons one after the other. One that fails is kept with its failure and the next one runs;
// only the end of ctx stops the suite, and then the report holds what was measured until then. onTrial, when not
// nil, is called with each finished comparison, tick after each run.
func RunSuite(ctx context.Context, trials []Trial, tick func(), onTrial func(Comparison)) Report {
	report := Report{Started: time.Now(), Host: Observe()}
	for _, t := range trials {
		if ctx.Err() != nil {
			break
		}
		cmp, _ := Compare(ctx, t.Case, t.Impls, t.Rounds, tick) // the failure is in cmp
		report.Comparisons = append(report.Comparisons, cmp)
		report.judge(t.Case.Bars)
		if onTrial != nil {
			onTrial(cmp)
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
