package tuner

import (
	"math"
	"slices"

	"github.com/weft-mpi/weft/internal/model"
	"github.com/weft-mpi/weft/internal/plan"
)

// Finding is what was found out about one number of a machine.
type Finding struct {
	Name   string  `json:"name"`
	Unit   string  `json:"unit,omitempty"`
	Text   string  `json:"text"`
	Before float64 `json:"before"`
	Value  float64 `json:"value"` // Before if nothing was measured
	Jobs   int     `json:"jobs"`  // in which it was measured
	// Rounds and Between are how much it differs, as shares of the value: half the range of the
	// middle half of the rounds of a job, the middle of all jobs, and half the range of the jobs.
	Rounds  float64 `json:"rounds"`
	Between float64 `json:"between"`
}

// Doubt is the larger of both spreads.
func (f *Finding) Doubt() float64 { return max(f.Rounds, f.Between) }

// Fit returns the machine on which the trials would take, by the model, what they took, and what is
// known about each number. What no job has measured stays as it was before; what was measured on
// nodes whose ranks have processors of their own is not changed by what others found.
func Fit(jobs []*Samples) (model.Machine, []Finding) {
	if len(jobs) == 0 {
		return model.Machine{}, nil
	}
	before := jobs[0].Before
	m := before
	found := map[string]*Finding{}
	note := func(f *Finding) {
		if f != nil {
			found[f.Name] = f
			*m.Number(f.Name) = f.Value
		}
	}
	for range passes {
		for i := range trials {
			tr := &trials[i]
			note(tr.fit(tr.number, m, jobs))
			if *m.Number(tr.number) == 0 && tr.with != "" {
				note(tr.fit(tr.with, m, jobs))
			}
		}
	}
	var all []Finding
	for _, name := range model.Names() {
		f := found[name]
		if f == nil {
			f = &Finding{Name: name}
		}
		f.Value, f.Unit, f.Text = m.Shown(name)
		f.Before, _, _ = before.Shown(name)
		all = append(all, *f)
	}
	return m, all
}

// passes is how often all numbers are fitted, because some are about plans that need later ones.
const passes = 3

// fit finds a number by all jobs that have made the trial, other numbers being those of m; nil if none has.
func (tr *trial) fit(number string, m model.Machine, jobs []*Samples) *Finding {
	var medians, spreads []float64
	for _, quiet := range []bool{true, false} {
		for _, j := range jobs {
			if times := j.Nanos[tr.number]; len(times) > 0 && j.Site.crowded() != quiet {
				middle, spread := tr.fitJob(number, m, j, times)
				medians, spreads = append(medians, middle), append(spreads, spread)
			}
		}
		if medians != nil {
			break
		}
	}
	if medians == nil {
		return nil
	}
	f := &Finding{Name: number, Value: median(medians), Jobs: len(medians), Rounds: median(spreads)}
	if f.Value > 0 {
		f.Between = (slices.Max(medians) - slices.Min(medians)) / 2 / f.Value
	}
	return f
}

// fitJob finds the number by one job: its value, and how much it differs between rounds.
func (tr *trial) fitJob(number string, m model.Machine, j *Samples, times []float64) (middle, spread float64) {
	plans, layout := tr.plansOf(&j.Site), j.Site.layout()
	sorted := slices.Sorted(slices.Values(times))
	at := func(time float64) float64 { return solve(number, m, layout, plans, time) }
	middle = at(median(sorted))
	low, high := at(sorted[len(sorted)/4]), at(sorted[len(sorted)*3/4])
	if middle > 0 {
		spread = math.Abs(high-low) / 2 / middle
	}
	return middle, spread
}

const (
	precise = 1e-3 // how much of a number is left open, as a share of it
	largest = 1e10 // number that is looked for
)

// solve returns the value of a number with which the model says that the plans take so long, as
// closely as possible.
func solve(name string, m model.Machine, l model.Layout, plans []*plan.Plan, nanos float64) float64 {
	number := m.Number(name)
	takes := func(v float64) float64 {
		*number = v
		return m.Time(l, plans)
	}
	low, high := 0.0, 1.0
	if name == "lanes" { // the more of them, the less time; nobody can tell about more than there are ranks
		copying := 0
		for _, p := range plans {
			copying += min(len(p.Steps), 1)
		}
		own := takes
		takes = func(v float64) float64 { return -own(v) }
		low, high, nanos = 1/float64(copying), max(float64(copying), *number), -nanos
	}
	for name != "lanes" && high < largest && takes(high) < nanos {
		low, high = high, 2*high
	}
	if takes(low) >= nanos {
		return low
	}
	for high-low > precise*high {
		if middle := (low + high) / 2; takes(middle) < nanos {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
