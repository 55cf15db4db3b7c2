package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/tuner"
)

// machineReport is what --json keeps of a machine.
type machineReport struct {
	Machine []tuner.Finding  `json:"machine"`
	Jobs    []*tuner.Samples `json:"jobs"`
}

// tuneMachine measures the numbers of the machine in several jobs, shows them, and writes them. If it is
// stopped on the way, it writes those that follow from what it has measured.
func (o *tuneOptions) tuneMachine(ctx context.Context, args []string, w io.Writer) error {
	notes, stopped := o.measureParts(ctx, args)
	if len(notes) == 0 {
		return stopped
	}
	var r machineReport
	for _, n := range notes {
		r.Jobs = append(r.Jobs, n.Samples)
	}
	_, r.Machine = tuner.Fit(r.Jobs)
	if !o.quiet {
		printMachine(os.Stderr, r.Machine)
	}
	if err := o.writeText(w, machineText(r.Machine, o.where(), o.made(args, notes)), "the numbers are", "WEFT_MACHINE"); err != nil {
		return err
	}
	if stopped != nil {
		return errors.Join(o.keep(&r), o.keepParts(args, notes, stopped))
	}
	return errors.Join(o.keep(&r), o.forgetParts())
}

// What a host is measured with, unless -n or --host say: as many ranks as processors, within
// limits, and in some jobs twice as many, where they have to take turns.
const (
	fewestRanks  = 2
	mostRanks    = 16
	crowdedEvery = 2 // jobs with as many ranks as processors between those with more
)

// jobSizes are the ranks of each job; 0 stands for as many as the hosts have slots.
func (o *tuneOptions) jobSizes() (sizes []int) {
	own := o.ranks
	if own == nil && len(o.hosts)+len(o.hostFiles) == 0 {
		n := fewestRanks
		if cpus, err := clock.AllowedCPUs(); err == nil {
			n = min(max(len(cpus), fewestRanks), mostRanks)
		}
		own = []int{n, 2 * n}
	}
	for i := range o.jobs {
		switch {
		case own == nil:
			sizes = append(sizes, 0)
		default:
			sizes = append(sizes, own[0])
		}
		if len(own) > 1 && i%crowdedEvery == 0 {
			sizes = append(sizes, own[1])
		}
	}
	return sizes
}

// printMachine prints what was found out, and what was there before.
func printMachine(w io.Writer, machine []tuner.Finding) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "number\tmeasured\tunit\tdoubt\tin a job\tbetween jobs\tbefore\t")
	for _, f := range machine {
		measured, doubt := "", "\t\tnot measured"
		if f.Jobs > 0 {
			measured = fmt.Sprintf("%.4g", f.Value)
			doubt = fmt.Sprintf("%s\t%s\t%s", percent(f.Doubt()), percent(f.Rounds), percent(f.Between))
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%.4g\t%s\n", f.Name, measured, f.Unit, doubt, f.Before, f.Text)
	}
	_ = t.Flush()
}

// percent is how much a number may be off.
func percent(share float64) string { return fmt.Sprintf("+- %.0f %%", 100*share) }

// machineText is the numbers that were measured as WEFT_MACHINE takes them, with a head that says
// where they come from.
func machineText(machine []tuner.Finding, where, made string) []byte {
	var text bytes.Buffer
	fmt.Fprintf(&text, "# What messages, copies and flags cost, measured by: %s\n", made)
	fmt.Fprintf(&text, "# on %s, %s. Use it with WEFT_MACHINE=@FILE.\n", where, time.Now().Format(time.DateOnly))
	for _, f := range machine {
		if f.Jobs == 0 {
			fmt.Fprintf(&text, "# %s was not measured\n", f.Name)
			continue
		}
		fmt.Fprintf(&text, "%-20s # %s %s, jobs: %d\n", fmt.Sprintf("%s=%.6g", f.Name, f.Value), f.Unit, percent(f.Doubt()), f.Jobs)
	}
	return text.Bytes()
}

// where is what was measured.
func (o *tuneOptions) where() string {
	if o.profile != "" {
		return "a simulated " + o.profile
	}
	name, _ := os.Hostname()
	return name
}

// writeText writes what was found into the file of --save, or to w, and tells how to use it.
func (o *tuneOptions) writeText(w io.Writer, text []byte, what, variable string) error {
	if o.save == "-" {
		_, err := w.Write(text)
		return err
	}
	if err := os.WriteFile(o.save, text, 0o644); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s in %s; use them with %s=@%s\n", what, o.save, variable, o.save)
	return nil
}
