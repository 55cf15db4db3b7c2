package tuner

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/coll"
)

// Place is the machine under a measurement: how many ranks, and where.
type Place struct {
	Ranks   int  `json:"ranks"`
	Nodes   int  `json:"nodes"`
	Local   int  `json:"local"` // ranks on the fullest node
	Rails   int  `json:"rails"`
	Crowded bool `json:"crowded"`          // more ranks than cores on a node
	Spread  int  `json:"spread,omitempty"` // how far apart ranks come to a call, see coll.Case
}

// Timing is what one algorithm takes for one case.
type Timing struct {
	Place
	Op        string    `json:"op"`
	Bytes     int       `json:"bytes"`
	Algorithm string    `json:"algorithm"`       // full name
	Chose     string    `json:"chose,omitempty"` // if Algorithm names rules: the one they choose
	InForce   bool      `json:"in_force"`        // the one that the rules in force choose
	Rounds    []float64 `json:"rounds"`          // microseconds per call, one number per round
	Jobs      []int     `json:"jobs,omitempty"`  // how many rounds are of each job, if there were several
}

// Merge puts the timings of several jobs together, in the order of the first.
func Merge(jobs ...[]Timing) (all []Timing) {
	type key struct {
		ground
		bytes     int
		algorithm string
	}
	at := map[key]int{}
	for _, job := range jobs {
		for _, t := range job {
			k := key{ground{t.Place, t.Op}, t.Bytes, t.Algorithm}
			i, known := at[k]
			if !known {
				i = len(all)
				at[k] = i
				first := t
				first.Rounds, first.Jobs = nil, nil
				all = append(all, first)
			}
			all[i].Rounds = append(all[i].Rounds, t.Rounds...)
			all[i].Jobs = append(all[i].Jobs, len(t.Rounds))
		}
	}
	return all
}

// byJob is the rounds of each job.
func (t *Timing) byJob() (jobs [][]float64) {
	rest := t.Rounds
	for _, n := range t.Jobs {
		jobs = append(jobs, rest[:n])
		rest = rest[n:]
	}
	if t.Jobs == nil {
		jobs = append(jobs, rest)
	}
	return jobs
}

// Doubt is half the range of the jobs' medians or, of a single job, of the middle half of its
// rounds, as a share of the median.
func (t *Timing) Doubt() float64 {
	var each []float64
	for _, job := range t.byJob() {
		each = append(each, median(job))
	}
	if len(each) == 1 {
		each = slices.Sorted(slices.Values(t.Rounds))
		each = each[len(each)/4 : len(each)*3/4+1]
	}
	return (slices.Max(each) - slices.Min(each)) / 2 / t.Median()
}

// Median returns the middle of the rounds, in microseconds.
func (t *Timing) Median() float64 { return median(t.Rounds) }

// median is the middle of some numbers, infinite if there are none.
func median(of []float64) float64 {
	if len(of) == 0 {
		return math.Inf(1)
	}
	sorted := slices.Sorted(slices.Values(of))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// Winner is the algorithm that was chosen for a case.
type Winner struct {
	Place
	Op        string  `json:"op"`
	Bytes     int     `json:"bytes"`
	Algorithm string  `json:"algorithm"`
	Micros    float64 `json:"us"`
	Before    string  `json:"before"`    // the algorithm in force
	BeforeUs  float64 `json:"before_us"` // what it took
	Doubt     float64 `json:"doubt"`     // of Micros, see Timing.Doubt
	Least     float64 `json:"least"`     // the gain that is sure, 1 if the one in force stays
	Jobs      int     `json:"jobs"`      // in which both were measured
	Wins      int     `json:"wins"`      // in which it was faster than what was in force
}

// Gain returns how many times faster the winner is than what was in force.
func (w *Winner) Gain() float64 { return w.BeforeUs / w.Micros }

// Winners returns what to choose for every case, in the order of operations, places and bytes: what
// is fastest, as far as it is clear. The one in force keeps its place unless another is surely
// faster by margin (0.05 is 5 %), over rounds and over jobs; and a size has another algorithm than
// its neighbours only if that gains as much, because what looks fastest at a single size often is
// noise.
func Winners(timings []Timing, margin float64) []Winner {
	ladders := map[ground][]*Timing{}
	for i := range timings {
		t := &timings[i]
		ladders[ground{t.Place, t.Op}] = append(ladders[ground{t.Place, t.Op}], t)
	}
	var all []Winner
	for _, ts := range ladders {
		all = append(all, climb(ts, margin)...)
	}
	slices.SortFunc(all, func(a, b Winner) int {
		return cmp.Or(cmp.Compare(opNumber(a.Op), opNumber(b.Op)), comparePlaces(a.Place, b.Place), cmp.Compare(a.Bytes, b.Bytes))
	})
	return all
}

// ground is an operation on a place.
type ground struct {
	Place
	op string
}

func opNumber(name string) coll.Op {
	op, _ := coll.ParseOp(name)
	return op
}

func comparePlaces(a, b Place) int {
	return cmp.Or(cmp.Compare(a.Spread, b.Spread), cmp.Compare(a.Nodes, b.Nodes), cmp.Compare(a.Rails, b.Rails), cmp.Compare(a.Ranks, b.Ranks),
		cmp.Compare(a.Local, b.Local))
}

// Rules turns winners into rules, which parse. Sizes between two measured ones belong to the nearer one; so
// do numbers of ranks, if winners of several are given for the same nodes and rails, and the smallest and
// the largest have no rule beyond themselves; so do spreads, if several were measured, and the largest
// stands for all beyond. An operation is left out where what is in force has won everywhere.
func Rules(winners []Winner) string {
	var lines []string
	var spreads []int
	for _, w := range winners {
		spreads = append(spreads, w.Spread)
	}
	slices.Sort(spreads)
	spreads = slices.Compact(spreads)
	for _, group := range grouped(winners) {
		if !slices.ContainsFunc(group, func(w Winner) bool { return w.Algorithm != w.Before }) {
			continue
		}
		for _, place := range placesOf(group) {
			lines = append(lines, rulesOf(group, place, spreadRange(spreads, place.Spread))...)
		}
	}
	return strings.Join(lines, "\n")
}

// grouped cuts winners, which are in order, where the operation, the nodes, the rails, the crowding or the
// spread change.
func grouped(winners []Winner) (groups [][]Winner) {
	same := func(a, b Winner) bool {
		return a.Op == b.Op && a.Nodes == b.Nodes && a.Rails == b.Rails && a.Crowded == b.Crowded && a.Spread == b.Spread
	}
	for i, w := range winners {
		if i == 0 || !same(winners[i-1], w) {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], w)
	}
	return groups
}

