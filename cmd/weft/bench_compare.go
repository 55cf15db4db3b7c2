package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/bench/figure"
	"github.com/weft-mpi/weft/internal/bench/peers"
)

// opener makes the sides of comparisons. Peers are opened once.
type opener struct {
	o     *benchOptions
	this  bench.Build            // where there is another
	other *otherBuild            // nil: none
	peers map[bool][]*peers.Peer // by whether ranks are bound
}

// newOpener makes sure that another build can be measured, if there is to be one.
func newOpener(ctx context.Context, o *benchOptions) (*opener, error) {
	p := &opener{o: o, peers: map[bool][]*peers.Peer{}}
	if o.against == "" {
		return p, nil
	}
	var err error
	if p.other, err = openBuild(ctx, o.against); err != nil {
		return nil, err
	}
	if p.this, err = thisBuild(); err != nil {
		return nil, err
	}
	return p, p.try(ctx)
}

// here is the same opener for ranks on this host.
func (p *opener) here() *opener {
	o := *p.o
	o.hosts, o.iface = nil, ""
	return &opener{o: &o, this: p.this, other: p.other, peers: map[bool][]*peers.Peer{}}
}

// trial is a case on its sides: the arms of Weft, another build, then the peers as the user listed
// them, unless without.
func (p *opener) trial(ctx context.Context, c bench.Case, arms []bench.Arm, rounds int, without bool) (bench.Trial, error) {
	return p.trialOf(ctx, []bench.Case{c}, arms, rounds, without)
}

// list is cases that share their runs, on Weft as it is, another build and the peers.
func (p *opener) list(ctx context.Context, cases []bench.Case, rounds int) (bench.Trial, error) {
	return p.trialOf(ctx, cases, p.ownArms(nil), rounds, false)
}

// trialOf is a trial of cases that share their runs.
func (p *opener) trialOf(ctx context.Context, cases []bench.Case, arms []bench.Arm, rounds int, without bool) (bench.Trial, error) {
	for i := range cases {
		cases[i].Hosts = strings.Join(p.o.hosts, ",")
	}
	c := cases[0]
	bind := p.o.bind && (p.o.bindGiven || !c.Unbound)
	impls, err := p.builds(arms, bind)
	if err == nil && !without {
		var others []bench.Implementation
		others, err = p.libraries(ctx, bind, cases)
		impls = append(impls, others...)
	}
	return bench.Trial{Cases: cases, Impls: impls, Rounds: p.rounds(rounds)}, err
}

// ownArms returns the user's settings, or else those of the comparison, or else the default ones.
func (p *opener) ownArms(arms []bench.Arm) []bench.Arm {
	switch {
	case len(p.o.arms) > 0:
		return p.o.arms
	case len(arms) > 0:
		return arms
	}
	return []bench.Arm{{Name: "weft"}}
}

// builds returns this build with each of the arms, then another build, if there is one, with the
// first of them. Every run is limited by the option --timeout.
func (p *opener) builds(arms []bench.Arm, bind bool) ([]bench.Implementation, error) {
	var all []bench.Implementation
	for _, arm := range arms {
		job, err := newWeftJob(p.o, arm, bind)
		if err != nil {
			return nil, err
		}
		job.apart = p.other != nil // all builds are started alike
		all = append(all, limited{job, p.o.timeout})
	}
	if p.other != nil {
		job, err := newWeftJob(p.o, bench.Arm{Name: bench.Old, Set: arms[0].Set}, bind)
		if err != nil {
			return nil, err
		}
		job.program, job.apart, job.wrong = p.other.Path, true, nil // it knows best which settings it has
		all = append(all, limited{job, p.o.timeout})
	}
	return all, nil
}

