package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"
	"text/tabwriter"

	"github.com/weft-mpi/weft/internal/tuner"
)

// What --regret looks at unless it is told: networks of different kinds, and few and many nodes,
// with few and many ranks.
var (
	regretProfiles = []string{"roce-100g", "10ge", "connectx-ddr"}
	regretShapes   = []string{"3x2", "5x6", "12x1", "12x2", "7x4", "3+1+2", "2x24", "48x1"}
)

// mostSimulated is how many jobs are simulated at the same time at most, because each needs memory
// for the buffers of all its ranks.
const mostSimulated = 4

// regretReport is what --json keeps of --regret.
type regretReport struct {
	Points   []tuner.Point   `json:"points"`
	Shapes   []tuner.Summary `json:"shapes"` // of each profile
	Ops      []tuner.Summary `json:"ops"`
	Profiles []tuner.Summary `json:"profiles"`
	Whole    []tuner.Summary `json:"whole"` // one
}

// showRegret compares what is chosen with the best in virtual time, and prints what is lost.
func (o *tuneOptions) showRegret(ctx context.Context, w io.Writer) error {
	study, err := o.study()
	if err != nil {
		return err
	}
	points, failed := o.simulate(ctx, study.Jobs())
	if failed != nil && len(points) == 0 {
		return failed
	}
	r := newRegretReport(points)
	if !o.quiet {
		r.print(w)
	}
	if failed != nil {
		failed = fmt.Errorf("it stopped early, so the tables show only what was simulated before: %w", failed)
	}
	return errors.Join(o.keep(r), failed)
}

// simulate runs jobs, some at the same time, until one fails, and returns the points of those that did not in order.
func (o *tuneOptions) simulate(ctx context.Context, jobs []*tuner.StudyJob) (points []tuner.Point, failed error) {
	all, next := 0, 0
	for _, j := range jobs {
		all += j.Points()
	}
	var bar *progress
	if !o.quiet {
		bar = newLongProgress(os.Stderr, all)
	}
	defer bar.clear()
	var mu sync.Mutex // of next, failed and the bar
	tell := func(what string) {
		mu.Lock()
		defer mu.Unlock()
		bar.step(what)
	}
	take := func() (i int, more bool) {
		mu.Lock()
		defer mu.Unlock()
		next++
		return next - 1, next <= len(jobs) && failed == nil
	}
	found := make([][]tuner.Point, len(jobs))
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), mostSimulated) {
		wg.Go(func() {
			for i, more := take(); more; i, more = take() {
				own, err := jobs[i].Run(ctx, tell)
				mu.Lock()
				found[i], failed = own, cmp.Or(failed, err)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return slices.Concat(found...), failed
}

// study is what to simulate.
func (o *tuneOptions) study() (*tuner.Study, error) {
	s := &tuner.Study{Profiles: o.profiles, Shapes: o.shapes, Ops: o.ops, Bytes: o.sizes(), Memory: o.memory}
	if s.Profiles == nil {
		s.Profiles = regretProfiles
	}
	for _, text := range regretShapes {
		if o.shapes != nil {
			break
		}
		shape, err := tuner.ParseShape(text)
		if err != nil {
			return nil, err
		}
		s.Shapes = append(s.Shapes, shape)
	}
	var err error
	s.Env, err = o.environment()
	return s, err
}

func newRegretReport(points []tuner.Point) *regretReport {
	return &regretReport{
		Points:   points,
		Shapes:   tuner.Summarize(points, func(p *tuner.Point) string { return p.Profile + " " + p.Shape }),
		Ops:      tuner.Summarize(points, func(p *tuner.Point) string { return p.Op }),
		Profiles: tuner.Summarize(points, func(p *tuner.Point) string { return p.Profile }),
		Whole:    tuner.Summarize(points, func(*tuner.Point) string { return "all" }),
	}
}

// worstShown is how many of the worst points are printed.
const worstShown = 10

// print writes tables of what is lost, and where most.
func (r *regretReport) print(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "time of the chosen / of the best\tpoints\tgeometric mean\tworst\tat")
	for _, part := range [][]tuner.Summary{r.Shapes, r.Ops, r.Profiles, r.Whole} {
		for _, s := range part {
			fmt.Fprintf(t, "%s\t%d\t%.3f\t%.2f\t%s\n", s.Name, s.Points, s.Mean, s.Worst.Regret(), s.Worst.Name())
		}
	}
	fmt.Fprintln(t, "\nthe worst\tchosen\tµs\tbest\tµs\tregret")
	for _, p := range tuner.Worst(r.Points, worstShown) {
		fmt.Fprintf(t, "%s\t%s\t%.2f\t%s\t%.2f\t%.2f\n", p.Name(), p.Chosen, p.ChosenUs, p.Best, p.BestUs, p.Regret())
	}
	_ = t.Flush()
	skipped, example := 0, ""
	for _, p := range r.Points {
		if p.Skipped != "" {
			skipped, example = skipped+1, p.Name()+": "+p.Skipped
		}
	}
	if skipped > 0 {
		fmt.Fprintf(w, "\n%d points were left out, whose buffers have more than --memory allows, such as %s\n", skipped, example)
	}
}