// placesOf lists the places of a group, by ranks.
func placesOf(group []Winner) (places []Place) {
	for _, w := range group {
		if !slices.Contains(places, w.Place) {
			places = append(places, w.Place)
		}
	}
	return places
}

// rulesOf writes the rules of one place: a line per run of sizes with the same winner. Spread is a
// condition of each, or empty.
func rulesOf(group []Winner, p Place, spread string) (lines []string) {
	var own []Winner
	for _, w := range group {
		if w.Place == p {
			own = append(own, w)
		}
	}
	from := 0
	for i := range own {
		last := i == len(own)-1
		if !last && own[i+1].Algorithm == own[i].Algorithm {
			continue
		}
		bytes := fmt.Sprintf("%d-", from)
		if !last {
			to := middle(own[i].Bytes, own[i+1].Bytes)
			bytes = fmt.Sprintf("%d-%d", from, to)
			from = to + 1
		}
		_, way, _ := strings.Cut(own[i].Algorithm, "/")
		lines = append(lines, fmt.Sprintf("%s:%s:%s:%s%s=%s", own[i].Op, bytes, ranksRange(group, p), p.conditions(), spread, way))
	}
	return lines
}

// middle is the last size that belongs to the smaller of two, half way between them as powers.
func middle(a, b int) int { return max(int(math.Sqrt(float64(max(a, 1))*float64(b))), a) }

// ranksRange is the range of ranks for which place p of the group stands.
func ranksRange(group []Winner, p Place) string {
	from, to := p.Ranks, p.Ranks
	places := placesOf(group) // by ranks
	if i := slices.Index(places, p); i > 0 {
		from = middle(places[i-1].Ranks, p.Ranks) + 1
	}
	if i := slices.Index(places, p); i < len(places)-1 {
		to = middle(p.Ranks, places[i+1].Ranks)
	}
	return fmt.Sprintf("%d-%d", from, to)
}

// spreadRange is the condition for a spread among those that were measured, in order: nothing if there is one only.
func spreadRange(all []int, spread int) string {
	i, from := slices.Index(all, spread), 0
	if i > 0 {
		from = middle(all[i-1], spread) + 1
	}
	switch {
	case len(all) == 1:
		return ""
	case i == len(all)-1:
		return fmt.Sprintf(":spread%d-", from)
	}
	return fmt.Sprintf(":spread%d-%d", from, middle(spread, all[i+1]))
}

// conditions are those of a rule besides bytes, ranks and spread.
func (p Place) conditions() string {
	words := []string{fmt.Sprintf("nodes%d", p.Nodes)}
	if p.Rails > 1 {
		words = append(words, fmt.Sprintf("rails%d", p.Rails))
	}
	if p.Crowded {
		words = append(words, "crowded")
	} else {
		words = append(words, "roomy")
	}
	return strings.Join(words, ":")
}