// libraries returns the peers that have the tests of some cases. They are opened at the first call.
func (p *opener) libraries(ctx context.Context, bind bool, cases []bench.Case) (all []bench.Implementation, err error) {
	if _, opened := p.peers[bind]; !opened {
		if p.peers[bind], err = p.open(ctx, bind); err != nil {
			return nil, err
		}
	}
	for _, peer := range p.peers[bind] {
		if i := slices.IndexFunc(cases, func(c bench.Case) bool { return !peer.Has(c.Test.Name) }); i >= 0 {
			fmt.Fprintf(os.Stderr, "weft bench: %s is left out: it has no %s, which MPI has since version 4\n", peer.Name(), cases[i].Test.Name)
			continue
		}
		all = append(all, limited{peer, p.o.timeout})
	}
	return all, nil
}

func (p *opener) open(ctx context.Context, bind bool) ([]*peers.Peer, error) {
	cache, err := peers.CacheDir()
	if err != nil {
		return nil, err
	}
	cfg := peers.Config{Cache: cache, Bind: bind, Net: p.o.net, Iface: p.o.iface, Hosts: p.o.hosts, Packed: p.o.packed, Shared: p.o.shared}
	var all []*peers.Peer
	for _, name := range p.o.peers {
		peer, err := peers.Open(ctx, name, cfg)
		if err != nil {
			return nil, err
		}
		all = append(all, peer)
	}
	return all, nil
}

// limited gives every run of an implementation a time limit, so that a hang ends in a message.
type limited struct {
	bench.Implementation
	limit time.Duration
}

// Measure is the implementation's, with the limit.
func (l limited) Measure(ctx context.Context, cases ...bench.Case) (bench.Outcome, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, l.limit, fmt.Errorf("%w after %v (--timeout)", bench.ErrNoResult, l.limit))
	defer cancel()
	return l.Implementation.Measure(ctx, cases...)
}

// benchCompare measures one test, or the tests of a study, on several sides.
func benchCompare(ctx context.Context, o *benchOptions) error {
	open, err := newOpener(ctx, o)
	if err != nil {
		return err
	}
	var trials []bench.Trial
	if o.study != nil {
		trials, err = open.study(ctx, *o.study)
	} else {
		trials, err = open.single(ctx)
	}
	if err != nil {
		return err
	}
	report := open.run(ctx, trials)
	var failures []error
	measured := 0
	for _, c := range report.Comparisons {
		measured += c.Rounds
		if c.Failure != "" {
			failures = append(failures, errors.New(c.Failure))
		}
	}
	if measured == 0 {
		return errors.Join(append(failures, tellNotes(report.Notes))...)
	}
	if err := showReport(o, report); err != nil {
		return err
	}
	if o.plot != "" {
		if err := saveFigures(o.plot, figure.FromReport(report), report.WriteCSV); err != nil {
			return err
		}
	}
	if len(failures) == 0 && ctx.Err() == nil {
		return open.held(report)
	}
	return errors.Join(append(failures, context.Cause(ctx))...)
}

// tellNotes is why nothing was measured; nil when there is no note.
func tellNotes(notes []string) error {
	if len(notes) == 0 {
		return nil
	}
	return errors.New(strings.Join(notes, " "))
}

