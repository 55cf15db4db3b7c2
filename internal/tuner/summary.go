package tuner

import (
	"cmp"
	"math"
	"slices"
)

// Summary is what choosing costs over some points.
type Summary struct {
	Name   string  `json:"name"`
	Points int     `json:"points"`
	Mean   float64 `json:"mean"` // geometric, of the regrets
	Worst  *Point  `json:"worst"`
}

// Summarize sums points up by a name of theirs, in the order in which the names first come. Points
// that were skipped do not count.
func Summarize(points []Point, name func(*Point) string) (all []Summary) {
	at := map[string]int{}
	for i := range points {
		p := &points[i]
		if p.Skipped != "" {
			continue
		}
		k, known := at[name(p)]
		if !known {
			k = len(all)
			at[name(p)] = k
			all = append(all, Summary{Name: name(p)})
		}
		s := &all[k]
		s.Points++
		s.Mean += math.Log(p.Regret())
		if s.Worst == nil || p.Regret() > s.Worst.Regret() {
			s.Worst = p
		}
	}
	for i := range all {
		all[i].Mean = math.Exp(all[i].Mean / float64(all[i].Points))
	}
	return all
}

// Worst returns the points with the most regret, up to n, the worst first. Those where the choice
// was best do not count.
func Worst(points []Point, n int) []Point {
	all := slices.DeleteFunc(slices.Clone(points), func(p Point) bool { return p.Skipped != "" || p.Regret() <= 1 })
	slices.SortStableFunc(all, func(a, b Point) int { return cmp.Compare(b.Regret(), a.Regret()) })
	return all[:min(n, len(all))]
}
