package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/tuner"
	"github.com/weft-mpi/weft/internal/userfile"
)

// rankRules is the option by which ranks learn the rules they verify, rankSpread that by which they learn
// how far apart to come. They are not for people.
const (
	rankRules  = "verify-these"
	rankSpread = "come-apart"
)

// noRules stands for no rules where there must be a word.
const noRules = "# none"

// rankArgs are options for ranks besides those of the command.
func (o *tuneOptions) rankArgs() (args []string) {
	if o.spread > 0 {
		args = append(args, "--"+rankSpread, fmt.Sprint(o.spread))
	}
	if o.verifies != "" {
		args = append(args, "--"+rankRules, o.verifies)
	}
	return args
}

// verifyFile verifies the rules of a file.
func (o *tuneOptions) verifyFile(ctx context.Context, args []string) error {
	text, err := userfile.Read(o.rules)
	if err != nil {
		return err
	}
	if _, err := coll.Parse(string(text)); err != nil {
		return fmt.Errorf("%s: %w", o.rules, err)
	}
	var all tuneTimes
	if err := o.verifyRules(ctx, string(text), args, &all); err != nil {
		return err
	}
	return o.keep(&all)
}

// verifyRules runs rules against single algorithms and shows what came of it.
func (o *tuneOptions) verifyRules(ctx context.Context, rules string, args []string, all *tuneTimes) error {
	if o.verifies = rules; strings.TrimSpace(rules) == "" {
		o.verifies = noRules
	}
	o.resume = "" // that was for what the rules follow from
	notes, err := o.measureParts(ctx, args)
	if err != nil {
		return err
	}
	all.Verified = timingsOf(notes)
	all.Contests = tuner.Contests(all.Verified)
	if !o.quiet {
		printContests(os.Stderr, all.Contests)
	}
	return nil
}

// shown is how many of the entries of a contest are printed.
const shown = 5

// printContests prints, for every operation, what comes closest to the rules.
func printContests(w io.Writer, contests []tuner.Contest) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "operation\tranks\tnodes\tspread\tgeometric mean over the sizes of\tµs\trules / this\tdoubt\t")
	var counts [tuner.Slower + 1]int
	for _, c := range contests {
		standing, against := c.Standing()
		counts[standing]++
		verdict := [...]string{fmt.Sprintf("faster than every one of %d", c.Rivals()), "even with " + strings.Join(against, ", "), "slower than " +
			strings.Join(against, ", ")}[standing]
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%s\t%.2f\t\t\t%s\n", c.Op, c.Ranks, c.Nodes, c.Spread, tuner.TunedRules, c.Micros, verdict)
		for i, e := range c.Entries {
			if i >= shown && e.Fixed() {
				continue
			}
			_, way, cut := strings.Cut(e.Name, "/")
			if !cut {
				way = e.Name
			}
			note := ""
			if e.Same {
				note = "what the rules choose for all sizes"
			}
			fmt.Fprintf(t, "\t\t\t\t%s\t%.2f\t%.3f\t%.3f\t%s\n", way, e.Micros, e.Ratio, e.Doubt, note)
		}
		if len(c.Entries) > shown {
			last := c.Entries[len(c.Entries)-1]
			fmt.Fprintf(t, "\t\t\t\tthe slowest of %d, %s\t%.2f\t%.3f\t%.3f\t\n", len(c.Entries), last.Name, last.Micros, last.Ratio, last.Doubt)
		}
	}
	_ = t.Flush()
	fmt.Fprintf(w, "of %d, the rules are faster than every algorithm compared in %d, even with the best in %d, slower in %d\n", len(contests),
		counts[tuner.Faster], counts[tuner.Even], counts[tuner.Slower])
}
