package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/tuner"
)

// tuneCommand is "weft tune". Inside a job it is one rank of it.
func tuneCommand(args []string) int {
	o, err := parseTune(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return showHelp("tune")
	case err != nil:
		fmt.Fprintf(os.Stderr, "weft tune: %v\n(weft tune -h shows the options)\n", err)
		return codeUsage
	}
	ctx, stop := untilSignal()
	defer stop()
	switch {
	case insideJob():
		err = tuneRank(ctx, o)
	case o.mode == tunesRegret:
		err = o.showRegret(ctx, os.Stdout)
	case o.mode == tunesMachine:
		err = o.tuneMachine(ctx, args, os.Stdout)
	default:
		err = tuneAll(ctx, o, args, os.Stdout)
	}
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil && insideJob():
		return codeInterrupted // whoever started the ranks says so, once
	}
	fmt.Fprintf(os.Stderr, "weft tune: %v\n", err)
	if ctx.Err() != nil {
		return codeInterrupted
	}
	return 1
}

// tuneNote is a line that rank 0 of a measuring job prints.
type tuneNote struct {
	Done    int            `json:"done,omitempty"`
	All     int            `json:"all,omitempty"`
	Next    string         `json:"next,omitempty"`
	Timings []tuner.Timing `json:"timings,omitempty"`
	Samples *tuner.Samples `json:"samples,omitempty"`
	Partial bool           `json:"partial,omitempty"` // the job was stopped: there are timings of some cases only
}

// tuneRank is the life of a rank of a measuring job.
func tuneRank(ctx context.Context, o *tuneOptions) error {
	r, err := boot.Join(nil)
	if err != nil {
		return err
	}
	world := r.Env.World()
	cfg, err := o.config()
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	cfg.Pause = r.Clock().Sleep
	cfg.Progress = func(done, all int, next string) { _ = out.Encode(tuneNote{Done: done, All: all, Next: next}) }
	var n tuneNote
	if o.mode == tunesMachine {
		n.Samples, err = tuner.Sample(ctx, world, o.rounds, cfg.Progress)
	} else {
		n.Timings, err = tuner.Run(ctx, world, cfg)
		n.Partial = err != nil
	}
	if world.Rank() == 0 && (err == nil || len(n.Timings) > 0) {
		err = errors.Join(err, out.Encode(n))
	}
	if err != nil {
		return err
	}
	return r.Leave()
}

// tuneAll measures all numbers of ranks, chooses, and writes the rules. If it is stopped on the way, it
// writes those that follow from what it has measured.
func tuneAll(ctx context.Context, o *tuneOptions, args []string, w io.Writer) error {
	if o.rules != "" {
		return o.verifyFile(ctx, args)
	}
	notes, stopped := o.measureParts(ctx, args)
	if len(notes) == 0 {
		return stopped
	}
	timings := timingsOf(notes)
	winners := tuner.Winners(timings, o.margin/100)
	if !o.quiet {
		printWinners(os.Stderr, winners)
	}
	for _, broken := range tuner.Check(winners, 0.2) {
		fmt.Fprintf(os.Stderr, "weft tune: not as one would expect: %s\n", broken)
	}
	if err := o.write(w, winners, o.made(args, notes)); err != nil {
		return err
	}
	if err := o.plotGains(winners); err != nil {
		return err
	}
	all := tuneTimes{Timings: timings, Winners: winners}
	if stopped != nil {
		return errors.Join(o.keep(&all), o.keepParts(args, notes, stopped))
	}
	if err := o.forgetParts(); err != nil {
		return err
	}
	if o.verify {
		if err := o.verifyRules(ctx, tuner.Rules(winners), args, &all); err != nil {
			return err
		}
	}
	return o.keep(&all)
}

// timingsOf puts together what jobs have measured of the same.
func timingsOf(notes []tuneNote) []tuner.Timing {
	var jobs [][]tuner.Timing
	for _, n := range notes {
		jobs = append(jobs, n.Timings)
	}
	return tuner.Merge(jobs...)
}

// tuneTimes is what --json keeps.
type tuneTimes struct {
	Timings  []tuner.Timing  `json:"timings,omitempty"`
	Winners  []tuner.Winner  `json:"winners,omitempty"`
	Verified []tuner.Timing  `json:"verified,omitempty"`
	Contests []tuner.Contest `json:"contests,omitempty"`
}

