package tuner

import (
	"cmp"
	"math"
	"slices"
)

// rung is one size of an operation on a place: what every algorithm takes there.
type rung struct {
	by      map[string]*Timing
	inForce *Timing // the fastest, if nothing is said to be in force
}

// rungs sorts the timings of a ladder by size.
func rungs(ts []*Timing) []rung {
	slices.SortStableFunc(ts, func(a, b *Timing) int { return cmp.Compare(a.Bytes, b.Bytes) })
	var all []rung
	for i, t := range ts {
		if i == 0 || ts[i-1].Bytes != t.Bytes {
			all = append(all, rung{by: map[string]*Timing{}})
		}
		r := &all[len(all)-1]
		r.by[t.Algorithm] = t
		if r.inForce == nil || !r.inForce.InForce && (t.InForce || t.Median() < r.inForce.Median()) {
			r.inForce = t
		}
	}
	return all
}

// stay is the choice to leave a rung to what is in force there.
const stay = ""

// cost is what a choice takes on a rung, as the logarithm of its part of what is in force there. Another
// algorithm has to make up for the margin first, and only what it surely gains counts: the fewer rounds
// there are and the more they differ, the less.
func (r *rung) cost(choice string, margin float64) float64 {
	t := r.by[choice]
	switch {
	case choice == stay || t == r.inForce:
		return 0
	case t == nil || 2*len(t.Rounds) < len(r.inForce.Rounds): // does not fit, or was left out for being slow
		return math.Inf(1)
	}
	return math.Log(surely(t, r.inForce)) + math.Log1p(margin)
}

// surely is what a takes at most as a part of b's time, with some confidence: what is so over the
// rounds and, if there were several jobs, over their medians, because all rounds of a job share
// what only this job has, such as where its memory lies.
func surely(a, b *Timing) float64 {
	all := atMost(ratios(a, b))
	if jobs := jobRatios(a, b); len(jobs) > 1 {
		all = max(all, atMost(jobs))
	}
	return all
}

// atMost is not the median of some numbers but the one that is larger than it by 1.5 standard
// deviations of how many are below a median.
func atMost(each []float64) float64 {
	slices.Sort(each)
	n := float64(len(each))
	return each[min(int((n+1.5*math.Sqrt(n))/2), len(each)-1)]
}

// climb chooses for all sizes of a ladder at once: of all ways to go up it, the one with the least cost,
// where a change from one choice to another costs the margin, too.
func climb(ts []*Timing, margin float64) []Winner {
	ladder := rungs(ts)
	choices := []string{stay}
	for _, t := range ts {
		if !slices.Contains(choices, t.Algorithm) {
			choices = append(choices, t.Algorithm)
		}
	}
	best := make([]float64, len(choices)) // of all ways up to here that end with a choice
	from := make([][]int, len(ladder))    // by rung and choice: the choice below
	for i := range ladder {
		from[i] = make([]int, len(choices))
		cheapest := slices.Index(best, slices.Min(best))
		next := make([]float64, len(choices))
		for k, choice := range choices {
			from[i][k] = k
			if below := best[cheapest] + math.Log1p(margin); i > 0 && below < best[k] {
				from[i][k], best[k] = cheapest, below
			}
			next[k] = best[k] + ladder[i].cost(choice, margin)
		}
		best = next
	}
	winners := make([]Winner, len(ladder))
	k := slices.Index(best, slices.Min(best))
	for i, r := range slices.Backward(ladder) {
		winners[i] = r.winner(choices[k])
		k = from[i][k]
	}
	return winners
}

// winner is a choice on a rung.
func (r *rung) winner(choice string) Winner {
	t, b := cmp.Or(r.by[choice], r.inForce), r.inForce
	w := Winner{Place: t.Place, Op: t.Op, Bytes: t.Bytes, Algorithm: t.Algorithm, Micros: t.Median(), Before: b.Algorithm, BeforeUs: b.Median(),
		Doubt: t.Doubt(), Least: 1}
	each := jobRatios(t, b)
	w.Jobs = len(each)
	for _, r := range each {
		if r < 1 {
			w.Wins++
		}
	}
	if t != b {
		w.Least = 1 / surely(t, b)
	}
	return w
}
