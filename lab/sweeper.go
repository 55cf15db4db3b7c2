package lab

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/weft-mpi/weft/internal/verbs/sim"
)

// Sweeper changes values of profiles, one at a time, and looks what becomes of bars.
//
// It saves what it can: an experiment is run with a changed value only if its run without one looked at that parameter, which the
// simulator records; values of 0 stay as they are.
type Sweeper struct {
	Experiments []Experiment
	Profiles    []string // whose values are changed; none: all
	Parameters  []string // that are changed; none: all
	By          float64  // per cent
	Least       float64  // per cent by which a bar's value has to move to be mentioned
	// Progress, if set, is told after each run what share of the work is done. Calls come one at a time.
	Progress func(share float64, what string)
}

// trialRun is one run of an experiment: as it is, or with a changed value.
type trialRun struct {
	*subject
	profile   *sim.Profile // changed; nil: none is
	parameter string
	more      bool
	checks    []Check
	err       error
}

// subject is an experiment of a sweep.
type subject struct {
	Experiment
	looked map[string]map[string]bool // by profile: parameters that the run depended on
	took   time.Duration
	host   bool // it measures this machine too, which never gives the same twice
	base   []Check
	swept  SweptFigure
}

// Run sweeps. The result lacks command, day and version.
func (w *Sweeper) Run(ctx context.Context) (*Sweep, error) {
	s := &Sweep{By: w.By, Least: w.Least}
	var first []*trialRun
	for _, e := range w.Experiments {
		first = append(first, &trialRun{subject: &subject{Experiment: e, looked: map[string]map[string]bool{}, swept: SweptFigure{ID: e.ID}}})
	}
	if err := w.runAll(ctx, first, func(*trialRun) time.Duration { return time.Second }, "as it is"); err != nil {
		return nil, err
	}
	var subjects []*subject
	var changed []*trialRun
	for _, r := range first {
		if r.err != nil {
			return nil, fmt.Errorf("%s: %w", r.ID, r.err)
		}
		runs, err := w.changes(r.subject)
		if err != nil {
			return nil, err
		}
		if len(r.swept.Profiles) > 0 {
			r.base = r.checks
			subjects = append(subjects, r.subject)
			changed = append(changed, runs...)
		}
	}
	// The long ones first, so that at the end all processors have something to do.
	slices.SortStableFunc(changed, func(a, b *trialRun) int { return cmp.Compare(b.took, a.took) })
	if err := w.runAll(ctx, changed, func(r *trialRun) time.Duration { return r.took }, ""); err != nil {
		return nil, err
	}
	s.Runs = len(first) + len(changed)
	for _, x := range subjects {
		s.Figures = append(s.Figures, x.outcome(changed, w.Least))
	}
	return s, nil
}

// changes lists the runs of an experiment with changed values, and notes what is left out.
func (w *Sweeper) changes(x *subject) (runs []*trialRun, err error) {
	if x.host {
		return nil, nil
	}
	for _, name := range slices.Sorted(maps.Keys(x.looked)) {
		if len(w.Profiles) > 0 && !slices.Contains(w.Profiles, name) {
			continue
		}
		p, err := sim.LoadProfile(name)
		if err != nil {
			return nil, err
		}
		swept := SweptProfile{Name: name, Changed: []string{}}
		for _, parameter := range sim.ParameterNames() {
			if len(w.Parameters) > 0 && !slices.Contains(w.Parameters, parameter) {
				continue
			}
			switch par := p.Parameters[parameter]; {
			case par.How != sim.Assumed && par.How != sim.Fitted:
			case par.Value == 0:
				swept.Zero++
			case !x.looked[name][parameter]:
				swept.Unread = append(swept.Unread, parameter)
			default:
				less, more, err := p.Around(parameter, w.By)
				if err != nil {
					return nil, err
				}
				for i, q := range []*sim.Profile{less, more} {
					if q != nil {
						runs = append(runs, &trialRun{subject: x, profile: q, parameter: parameter, more: i == 1})
					}
				}
				if less != nil || more != nil {
					swept.Changed = append(swept.Changed, parameter)
				}
			}
		}
		x.swept.Profiles = append(x.swept.Profiles, swept)
	}
	return runs, nil
}

