package bench

import (
	"context"
	"time"
)

// SuiteRanks are the job sizes and SuiteSizes the block sizes at which the suite compares collectives.
var (
	SuiteRanks       = []int{2, 4, 8, 16}
	SuiteSizes       = []int{8, kib, 64 * kib}
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
		cases = append(cases, Case{Test: t, Ranks: 2, Window: window, Steps: RoundSteps(t, sizes, 2, window, l)})
	}
	for _, name := range suiteCollectives {
		t := mustFind(name)
		for _, ranks := range SuiteRanks {
			sizes := SuiteSizes
			if t.Sizeless {
				sizes = []int{0}
			}
			cases = append(cases, Case{Test: t, Ranks: ranks, Window: window, Steps: RoundSteps(t, sizes, ranks, window, l)})
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

// RunSuite compares impls on every case. A case that fails is kept with its failure and the next one runs; only
// the end of ctx stops the suite, and then the report holds what was measured until then. onCase, when not nil,
// is called with each finished comparison, tick after each run.
func RunSuite(ctx context.Context, cases []Case, impls []Implementation, rounds int, tick func(), onCase func(Comparison)) Report {
	report := Report{Started: time.Now(), Host: Observe()}
	for _, c := range cases {
		if ctx.Err() != nil {
			break
		}
		cmp, _ := Compare(ctx, c, impls, rounds, tick) // the failure is in cmp
		report.Comparisons = append(report.Comparisons, cmp)
		if onCase != nil {
			onCase(cmp)
		}
	}
	report.Host.Done()
	report.Finished = time.Now()
	return report
}
