package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/draw"
	"github.com/weft-mpi/weft/lab/page"
)

// bench returns a bench as the command line wants it.
func (r *labRunner) bench(settings []string, tick func(string)) (*lab.Bench, error) {
	on := lab.Platform("")
	if r.o.on != "" {
		var err error
		if on, err = lab.ParsePlatform(r.o.on); err != nil {
			return nil, err
		}
	}
	return lab.NewBench(lab.Options{On: on, Settings: settings, Seed: r.o.seed, Quick: r.o.quick,
		Version: version(), Tick: tick})
}

// again is the command that makes one result again.
func (r *labRunner) again(id string, settings []string) string {
	words := []string{"weft lab run", id}
	if r.o.on != "" {
		words = append(words, "--on", r.o.on)
	}
	if len(settings) > 0 {
		words = append(words, "--set", strings.Join(settings, ","))
	}
	if r.o.seed != 0 {
		words = append(words, "--seed", fmt.Sprint(r.o.seed))
	}
	if r.o.quick {
		words = append(words, "--quick")
	}
	return strings.Join(words, " ")
}

// chosen returns the figures that the words name and that can be run; none or "all" is all of them.
func (r *labRunner) chosen() ([]lab.Figure, error) {
	var figures []lab.Figure
	for _, w := range r.o.words {
		if w == "all" {
			r.o.words = nil
			break
		}
		f, err := r.registry.Find(w)
		if err != nil {
			return nil, err
		}
		if status := r.registry.Status(f); status != lab.Built {
			return nil, fmt.Errorf("%s (%s) is %s; `weft lab list --built` shows what is", f.ID, f.Title, status)
		}
		figures = append(figures, f)
	}
	if len(r.o.words) > 0 {
		return figures, nil
	}
	for _, f := range r.registry.Figures() {
		if r.registry.Own(f) {
			figures = append(figures, f)
		}
	}
	return figures, nil
}

