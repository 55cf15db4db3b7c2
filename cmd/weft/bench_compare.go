package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/bench/figure"
	"github.com/weft-mpi/weft/internal/bench/peers"
)

// opener makes the sides of comparisons. Peers are opened once.
type opener struct {
	o     *benchOptions
	peers map[bool][]bench.Implementation // by whether ranks are bound
}

// sides returns the arms of Weft, then the peers as the user listed them, unless without. Every run is limited by the
// option --timeout.
func (p *opener) sides(ctx context.Context, arms []bench.Arm, bind, without bool) ([]bench.Implementation, error) {
	if len(arms) == 0 {
		arms = []bench.Arm{{Name: "weft"}}
	}
	var all []bench.Implementation
	for _, arm := range arms {
		job, err := newWeftJob(p.o, arm, bind)
		if err != nil {
			return nil, err
		}
		all = append(all, limited{job, p.o.timeout})
	}
	if without {
		return all, nil
	}
	if _, opened := p.peers[bind]; !opened {
		var err error
		if p.peers[bind], err = p.open(ctx, bind); err != nil {
			return nil, err
		}
	}
	return append(all, p.peers[bind]...), nil
}

func (p *opener) open(ctx context.Context, bind bool) ([]bench.Implementation, error) {
	cache, err := peers.CacheDir()
	if err != nil {
		return nil, err
	}
	cfg := peers.Config{Cache: cache, Bind: bind, Net: p.o.net, Iface: p.o.iface, Hosts: p.o.hosts}
	var all []bench.Implementation
	for _, name := range p.o.peers {
		peer, err := peers.Open(ctx, name, cfg)
		if err != nil {
			return nil, err
		}
		all = append(all, limited{peer, p.o.timeout})
	}
	return all, nil
}

// limited gives every run of an implementation a time limit, so that a hang ends in a message.
type limited struct {
	bench.Implementation
	limit time.Duration
}

// Measure is the implementation's, with the limit.
func (l limited) Measure(ctx context.Context, c bench.Case) (bench.Outcome, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, l.limit, fmt.Errorf("%w after %v (--timeout)", bench.ErrNoResult, l.limit))
	defer cancel()
	return l.Implementation.Measure(ctx, c)
}

// benchCompare measures one test, or the tests of a study, on several sides.
func benchCompare(ctx context.Context, o *benchOptions) error {
	open := &opener{o: o, peers: map[bool][]bench.Implementation{}}
	var trials []bench.Trial
	var err error
	if o.study != nil {
		trials, err = open.study(ctx, *o.study)
	} else {
		trials, err = open.single(ctx)
	}
	if err != nil {
		return err
	}
	report := runTrials(ctx, trials)
	var failures []error
	measured := 0
	for _, c := range report.Comparisons {
		measured += c.Rounds
		if c.Failure != "" {
			failures = append(failures, errors.New(c.Failure))
		}
	}
	if measured == 0 {
		return errors.Join(failures...)
	}
	if err := showReport(o, report); err != nil {
		return err
	}
	if o.plot != "" {
		if err := saveFigures(o.plot, figure.FromReport(report), report.WriteCSV); err != nil {
			return err
		}
	}
	if len(failures) == 0 {
		return context.Cause(ctx)
	}
	return errors.Join(failures...)
}

// benchSuite measures everything that has a bar: on one host, or with --net between hosts.
func benchSuite(ctx context.Context, o *benchOptions) error {
	open := &opener{o: o, peers: map[bool][]bench.Implementation{}}
	var trials []bench.Trial
	var notes []string
	var err error
	if o.net {
		trials, notes, err = open.netSuite(ctx)
	} else {
		trials, err = open.hostSuite(ctx)
	}
	if err != nil {
		return err
	}
	report := runTrials(ctx, trials)
	report.Notes = notes
	if err := showReport(o, report); err != nil {
		return err
	}
	if _, _, failed := report.Count(); failed > 0 {
		return fmt.Errorf("comparisons with a failure: %d (see the report)", failed)
	}
	return context.Cause(ctx)
}

// single is one test as a comparison.
func (p *opener) single(ctx context.Context) ([]bench.Trial, error) {
	c, err := p.o.roundCase()
	if err != nil {
		return nil, err
	}
	impls, err := p.sides(ctx, p.o.arms, p.o.bind, c.Test.Counter != "")
	return []bench.Trial{{Case: c, Impls: impls, Rounds: p.rounds(0)}}, err
}

// study is the tests of a study, with the user's settings or its own.
func (p *opener) study(ctx context.Context, s bench.Study) ([]bench.Trial, error) {
	cases, err := s.Cases(bench.Setup{Sizes: p.o.sizes, Loops: p.o.loops, Ranks: p.o.ranks, Window: p.o.window, Memory: p.o.memory})
	if err != nil {
		return nil, err
	}
	arms := s.Arms
	if len(p.o.arms) > 0 {
		arms = p.o.arms
	}
	bind := p.o.bind && (p.o.bindGiven || !s.Unbound)
	var trials []bench.Trial
	for _, c := range cases {
		impls, err := p.sides(ctx, arms, bind, !s.HasPeers(c))
		if err != nil {
			return nil, err
		}
		trials = append(trials, bench.Trial{Case: c, Impls: impls, Rounds: p.rounds(s.Rounds)})
	}
	return trials, nil
}

// rounds returns the user's number, or else the comparison's own.
func (p *opener) rounds(own int) int {
	switch {
	case p.o.rounds > 0:
		return p.o.rounds
	case own > 0:
		return own
	}
	return defaultRounds
}

// hostSuite is what docs/performance.md shows of one host, on the user's number of ranks only if there is one.
func (p *opener) hostSuite(ctx context.Context) ([]bench.Trial, error) {
	impls, err := p.sides(ctx, nil, p.o.bind, false)
	if err != nil {
		return nil, err
	}
	var trials []bench.Trial
	for _, c := range bench.SuiteCases(p.o.window, p.o.loops) {
		if p.o.ranks > 0 && c.Ranks != p.o.ranks {
			continue
		}
		trials = append(trials, bench.Trial{Case: c, Impls: impls, Rounds: p.rounds(0)})
	}
	return trials, nil
}

// netSuite is every study that has a bar. What cannot be measured here becomes a note.
func (p *opener) netSuite(ctx context.Context) (trials []bench.Trial, notes []string, err error) {
	for _, s := range bench.Studies() {
		switch {
		case len(s.Bars) == 0:
			continue
		case s.Rails && !p.o.severalRails():
			notes = append(notes, fmt.Sprintf("%s was not measured: it takes two network interfaces (--iface) or hosts (--host).", s.Name))
			continue
		}
		more, err := p.study(ctx, s)
		if err != nil {
			return nil, nil, err
		}
		trials = append(trials, more...)
	}
	return trials, notes, nil
}

// runTrials makes the comparisons with a bar on the terminal.
func runTrials(ctx context.Context, trials []bench.Trial) bench.Report {
	total, done := 0, 0
	for _, t := range trials {
		total += t.Rounds * len(t.Impls)
	}
	bar := newProgress(os.Stderr, total)
	running := 0
	tick := func() {
		bar.step(fmt.Sprintf("%s on %d ranks", trials[running].Case.Test.Name, trials[running].Case.Ranks))
	}
	report := bench.RunSuite(ctx, trials, tick, func(bench.Comparison) {
		done += trials[running].Rounds * len(trials[running].Impls)
		running = min(running+1, len(trials)-1)
		bar.skipTo(done)
	})
	bar.clear()
	return report
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
		return r.WriteCSV(os.Stdout)
	}
	return r.WriteText(os.Stdout)
}