// keep writes all that was measured into the file of --json, if there is one.
func (o *tuneOptions) keep(all any) error {
	if o.json == "" {
		return nil
	}
	text, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(o.json, append(text, '\n'), 0o644)
}

// write writes the rules, with a head that says where they come from.
func (o *tuneOptions) write(w io.Writer, winners []tuner.Winner, made string) error {
	var text bytes.Buffer
	fmt.Fprintf(&text, "# Rules for collective algorithms, measured by: %s\n", made)
	fmt.Fprintf(&text, "# on %s, %s. Use them with WEFT_COLL=@FILE.\n", o.where(), time.Now().Format(time.DateOnly))
	if rules := tuner.Rules(winners); rules != "" {
		fmt.Fprintln(&text, rules)
	} else {
		fmt.Fprintln(&text, "# Nothing was clearly faster than what the rules in force choose.")
	}
	return o.writeText(w, text.Bytes(), "the rules are", "WEFT_COLL")
}

// environment is the settings of ranks in virtual time.
func (o *tuneOptions) environment() (env []string, err error) {
	for _, s := range o.settings {
		variable, err := tunableVariable(s)
		if err != nil {
			return nil, err
		}
		env = append(env, variable)
	}
	return env, nil
}

// measureJob measures on a job of this program, as "weft run" starts it, with so many ranks, or as
// many as there are slots if that is 0. It returns what the job has found in the end.
func (o *tuneOptions) measureJob(ctx context.Context, ranks int, args []string, show func(tuneNote)) (found tuneNote, err error) {
	program, err := os.Executable()
	if err != nil {
		return found, fmt.Errorf("cannot find the weft program to start it as ranks: %w", err)
	}
	job := exec.CommandContext(ctx, program, slices.Concat(o.runArgs(ranks), []string{program, "tune"}, args, o.rankArgs())...)
	job.Cancel = func() error { return job.Process.Signal(os.Interrupt) }
	job.WaitDelay = 10 * time.Second
	job.Stderr = os.Stderr
	out, err := job.StdoutPipe()
	if err != nil {
		return found, err
	}
	if err := job.Start(); err != nil {
		return found, err
	}
	notes := json.NewDecoder(out)
	var wrong error
	for {
		var n tuneNote
		if wrong = notes.Decode(&n); wrong != nil {
			break
		}
		if n.Timings != nil || n.Samples != nil {
			found = n
			continue
		}
		show(n)
	}
	_, _ = io.Copy(io.Discard, out) // let the job end
	if err := job.Wait(); err != nil {
		return found, fmt.Errorf("a job that measures failed (weft %s): %w", strings.Join(job.Args[1:], " "), err)
	}
	if found.Timings == nil && found.Samples == nil {
		return found, fmt.Errorf("a job that measures printed no times (weft %s): %w", strings.Join(job.Args[1:], " "), wrong)
	}
	return found, nil
}

// runArgs are the words of "weft run" with which a job of so many ranks begins.
func (o *tuneOptions) runArgs(ranks int) []string {
	words := []string{"run", "--oversubscribe", "--stdin", "none"}
	if ranks > 0 {
		words = append(words, "-n", fmt.Sprint(ranks))
	}
	for _, h := range o.hosts {
		words = append(words, "--host", h)
	}
	for _, f := range o.hostFiles {
		words = append(words, "--hostfile", f)
	}
	for _, s := range o.settings {
		words = append(words, "--set", s)
	}
	return words
}

// printWinners prints a table of what was chosen.
func printWinners(w io.Writer, winners []tuner.Winner) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ranks\tnodes\tspread\toperation\tbytes\tfastest\tµs\tdoubt\tin force\tµs\tgain\tat least\tfaster in")
	for _, x := range winners {
		_, way, _ := strings.Cut(x.Algorithm, "/")
		_, before, _ := strings.Cut(x.Before, "/")
		gain := "\t\t"
		if way != before {
			gain = fmt.Sprintf("%.2f\t%.2f\t%d of %d jobs", x.Gain(), x.Least, x.Wins, x.Jobs)
		}
		fmt.Fprintf(t, "%d\t%d\t%d\t%s\t%d\t%s\t%.2f\t%s\t%s\t%.2f\t%s\n", x.Ranks, x.Nodes, x.Spread, x.Op, x.Bytes, way, x.Micros, percent(x.Doubt),
			before, x.BeforeUs, gain)
	}
	_ = t.Flush()
}