// measure runs the experiments of figures and hands each result to use. With several, one that fails does not keep the
// others from running.
func (r *labRunner) measure(ctx context.Context, figures []lab.Figure, settings []string, use func(*lab.Result) error) error {
	bar := newLongProgress(r.status, len(figures))
	defer bar.clear()
	var failed []error
	for _, f := range figures {
		b, err := r.bench(settings, func(what string) { bar.say(f.ID + ": " + what) })
		if err != nil {
			return err
		}
		result, err := r.one(ctx, b, f)
		bar.step(f.ID)
		if err == nil {
			bar.clear()
			err = use(result)
		}
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

func (r *labRunner) one(ctx context.Context, b *lab.Bench, f lab.Figure) (*lab.Result, error) {
	e, _ := r.registry.Experiment(f)
	result, err := e.Run(ctx, b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.ID, err)
	}
	b.Finish(result)
	result.ID, result.Title = f.ID, f.Title
	result.Command = r.again(f.ID, result.Settings)
	return result, result.Check()
}

// counted is a result for programs: some of its checks, and how many of all were kept.
type counted struct {
	*lab.Result
	Counts lab.Counts `json:"counts"`
}

func countedOf(result *lab.Result, some []lab.Check) counted {
	part := *result
	part.Checks = some
	return counted{&part, result.Count()}
}

// run runs experiments and shows their results.
func (r *labRunner) run(ctx context.Context) error {
	if len(r.o.words) == 0 {
		return usageError{errors.New("run takes ids, or all; `weft lab list --built` shows them")}
	}
	figures, err := r.chosen()
	if err != nil {
		return err
	}
	all, shown := []*lab.Result{}, []counted{}
	chosen := r.o.misses || r.o.kind != ""
	err = r.measure(ctx, figures, r.o.sets.settings(), func(result *lab.Result) error {
		all = append(all, result)
		some := r.o.shown(result)
		if !chosen || len(some) > 0 {
			shown = append(shown, countedOf(result, some))
		}
		if r.o.save != "" {
			if _, err := draw.Save(r.o.save, result); err != nil {
				return err
			}
		}
		if r.o.json {
			return nil
		}
		switch {
		case r.o.evidence:
			return r.showEvidence(result, some)
		case chosen:
			return result.WriteChecks(r.out, some)
		}
		if err := result.WriteText(r.out); err != nil {
			return err
		}
		_, err := fmt.Fprintln(r.out)
		return err
	})
	if r.o.json {
		return errors.Join(writeJSON(r.out, shown), err)
	}
	if len(all) > 1 || chosen && len(shown) == 0 {
		return errors.Join(err, lab.WriteTallies(r.out, all))
	}
	return err
}

// showEvidence writes checks with all that there is to judge them by.
func (r *labRunner) showEvidence(result *lab.Result, some []lab.Check) error {
	f, err := r.registry.Find(result.ID)
	if err != nil {
		return err
	}
	sweep, err := lab.NewestSweep()
	if err != nil {
		return err
	}
	return result.WriteEvidence(r.out, some, f, sweep)
}

// defaultReport is where a report goes.
const defaultReport = "lab-report"

// report writes the page, from saved results or from a run.
func (r *labRunner) report(ctx context.Context) error {
	dir := r.o.save
	if dir == "" {
		dir = defaultReport
	}
	sweep, err := lab.NewestSweep()
	if err != nil {
		return err
	}
	c := page.Contents{Registry: r.registry, Sweep: sweep}
	if r.o.from != "" {
		if c.Results, err = lab.Load(r.o.from); err != nil {
			return err
		}
		c.Made = fmt.Sprintf("Made by weft %s from %s.", version(), r.o.from)
	} else {
		c.Made = fmt.Sprintf("Made by weft %s on %s.", version(), time.Now().UTC().Format("2006-01-02 15:04 UTC"))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var failed error
	if r.o.from == "" {
		figures, err := r.chosen()
		if err != nil {
			return err
		}
		failed = r.measure(ctx, figures, r.o.sets.settings(), func(result *lab.Result) error {
			c.Results = append(c.Results, result)
			return r.addTimeline(ctx, result)
		})
	}
	for _, result := range c.Results {
		if _, err := draw.Save(dir, result); err != nil {
			return err
		}
	}
	path := filepath.Join(dir, "index.html")
	if err := lab.WriteFile(path, func(w io.Writer) error { return page.Write(w, c) }); err != nil {
		return err
	}
	fmt.Fprintln(r.out, path)
	return errors.Join(failed, lab.WriteTallies(r.out, c.Results))
}

// addTimeline adds a figure's timeline to its result.
func (r *labRunner) addTimeline(ctx context.Context, result *lab.Result) error {
	f, err := r.registry.Find(result.ID)
	if err != nil {
		return err
	}
	e, _ := r.registry.Experiment(f)
	if e.Timeline == nil {
		return nil
	}
	b, err := r.bench(r.o.sets.settings(), nil)
	if err != nil {
		return err
	}
	result.Timeline, err = e.Timeline(ctx, b)
	return err
}

// compare holds two sets of results against each other.
func (r *labRunner) compare(ctx context.Context) error {
	var names [2]string
	var sides [2]map[string]*lab.Result
	var ids []string
	switch {
	case len(r.o.sets) == 2 && len(r.o.words) > 0:
		figures, err := r.chosen()
		if err != nil {
			return err
		}
		for i, set := range r.o.sets {
			names[i], sides[i] = set, map[string]*lab.Result{}
			keep := func(result *lab.Result) error { sides[i][result.ID] = result; return nil }
			if err := r.measure(ctx, figures, strings.Split(set, ","), keep); err != nil {
				return err
			}
		}
		for _, f := range figures {
			ids = append(ids, f.ID)
		}
	case len(r.o.sets) == 0 && len(r.o.words) == 2:
		for i, dir := range r.o.words {
			results, err := lab.Load(dir)
			if err != nil {
				return err
			}
			names[i], sides[i] = filepath.Base(filepath.Clean(dir)), map[string]*lab.Result{}
			for _, result := range results {
				if sides[i][result.ID] = result; i == 0 {
					ids = append(ids, result.ID)
				}
			}
		}
	default:
		return usageError{errors.New("compare takes two directories of saved results, or ids and two --set")}
	}
	return r.showComparisons(ids, sides, names)
}

func (r *labRunner) showComparisons(ids []string, sides [2]map[string]*lab.Result, names [2]string) error {
	shown := []*lab.Result{}
	for _, id := range ids {
		a, b := sides[0][id], sides[1][id]
		if a == nil || b == nil {
			fmt.Fprintf(r.status, "weft lab: only one side has %s\n", id)
			continue
		}
		c, err := lab.Compare(a, b, names[0], names[1])
		if err != nil {
			fmt.Fprintf(r.status, "weft lab: %v\n", err)
			continue
		}
		c.Command = "weft lab compare " + names[0] + " " + names[1]
		if r.o.save != "" {
			if _, err := draw.Save(r.o.save, c); err != nil {
				return err
			}
		}
		shown = append(shown, c)
	}
	if len(shown) == 0 {
		return errors.New("there is nothing to compare")
	}
	if r.o.json {
		return writeJSON(r.out, shown)
	}
	for _, c := range shown {
		if err := c.WriteText(r.out); err != nil {
			return err
		}
	}
	return nil
}
