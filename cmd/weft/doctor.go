package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/weft-mpi/weft/internal/doctor"
)

// doctorCommand is "weft doctor".
func doctorCommand(args []string) int {
	o, err := parseDoctor(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return showHelp("doctor")
	case err != nil:
		fmt.Fprintf(os.Stderr, "weft doctor: %v\n(weft doctor -h shows the options)\n", err)
		return codeUsage
	}
	ctx, stop := untilSignal()
	defer stop()
	if o.agent {
		return doctorAgent(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, doctor.AgentLife)
	defer cancel()
	report := doctor.Examine(ctx, o.order)
	if ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		fmt.Fprintln(os.Stderr, "weft doctor: interrupted")
		return codeInterrupted
	}
	if o.json {
		text, err := json.MarshalIndent(report, "", "  ")
		if err != nil {
			fmt.Fprintf(os.Stderr, "weft doctor: %v\n", err)
			return 1
		}
		fmt.Println(string(text))
	} else if err := printReport(os.Stdout, report, o.verbose || len(report.Hosts) == 1); err != nil {
		return 1 // nobody reads it
	}
	if report.Worst() == doctor.Fail {
		return 1
	}
	return 0
}

// doctorAgent serves an examination that runs elsewhere.
func doctorAgent(ctx context.Context) int {
	time.AfterFunc(doctor.AgentLife, func() { os.Exit(1) })
	context.AfterFunc(ctx, func() { os.Exit(1) })
	if err := doctor.Serve(ctx, os.Stdin, os.Stdout, version()); err != nil {
		fmt.Fprintf(os.Stderr, "weft doctor: %v\n", err)
		return 1
	}
	return 0
}

// printReport writes the findings, host by host, and a line that sums up. Those that are well are left out unless all
// are wanted, but for what concerns several hosts.
func printReport(to io.Writer, r *doctor.Report, all bool) error {
	out := &strings.Builder{}
	count := map[doctor.Grade]int{}
	where := "-"
	table := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	for _, f := range r.Findings {
		count[f.Grade]++
		if f.Grade == doctor.OK && f.Host != "" && !all {
			continue
		}
		if f.Host != where {
			where = f.Host
			fmt.Fprintf(table, "%s:\n", cmp.Or(where, "between the hosts"))
		}
		fmt.Fprintf(table, "  %v\t%s\t%s\n", f.Grade, f.Check, f.Text)
		if f.Fix != "" {
			fmt.Fprintf(table, "\t\tfix: %s\n", f.Fix)
		}
	}
	if all && len(r.Paths) > 0 {
		fmt.Fprintln(table, "paths:")
		for _, p := range r.Paths {
			fmt.Fprintf(table, "  %s %s\t-> %s %s\t%v -> %v: TCP %s, UDP %s, %d bytes %s\n", p.From, p.Interface, p.To, p.Peer,
				p.Local, p.Address, p.TCP, p.UDP, p.Size, p.Large)
		}
	}
	table.Flush()
	fmt.Fprintf(out, "%d host(s): %d fail, %d warn, %d ok\n", len(r.Hosts), count[doctor.Fail], count[doctor.Warn], count[doctor.OK])
	_, err := io.WriteString(to, out.String())
	return err
}
