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

// Sweeper changes values of profiles and looks what becomes of bars.
//
// It saves what it can. An experiment is run with a changed value only if its run without one looked at
// that parameter, which the simulator records; values of 0 stay as they are. In experiments that take long,
// parameters that did not matter in others of the same profile, or in the sweep before, are changed
// together at first, and by themselves only if together they matter. A value is made smaller only if it
// mattered that it was greater, where it can be.
type Sweeper struct {
	Experiments []Experiment
	Profiles    []string // whose values are changed; none: all
	Parameters  []string // that are changed; none: all
	By          float64  // per cent
	Least       float64  // per cent by which a bar's value has to move to be mentioned
	Before      *Sweep   // what was found before; it is a guess only
	// Progress, if set, is told after each run what share of the work is done. Calls come one at a time.
	Progress func(share float64, what string)

	matters map[string]bool // parameters, after their profile's name, that mattered in an experiment
}

const (
	longRun  = 200 * time.Millisecond // an experiment that takes as long takes long
	together = 6                      // parameters that are changed together
)

// subject is an experiment of a sweep.
type subject struct {
	Experiment
	looked map[string]map[string]bool // by profile: parameters that the run depended on
	took   time.Duration
	host   bool // it measures this machine too, which never gives the same twice
	base   []Check
	swept  SweptFigure
	leans  map[string]map[string]*Lean // by bar, and by profile and parameter
}

// trialRun is one run of an experiment: as it is, or with changed values.
type trialRun struct {
	*subject
	profile    *sim.Profile // before it is changed; nil: none is
	parameters []string
	less       bool
	checks     []Check
	err        error
}

// Run sweeps. The result lacks command, day and version.
func (w *Sweeper) Run(ctx context.Context) (*Sweep, error) {
	s := &Sweep{By: w.By, Least: w.Least}
	w.matters = map[string]bool{}
	var first, short, long []*trialRun
	for _, e := range w.Experiments {
		first = append(first, &trialRun{subject: &subject{Experiment: e, looked: map[string]map[string]bool{}, leans: map[string]map[string]*Lean{},
			swept: SweptFigure{ID: e.ID}}})
	}
	runs, err := w.runAll(ctx, first, 0, 0.05)
	if err != nil {
		return nil, err
	}
	for _, r := range first {
		if r.err != nil {
			return nil, fmt.Errorf("%s: %w", r.ID, r.err)
		}
		r.base = r.checks
		if r.took < longRun {
			short = append(short, w.changes(r.subject)...)
		}
	}
	more, err := w.runAll(ctx, short, 0.05, 0.2)
	if err != nil {
		return nil, err
	}
	for _, r := range first {
		if r.took >= longRun {
			long = append(long, w.changes(r.subject)...)
		}
	}
	// The longest first, so that at the end all processors have something to do.
	slices.SortStableFunc(long, func(a, b *trialRun) int { return cmp.Compare(b.took, a.took) })
	most, err := w.runAll(ctx, long, 0.2, 1)
	if err != nil {
		return nil, err
	}
	s.Runs = runs + more + most
	for _, r := range first {
		if len(r.swept.Profiles) > 0 {
			s.Figures = append(s.Figures, r.outcome())
		}
	}
	return s, nil
}

// changes lists the runs of an experiment with changed values, and notes what is left out.
func (w *Sweeper) changes(x *subject) (runs []*trialRun) {
	for _, name := range slices.Sorted(maps.Keys(x.looked)) {
		p, err := sim.LoadProfile(name)
		if err != nil || x.host || len(w.Profiles) > 0 && !slices.Contains(w.Profiles, name) {
			continue
		}
		swept := SweptProfile{Name: name, Changed: []string{}}
		var idle []string
		for _, parameter := range sim.ParameterNames() {
			par := p.Parameters[parameter]
			less, more, _ := p.Around(parameter, w.By) // of a parameter that there is
			switch {
			case len(w.Parameters) > 0 && !slices.Contains(w.Parameters, parameter), par.How != sim.Assumed && par.How != sim.Fitted:
			case par.Value == 0:
				swept.Zero++
			case !x.looked[name][parameter]:
				swept.Unread = append(swept.Unread, parameter)
			case less == nil && more == nil:
			default:
				swept.Changed = append(swept.Changed, parameter)
				if x.took >= longRun && more != nil && !w.mattered(x.ID, name, parameter) {
					idle = append(idle, parameter)
					continue
				}
				runs = append(runs, &trialRun{subject: x, profile: p, parameters: []string{parameter}, less: more == nil})
			}
		}
		for some := range slices.Chunk(idle, together) {
			runs = append(runs, &trialRun{subject: x, profile: p, parameters: some})
		}
		x.swept.Profiles = append(x.swept.Profiles, swept)
	}
	return runs
}

// mattered tells whether a parameter mattered to the experiment in the sweep before, or else now to others
// of the profile.
func (w *Sweeper) mattered(id, profile, parameter string) bool {
	if w.Before != nil {
		for _, f := range w.Before.Figures {
			if f.ID == id && slices.ContainsFunc(f.Profiles, func(p SweptProfile) bool { return p.Name == profile }) {
				return slices.ContainsFunc(f.Bars, func(b SweptBar) bool {
					return slices.ContainsFunc(b.Leans, func(l Lean) bool { return l.Profile == profile && l.Parameter == parameter })
				})
			}
		}
	}
	return w.matters[profile+" "+parameter]
}