// runAll runs all, as many at a time as there are processors.
func (w *Sweeper) runAll(ctx context.Context, runs []*trialRun, weight func(*trialRun) time.Duration, what string) error {
	var all, done time.Duration
	for _, r := range runs {
		all += weight(r)
	}
	next := make(chan *trialRun)
	var told sync.Mutex
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(runs)) {
		workers.Go(func() {
			for r := range next {
				r.run(ctx)
				told.Lock()
				if done += weight(r); w.Progress != nil {
					w.Progress(float64(done)/float64(max(all, 1)), strings.TrimSpace(r.ID+" "+r.parameter+" "+what))
				}
				told.Unlock()
			}
		})
	}
	for _, r := range runs {
		if ctx.Err() == nil {
			next <- r
		}
	}
	close(next)
	workers.Wait()
	return context.Cause(ctx)
}

// run runs the experiment.
func (r *trialRun) run(ctx context.Context) {
	o := Options{Quick: true, Version: "sweep"}
	if r.profile != nil {
		o.Profiles = map[string]*sim.Profile{r.profile.Name: r.profile}
	} else {
		o.Looked = func(profile string, parameters []string) {
			if r.looked[profile] == nil {
				r.looked[profile] = map[string]bool{}
			}
			for _, p := range parameters {
				r.looked[profile][p] = true
			}
		}
	}
	b, err := NewBench(o)
	if err != nil {
		r.err = err
		return
	}
	began := time.Now()
	result, err := r.Experiment.Run(ctx, b)
	if err != nil {
		r.err = err
		return
	}
	b.Finish(result)
	r.checks = result.Checks
	if r.profile == nil {
		r.took, r.host = time.Since(began), slices.Contains(result.Platform, string(Host))
	}
}

// outcome tells what the changes have done to the bars.
func (x *subject) outcome(runs []*trialRun, least float64) SweptFigure {
	f := x.swept
	for _, c := range x.base {
		bar := SweptBar{Bar: c.Bar, Kind: c.Kind, Pass: c.Pass, Ours: c.Ours}
		leans := map[string]*Lean{}
		for _, r := range runs {
			if r.subject != x {
				continue
			}
			e := r.effect(c, least)
			if e == nil {
				continue
			}
			key := r.profile.Name + " " + r.parameter
			if leans[key] == nil {
				p, _ := sim.LoadProfile(r.profile.Name) // it was loaded before
				leans[key] = &Lean{Profile: r.profile.Name, Parameter: r.parameter, How: p.Parameters[r.parameter].How}
			}
			if r.more {
				leans[key].More = e
			} else {
				leans[key].Less = e
			}
		}
		for _, key := range slices.Sorted(maps.Keys(leans)) {
			bar.Leans = append(bar.Leans, *leans[key])
		}
		slices.SortStableFunc(bar.Leans, Lean.before)
		f.Bars = append(f.Bars, bar)
	}
	return f
}

// effect is what the run's change did to a bar, nil if less than to be mentioned. A run that failed kept nothing.
func (r *trialRun) effect(was Check, least float64) *Effect {
	now := Check{Ours: "none"}
	if i := slices.IndexFunc(r.checks, func(c Check) bool { return c.Bar == was.Bar }); i >= 0 {
		now = r.checks[i]
	}
	e := &Effect{Value: r.profile.Parameters[r.parameter].Value, Moved: moved(was.Ours, now.Ours), Flips: was.Pass != now.Pass}
	if e.Flips {
		e.Ours = now.Ours
	}
	if !e.Flips && math.Abs(e.Moved) <= least {
		return nil
	}
	return e
}

var numbers = regexp.MustCompile(`[+-]?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?`)

// moved is by how many per cent the number in a bar's text has moved: of several, the one that moved most. Texts have three digits
// or more. It is 0 if they say something else than numbers.
func moved(was, now string) (percent float64) {
	a, b := numbers.FindAllString(was, -1), numbers.FindAllString(now, -1)
	if len(a) != len(b) {
		return 0
	}
	for i := range a {
		x, _ := strconv.ParseFloat(a[i], 64) // they look like numbers
		y, _ := strconv.ParseFloat(b[i], 64)
		if p := 100 * (y - x) / math.Abs(x); x != 0 && math.Abs(p) > math.Abs(percent) {
			percent = math.Round(10*p) / 10
		}
	}
	return percent
}
