package bench

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Old is the name of the side that is another build of Weft. It runs with the first side's
// settings, and no bar is about it.
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

// Against says how this build stands to another one. All ratios are new/old and count as those of
// times, that of bandwidths turned over: below 1 the new build is faster. Percentages and memory
// are not part of it: they are no speeds.
type Against struct {
	New     Build      `json:"new"`
	Old     Build      `json:"old"`
	Points  int        `json:"points"`
	Ratio   float64    `json:"ratio"`             // geometric mean of the medians at all points; 0 when there are none
	Low     float64    `json:"low"`               // 95 % of the means that other rounds of the same kind might have given are from here
	High    float64    `json:"high"`              // to here
	Faster  int        `json:"faster"`            // points whose quartiles are all below 1
	Slower  int        `json:"slower"`            // points whose quartiles are all above 1
	Tests   []TestMean `json:"tests,omitempty"`   // in the order they were measured
	Slowest []Slow     `json:"slowest,omitempty"` // of the slower points those with the highest ratios
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
	resamples = 500
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
	a.Points, a.Ratio = len(medians), GeometricMean(medians)
	a.Low, a.High = resample(rounds)
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

// slowdowns returns the ratio of the first side's times to those of the other build, one per round;
// nothing where there are no speeds, or no other build.
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

// resample returns the range of the geometric mean of medians in 95 of 100 series of rounds that
// might have been instead: each is drawn from the rounds there were, the same ones for all points,
// since what disturbs a round disturbs all sizes in it. Equal points give equal ranges.
func resample(points [][]float64) (low, high float64) {
	if len(points) == 0 {
		return 0, 0
	}
	longest := len(slices.MaxFunc(points, func(a, b []float64) int { return cmp.Compare(len(a), len(b)) }))
	chance := rand.New(rand.NewPCG(1, 1))
	drawn := make([]float64, longest)
	series, medians, means := make([]float64, longest), make([]float64, len(points)), make([]float64, resamples)
	for k := range means {
		for i := range drawn {
			drawn[i] = chance.Float64()
		}
		for i, p := range points {
			for round := range p {
				series[round] = p[int(drawn[round]*float64(len(p)))]
			}
			medians[i] = Median(series[:len(p)])
		}
		means[k] = GeometricMean(medians)
	}
	slices.Sort(means)
	return quantile(means, 0.025), quantile(means, 0.975)
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
		a.Ratio, a.Low, a.High, plural(a.Points, "point"), a.Faster, a.Slower)}
	if len(a.Tests) > 1 {
		lines = append(lines, a.byTest()...)
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

// byTest is a line for one host, and one for each list of hosts.
func (a *Against) byTest() []string {
	var lines []string
	hosts := ""
	for i, t := range a.Tests {
		if i == 0 || t.Hosts != hosts {
			hosts = t.Hosts
			lines = append(lines, "new/old by test"+between(hosts)+":")
		}
		lines[len(lines)-1] += fmt.Sprintf(" %s %.3f", t.Test, t.Ratio)
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