// runAll runs all and what follows from them, as many at a time as there are processors, and tells how many
// runs that were. They are about the work between two shares of all.
func (w *Sweeper) runAll(ctx context.Context, runs []*trialRun, from, to float64) (count int, err error) {
	var left, done time.Duration
	for _, r := range runs {
		left += r.weight()
	}
	var mu sync.Mutex
	more := sync.NewCond(&mu)
	busy := 0
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for {
				for len(runs) == 0 && busy > 0 {
					more.Wait()
				}
				if len(runs) == 0 || ctx.Err() != nil {
					return
				}
				r := runs[0]
				runs = runs[1:]
				busy++
				weight := r.weight()
				mu.Unlock()
				r.run(ctx, w.By)
				mu.Lock()
				busy--
				count++
				next := w.follow(r)
				for _, n := range next {
					left += n.weight()
				}
				runs = append(next, runs...)
				left, done = left-weight, done+weight
				if w.Progress != nil {
					w.Progress(from+(to-from)*float64(done)/float64(max(done+left, 1)), strings.TrimSpace(r.ID+" "+strings.Join(r.parameters, " ")))
				}
				more.Broadcast()
			}
		})
	}
	workers.Wait()
	return count, context.Cause(ctx)
}

// weight is how long a run is thought to take.
func (r *trialRun) weight() time.Duration { return max(r.took, time.Millisecond) }

// follow notes what a run has shown, and tells which runs are needed because of that.
func (w *Sweeper) follow(r *trialRun) (next []*trialRun) {
	if r.profile == nil {
		return nil
	}
	matters := false
	for _, c := range r.base {
		e := r.effect(c, w.By, w.Least)
		if e == nil {
			continue
		}
		if matters = true; len(r.parameters) == 1 {
			r.note(c.Bar, e)
		}
	}
	switch half := len(r.parameters) / 2; {
	case !matters:
	case half > 0:
		for _, some := range [][]string{r.parameters[:half], r.parameters[half:]} {
			next = append(next, &trialRun{subject: r.subject, profile: r.profile, parameters: some})
		}
	default:
		w.matters[r.profile.Name+" "+r.parameters[0]] = true
		if less, _, _ := r.profile.Around(r.parameters[0], w.By); !r.less && less != nil {
			next = append(next, &trialRun{subject: r.subject, profile: r.profile, parameters: r.parameters, less: true})
		}
	}
	return next
}

// changed is the profile with the run's values.
func (r *trialRun) changed(by float64) (*sim.Profile, error) {
	p := r.profile
	for _, parameter := range r.parameters {
		less, more, err := p.Around(parameter, by)
		if err != nil {
			return nil, err
		}
		if p = more; r.less {
			p = less
		}
	}
	return p, nil
}

// run runs the experiment.
func (r *trialRun) run(ctx context.Context, by float64) {
	o := Options{Quick: true, Version: "sweep"}
	if r.profile != nil {
		p, err := r.changed(by)
		if err != nil {
			r.err = err
			return
		}
		o.Profiles = map[string]*sim.Profile{p.Name: p}
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

// note keeps the effect that the run's one parameter has on a bar.
func (r *trialRun) note(bar string, e *Effect) {
	name, parameter := r.profile.Name, r.parameters[0]
	if r.leans[bar] == nil {
		r.leans[bar] = map[string]*Lean{}
	}
	l := r.leans[bar][name+" "+parameter]
	if l == nil {
		l = &Lean{Profile: name, Parameter: parameter, How: r.profile.Parameters[parameter].How}
		r.leans[bar][name+" "+parameter] = l
	}
	if r.less {
		l.Less = e
	} else {
		l.More = e
	}
}

// outcome tells what the changes have done to the bars.
func (x *subject) outcome() SweptFigure {
	f := x.swept
	for _, c := range x.base {
		bar := SweptBar{Bar: c.Bar, Kind: c.Kind, Pass: c.Pass, Ours: c.Ours}
		for _, key := range slices.Sorted(maps.Keys(x.leans[c.Bar])) {
			bar.Leans = append(bar.Leans, *x.leans[c.Bar][key])
		}
		slices.SortStableFunc(bar.Leans, Lean.before)
		f.Bars = append(f.Bars, bar)
	}
	return f
}

// effect is what the run's changes did to a bar, nil if less than to be mentioned. A run that failed kept nothing.
func (r *trialRun) effect(was Check, by, least float64) *Effect {
	now := Check{Ours: "none"}
	if i := slices.IndexFunc(r.checks, func(c Check) bool { return c.Bar == was.Bar }); i >= 0 {
		now = r.checks[i]
	}
	e := &Effect{Moved: moved(was.Ours, now.Ours), Flips: was.Pass != now.Pass}
	if p, err := r.changed(by); err == nil {
		e.Value = p.Parameters[r.parameters[0]].Value
	}
	if e.Flips {
		e.Ours = now.Ours
	}
	if !e.Flips && math.Abs(e.Moved) <= least {
		return nil
	}
	return e
}

var numbers = regexp.MustCompile(`[+-]?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?`)

// moved is by how many per cent the number in a bar's text has moved: of several, the one that moved most.
// Texts have three digits or more. It is 0 if they say something else than numbers.
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
