package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Old is the name of the side that is another build of Weft. It runs with the first side's settings, and no bar is about it.
const Old = "old"

// Build tells one build of the tool from another.
type Build struct {
	Path    string `json:"path"`
	Version string `json:"version"` // as it says itself
	Sum     string `json:"sha256"`  // of the file: builds without a version differ in it, too
}

// String is the build for the head of a report.
func (b Build) String() string {
	return fmt.Sprintf("%s, version %s, sha256 %.12s", b.Path, b.Version, b.Sum)
}

// Against says how this build stands to another one. All ratios are new/old and count as those of times, that of bandwidths
// turned over: below 1 the new build is faster. Percentages and memory are not part of it: they are no speeds.
type Against struct {
	New     Build      `json:"new"`
	Old     Build      `json:"old"`
	Points  int        `json:"points"`
	Ratio   float64    `json:"ratio"`   // geometric mean of the medians at all points; 0 when there are none
	Rounds  Summary    `json:"rounds"`  // of the geometric means of each round that all points have
	Faster  int        `json:"faster"`  // points whose quartiles are all below 1
	Slower  int        `json:"slower"`  // points whose quartiles are all above 1
	Tests   []TestMean `json:"tests"`   // in the order they were measured
	Slowest []Slow     `json:"slowest"` // of the slower points those with the highest ratios
}

// TestMean is the geometric mean of the medians at all points of a test.
type TestMean struct {
	Test   string  `json:"test"`
	Hosts  string  `json:"hosts,omitempty"`
	Points int     `json:"points"`
	Ratio  float64 `json:"ratio"`
}

// Slow is a point at which the new build is slower, beyond its quartiles.
type Slow struct {
	Test  string  `json:"test"`
	Hosts string  `json:"hosts,omitempty"`
	Ranks int     `json:"ranks"`
	Size  int     `json:"size"`
	Share int     `json:"share,omitempty"`
	Ratio Summary `json:"ratio"`
}

const (
	mostSlow  = 5 // points that a report names
	fewRounds = 4 // quartiles of fewer say nothing
)

// Hold sums up what the report says about this build and another one, which was the side called Old.
func (r *Report) Hold(now, old Build) {
	a := &Against{New: now, Old: old}
	var medians []float64
	var rounds [][]float64 // of each point
	tests := map[TestMean][]float64{}
	var order []TestMean
	for _, c := range r.Comparisons {
		key := TestMean{Test: c.Test, Hosts: c.Hosts}
		for _, p := range c.Points {
			ratios := c.slowdowns(p)
			if len(ratios) == 0 {
				continue
			}
			s := Summarize(ratios)
			if len(tests[key]) == 0 {
				order = append(order, key)
			}
			tests[key] = append(tests[key], s.Median)
			medians, rounds = append(medians, s.Median), append(rounds, ratios)
			a.count(Slow{Test: c.Test, Hosts: c.Hosts, Ranks: c.Ranks, Size: p.Size, Share: p.Share, Ratio: s})
		}
	}
	a.Points, a.Ratio, a.Rounds = len(medians), GeometricMean(medians), Summarize(roundMeans(rounds))
	for _, key := range order {
		a.Tests = append(a.Tests, TestMean{Test: key.Test, Hosts: key.Hosts, Points: len(tests[key]), Ratio: GeometricMean(tests[key])})
	}
	slices.SortStableFunc(a.Slowest, func(x, y Slow) int { return cmp.Compare(y.Ratio.Median, x.Ratio.Median) })
	a.Slowest = a.Slowest[:min(len(a.Slowest), mostSlow)]
	r.Against = a
}

// count takes a point into account.
func (a *Against) count(p Slow) {
	switch {
	case p.Ratio.Count < fewRounds:
	case p.Ratio.Q3 < 1:
		a.Faster++
	case p.Ratio.Q1 > 1:
		a.Slower++
		a.Slowest = append(a.Slowest, p)
	}
}

// slowdowns returns the ratio of the first side's times to those of the other build, one per round; nothing where there
// are no speeds, or no other build.
func (c Comparison) slowdowns(p Point) []float64 {
	old := p.side(Old)
	if old <= 0 || len(p.Ratios) == 0 || c.Unit == "MB" {
		return nil
	}
	if c.HigherIsBetter {
		return Ratios(p.Sides[old].Samples, p.Sides[0].Samples)
	}
	return Ratios(p.Sides[0].Samples, p.Sides[old].Samples)
}

// roundMeans returns the geometric mean over all points of each round that all of them have.
func roundMeans(points [][]float64) []float64 {
	if len(points) == 0 {
		return nil
	}
	rounds := len(slices.MinFunc(points, func(a, b []float64) int { return cmp.Compare(len(a), len(b)) }))
	means := make([]float64, rounds)
	for i := range means {
		var round []float64
		for _, p := range points {
			round = append(round, p[i])
		}
		means[i] = GeometricMean(round)
	}
	return means
}

// head says which builds were measured.
func (a *Against) head() []string {
	lines := []string{"new: " + a.New.String(), "old: " + a.Old.String()}
	if a.New.Sum == a.Old.Sum {
		lines = append(lines, "old is the same build as new: the ratios show how much this host scatters")
	}
	return lines
}

// verdict sums the comparison up, the mean first.
func (a *Against) verdict() []string {
	if a.Points == 0 {
		return []string{"new/old: no speeds were compared"}
	}
	lines := []string{fmt.Sprintf("new/old: geometric mean %.3f [%.3f-%.3f] over %s, as times: below 1 new is faster; beyond their quartiles faster at %d, slower at %d",
		a.Ratio, a.Rounds.Q1, a.Rounds.Q3, plural(a.Points, "point"), a.Faster, a.Slower)}
	var each []string
	for _, t := range a.Tests {
		each = append(each, fmt.Sprintf("%s%s %.3f", t.Test, between(t.Hosts), t.Ratio))
	}
	if len(each) > 1 {
		lines = append(lines, "new/old by test: "+strings.Join(each, ", "))
	}
	for _, p := range a.Slowest {
		at := fmt.Sprintf("%s, %s on %d ranks%s", p.Test, SizeText(p.Size), p.Ranks, between(p.Hosts))
		if p.Share > 0 {
			at += fmt.Sprintf(", %d %%", p.Share)
		}
		lines = append(lines, fmt.Sprintf("slower: %s: %.2f [%.2f-%.2f]", at, p.Ratio.Median, p.Ratio.Q1, p.Ratio.Q3))
	}
	return lines
}

// between names the hosts of a measurement, for the end of its name; nothing on one host.
func between(hosts string) string {
	if hosts == "" {
		return ""
	}
	return " between " + hosts
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
