package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/bench/figure"
	"github.com/weft-mpi/weft/internal/bench/peers"
)

// implementations returns Weft, then the peers as the user listed them. Every run is limited by o.timeout.
func implementations(ctx context.Context, o *benchOptions) ([]bench.Implementation, error) {
	job, err := newWeftJob(o)
	if err != nil {
		return nil, err
	}
	impls := []bench.Implementation{limited{job, o.timeout}}
	cache, err := peers.CacheDir()
	if err != nil {
		return nil, err
	}
	for _, name := range o.peers {
		p, err := peers.Open(ctx, name, cache, o.bind)
		if err != nil {
			return nil, err
		}
		impls = append(impls, limited{p, o.timeout})
	}
	return impls, nil
}

// limited gives every run of an implementation a time limit, so that a hang ends in a message.
type limited struct {
	bench.Implementation
	limit time.Duration
}

// Measure is the implementation's, with the limit.
func (l limited) Measure(ctx context.Context, c bench.Case) (bench.Outcome, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, l.limit, fmt.Errorf("no result after %v (--timeout)", l.limit))
	defer cancel()
	return l.Implementation.Measure(ctx, c)
}

// benchCompare measures one test on Weft and its peers.
func benchCompare(ctx context.Context, o *benchOptions) error {
	c, err := o.roundCase()
	if err != nil {
		return err
	}
	impls, err := implementations(ctx, o)
	if err != nil {
		return err
	}
	bar := newProgress(os.Stderr, o.rounds*len(impls))
	report := bench.Report{Started: time.Now(), Host: bench.Observe()}
	cmp, failure := bench.Compare(ctx, c, impls, o.rounds, func() { bar.step(c.Test.Name) })
	bar.clear()
	report.Host.Done()
	report.Finished = time.Now()
	report.Comparisons = []bench.Comparison{cmp}
	if cmp.Rounds == 0 {
		return failure
	}
	if err := showReport(o, report); err != nil {
		return err
	}
	if o.plot != "" {
		if err := saveFigure(o.plot, figure.FromComparison(cmp), cmp.WriteCSV); err != nil {
			return err
		}
	}
	return failure
}

// benchSuite measures everything that docs/performance.md shows.
func benchSuite(ctx context.Context, o *benchOptions) error {
	impls, err := implementations(ctx, o)
	if err != nil {
		return err
	}
	cases := bench.SuiteCases(o.window, o.loops)
	bar := newProgress(os.Stderr, len(cases)*o.rounds*len(impls))
	running := 0
	tick := func() {
		bar.step(fmt.Sprintf("%s on %d ranks", cases[running].Test.Name, cases[running].Ranks))
	}
	report := bench.RunSuite(ctx, cases, impls, o.rounds, tick, func(bench.Comparison) {
		running = min(running+1, len(cases)-1)
		bar.skipTo((running) * o.rounds * len(impls))
	})
	bar.clear()
	if err := showReport(o, report); err != nil {
		return err
	}
	if _, _, failed := report.Count(); failed > 0 {
		return fmt.Errorf("comparisons that stopped early: %d (see the report)", failed)
	}
	return context.Cause(ctx)
}

// showReport prints the report in the form asked for and saves it when asked to.
func showReport(o *benchOptions, r bench.Report) error {
	if o.save != "" {
		err := writeFile(o.save+".json", func(w io.Writer) error { return bench.WriteJSON(w, r) })
		if err == nil {
			err = writeFile(o.save+".md", r.WriteMarkdown)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case o.json:
		return bench.WriteJSON(os.Stdout, r)
	case o.markdown:
		return r.WriteMarkdown(os.Stdout)
	case o.csv:
		return r.Comparisons[0].WriteCSV(os.Stdout)
	}
	var text strings.Builder
	for i, c := range r.Comparisons {
		if i > 0 {
			text.WriteString("\n")
		}
		_ = c.WriteText(&text) // a Builder takes everything
	}
	reached, judged, _ := r.Count()
	fmt.Fprintf(&text, "# %d of %d points keep their bar; load average %.2f before, %.2f after\n",
		reached, judged, r.Host.LoadBefore[0], r.Host.LoadAfter[0])
	_, err := io.WriteString(os.Stdout, text.String())
	return err
}