// benchSuite measures everything that has a bar: on one host, or with --net between hosts. Another
// build is also compared on this host when there are others, and in more than what has a bar.
func benchSuite(ctx context.Context, o *benchOptions) error {
	open, err := newOpener(ctx, o)
	if err != nil {
		return err
	}
	var trials, more []bench.Trial
	var notes []string
	if o.net {
		trials, notes, err = open.netSuite(ctx)
	} else {
		if open.other != nil && len(o.hosts) > 0 {
			trials, err = open.here().hostSuite(ctx)
		}
		if err == nil {
			more, err = open.hostSuite(ctx)
		}
	}
	if err != nil {
		return err
	}
	report := open.run(ctx, append(trials, more...))
	report.Notes = append(notes, report.Notes...)
	if err := showReport(o, report); err != nil {
		return err
	}
	if _, _, failed := report.Count(); failed > 0 {
		return fmt.Errorf("comparisons with a failure: %d (see the report)", failed)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return open.held(report)
}

// single is one test as a comparison.
func (p *opener) single(ctx context.Context) ([]bench.Trial, error) {
	c, err := p.o.roundCase()
	if err != nil {
		return nil, err
	}
	trial, err := p.trial(ctx, c, p.ownArms(nil), 0, c.Test.Counter != "")
	return []bench.Trial{trial}, err
}

// study is the tests of a study, with the user's settings or its own.
func (p *opener) study(ctx context.Context, s bench.Study) ([]bench.Trial, error) {
	cases, err := s.Cases(bench.Setup{Sizes: p.o.sizes, Loops: p.o.loops, Ranks: p.o.ranks, Window: p.o.window, Memory: p.o.memory})
	if err != nil {
		return nil, err
	}
	var trials []bench.Trial
	for _, c := range cases {
		trial, err := p.trial(ctx, c, p.ownArms(s.Arms), s.Rounds, !s.HasPeers(c))
		if err != nil {
			return nil, err
		}
		trials = append(trials, trial)
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

// hostSuite is what docs/results/suite-host.md shows, and more where another build takes part,
// on the user's number of ranks only if there is one. With --host its ranks run there.
func (p *opener) hostSuite(ctx context.Context) ([]bench.Trial, error) {
	suite := bench.Suite{Quick: p.o.quick, Builds: p.other != nil, Ranks: p.o.ranks, Window: p.o.window, Loops: p.o.loops}
	var trials []bench.Trial
	for _, c := range suite.Cases() {
		if len(p.o.peers) == 0 {
			c.Bars = nil
		}
		trial, err := p.trial(ctx, c, p.ownArms(nil), 0, false)
		if err != nil {
			return nil, err
		}
		trials = append(trials, trial)
	}
	for _, list := range p.lists(suite) {
		if len(p.o.peers) == 0 {
			for i := range list {
				list[i].Bars = nil
			}
		}
		trial, err := p.list(ctx, list, 0)
		if err != nil {
			return nil, err
		}
		trials = append(trials, trial)
	}
	return trials, nil
}

// lists are the suite's cases that share runs, as far as the other build can do that.
func (p *opener) lists(s bench.Suite) [][]bench.Case {
	all := s.Lists()
	if p.other == nil || slices.Contains(p.other.tests, "every") {
		return all
	}
	var alone [][]bench.Case
	for _, list := range all {
		alone = slices.AppendSeq(alone, slices.Chunk(list, 1))
	}
	return alone
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

// run makes the comparisons with a bar on the terminal, but for those that the other build does not know.
func (p *opener) run(ctx context.Context, trials []bench.Trial) bench.Report {
	trials, notes := p.lacked(trials)
	total, done := 0, 0
	for _, t := range trials {
		total += t.Rounds * len(t.Impls)
	}
	bar := newLongProgress(os.Stderr, total)
	running := 0
	tick := func() {
		bar.step(trialText(trials[running]))
	}
	report := bench.RunSuite(ctx, trials, tick, func(bench.Trial) {
		done += trials[running].Rounds * len(trials[running].Impls)
		running = min(running+1, len(trials)-1)
		bar.skipTo(done)
	})
	bar.clear()
	report.Notes = notes
	if p.other != nil {
		report.Hold(p.this, p.other.Build)
	}
	return report
}

// trialText says what a trial is about.
func trialText(t bench.Trial) string {
	c := t.Cases[0]
	what := c.Test.Name
	if n := len(t.Cases); n > 1 {
		what = fmt.Sprintf("%d tests", n)
	}
	return fmt.Sprintf("%s on %d ranks", what, c.Ranks)
}

// commandLine is what the user typed, for records that say where they come from.
func commandLine() string { return strings.Join(append([]string{"weft"}, os.Args[1:]...), " ") }

// showReport prints the report in the form asked for and saves it when asked to.
func showReport(o *benchOptions, r bench.Report) error {
	r.Command = commandLine()
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
