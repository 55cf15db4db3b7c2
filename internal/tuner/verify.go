package tuner

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
)

// What a Timing of Verify is of, besides algorithms.
const (
	TunedRules   = "tuned rules"
	BuiltInRules = "built-in rules"
)

// Verify times rules, the built-in rules, and every algorithm that can do all sizes, or those of
// cfg.Against, in interleaved rounds. All ranks of world call it; rank 0 gets the timings. These are not
// the rounds by which the rules were chosen: those would flatter them.
func Verify(ctx context.Context, world *comm.Comm, cfg Config, rules []coll.Rule) ([]Timing, error) {
	v := &verifier{bench: bench{world: world.WithContext(ctx), cfg: cfg, rank: world.Rank()}, fit: map[coll.Op][]string{}}
	v.tuned = world.Env().Select.With(rules...)
	for _, op := range cfg.Ops {
		v.fit[op] = v.fitAll(op)
	}
	return v.cases(v.candidates)
}

// verifier is one rank's part in a verification.
type verifier struct {
	bench
	tuned *coll.Selector
	fit   map[coll.Op][]string // algorithms that can do all sizes
}

// fitAll lists the algorithms of an operation that can do all sizes, also those worth trying at some of them only.
func (v *verifier) fitAll(op coll.Op) (names []string) {
	sizes := v.cfg.sizes(op)
	refuses := func(name string) bool {
		if _, way, _ := strings.Cut(name, "/"); len(v.cfg.Against) > 0 && !slices.Contains(v.cfg.Against, way) {
			return true
		}
		a, _ := coll.Find(name)
		return slices.ContainsFunc(sizes, func(bytes int) bool { return !a.Fits(v.world.Case(v.call(op, bytes))) })
	}
	for _, bytes := range sizes {
		for _, name := range Ways(v.world.Case(v.call(op, bytes))) {
			if !slices.Contains(names, name) && !refuses(name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// candidates are the rules and the algorithms. What rules choose is not left out for being slow, nor is the
// algorithm that they choose: it would be compared by its slow rounds alone.
func (v *verifier) candidates(c coll.Case) ([]*candidate, error) {
	var all []*candidate
	var names []string
	for _, r := range []struct {
		name string
		by   *coll.Selector
	}{{TunedRules, v.tuned}, {BuiltInRules, coll.For(v.world.Env().Select.Machine())}} {
		k := v.candidate(c, r.name, r.by)
		chosen, _ := r.by.Choose(c)
		k.timing.Chose, k.stays = chosen.Name, true
		names = append(names, chosen.Name)
		all = append(all, k)
	}
	for _, name := range v.fit[c.Op] {
		k, err := v.fixed(c, name)
		if err != nil {
			return nil, err
		}
		k.stays = slices.Contains(names, name)
		all = append(all, k)
	}
	return all, nil
}

// Contest is what the tuned rules are worth for an operation, over all its sizes.
type Contest struct {
	Place
	Op      string  `json:"op"`
	Bytes   []int   `json:"bytes"`
	Micros  float64 `json:"us"` // geometric mean of the tuned rules
	Entries []Entry `json:"entries"`
}

// Entry is what the tuned rules are compared with: the built-in rules, or one algorithm for all sizes.
type Entry struct {
	Name   string  `json:"name"`
	Micros float64 `json:"us"`    // geometric mean over the sizes, of the medians
	Ratio  float64 `json:"ratio"` // geometric mean over the sizes of what the tuned rules take, as a part of this one's time
	Doubt  float64 `json:"doubt"` // of the ratio, as a part of it: two standard errors, by how much the rounds differ
	Same   bool    `json:"same"`  // the tuned rules choose the same for all sizes
}

// Fixed reports whether the entry is one algorithm.
func (e *Entry) Fixed() bool { return e.Name != BuiltInRules }

// Rivals is how many algorithms the tuned rules are compared with.
func (c *Contest) Rivals() (n int) {
	for i := range c.Entries {
		if c.Entries[i].Fixed() {
			n++
		}
	}
	return n
}

// Best returns the algorithm that comes closest to the tuned rules, or is furthest ahead of them; nil if there is none.
func (c *Contest) Best() *Entry {
	var best *Entry
	for i := range c.Entries {
		if e := &c.Entries[i]; e.Fixed() && (best == nil || e.Ratio > best.Ratio) {
			best = e
		}
	}
	return best
}

// Standing is how the tuned rules stand against every single algorithm.
type Standing uint8

// The standings.
const (
	Faster Standing = iota // than each of them
	Even                   // with some: the difference is within the doubt, or the rules choose the same for all sizes
	Slower                 // than some
)

// against is how the tuned rules stand against one entry.
func (e *Entry) against() Standing {
	switch {
	case e.Same:
		return Even
	case e.Ratio > 1+e.Doubt:
		return Slower
	case e.Ratio*(1+e.Doubt) < 1:
		return Faster
	}
	return Even
}

// Standing tells how the tuned rules stand, and against which algorithms if they are not faster.
func (c *Contest) Standing() (s Standing, against []string) {
	for i := range c.Entries {
		e := &c.Entries[i]
		own := e.against()
		if !e.Fixed() || own == Faster || own < s {
			continue
		}
		if own > s {
			s, against = own, nil
		}
		_, way, _ := strings.Cut(e.Name, "/")
		against = append(against, way)
	}
	return s, against
}

// Contests sorts the timings of Verify by operation and place; in each, who comes closest to the rules stands first.
func Contests(timings []Timing) (all []Contest) {
	grounds := map[ground][]*Timing{}
	for i := range timings {
		t := &timings[i]
		g := ground{t.Place, t.Op}
		grounds[g] = append(grounds[g], t)
	}
	for g, ts := range grounds {
		all = append(all, contest(Contest{Place: g.Place, Op: g.op}, ts))
	}
	slices.SortFunc(all, func(a, b Contest) int {
		return cmp.Or(cmp.Compare(opNumber(a.Op), opNumber(b.Op)), comparePlaces(a.Place, b.Place))
	})
	return all
}

// contest fills in the entries of one operation on one place.
func contest(c Contest, ts []*Timing) Contest {
	names, by := []string{}, map[string][]*Timing{}
	for _, t := range ts {
		if len(by[t.Algorithm]) == 0 {
			names = append(names, t.Algorithm)
		}
		by[t.Algorithm] = append(by[t.Algorithm], t)
	}
	rules := by[TunedRules]
	for _, t := range rules {
		c.Bytes = append(c.Bytes, t.Bytes)
	}
	c.Micros = meanOf(rules, (*Timing).Median)
	for _, name := range names {
		if own := by[name]; name != TunedRules && len(own) == len(rules) {
			c.Entries = append(c.Entries, entry(name, rules, own))
		}
	}
	slices.SortStableFunc(c.Entries, func(a, b Entry) int { return -cmp.Compare(a.Ratio, b.Ratio) })
	return c
}

// entry compares the rules with one entry, size by size. Where both choose the same algorithm they take the
// same time: what they differ by is noise, and is left out.
func entry(name string, rules, own []*Timing) Entry {
	e := Entry{Name: name, Micros: meanOf(own, (*Timing).Median), Same: true}
	sum, variance := 0.0, 0.0
	for i, t := range own {
		if rules[i].Chose == cmp.Or(t.Chose, t.Algorithm) {
			continue
		}
		e.Same = false
		middle, err := logRatio(rules[i], t)
		sum += middle
		variance += err * err
	}
	n := float64(len(own))
	e.Ratio, e.Doubt = math.Exp(sum/n), math.Expm1(2*math.Sqrt(variance)/n)
	return e
}

// ratios are what a takes as a part of b's time in each round that both ran: what disturbs a round disturbs both.
func ratios(a, b *Timing) (each []float64) {
	for _, job := range ratiosByJob(a, b) {
		each = append(each, job...)
	}
	return each
}

// ratiosByJob are those of each job.
func ratiosByJob(a, b *Timing) [][]float64 {
	jobs, others := a.byJob(), b.byJob()
	each := make([][]float64, min(len(jobs), len(others)))
	for k := range each {
		for i := range min(len(jobs[k]), len(others[k])) {
			each[k] = append(each[k], jobs[k][i]/others[k][i])
		}
	}
	return each
}

// jobRatios are their medians.
func jobRatios(a, b *Timing) (each []float64) {
	for _, job := range ratiosByJob(a, b) {
		each = append(each, median(job))
	}
	return each
}

// logRatio is the logarithm of the median of the ratios, and its standard error, by the median distance from it.
func logRatio(a, b *Timing) (middle, err float64) {
	each := ratios(a, b)
	for i, r := range each {
		each[i] = math.Log(r)
	}
	middle = median(each)
	for i, l := range each {
		each[i] = math.Abs(l - middle)
	}
	const deviation, ofMedian = 1.4826, 1.2533 // of normally distributed numbers, in units of the median distance and of the mean's error
	return middle, ofMedian * deviation * median(each) / math.Sqrt(float64(len(each)))
}

// meanOf is the geometric mean of a number of each timing.
func meanOf(ts []*Timing, number func(*Timing) float64) float64 {
	sum := 0.0
	for _, t := range ts {
		sum += math.Log(number(t))
	}
	return math.Exp(sum / float64(len(ts)))
}
