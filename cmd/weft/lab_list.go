package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/weft-mpi/weft/lab"
)

// writeList shows figures document by document, and then what the names of machines among them mean.
func writeList(w io.Writer, all []listed) error {
	built, counts := 0, lab.Counts{}
	var machines []string
	for _, d := range lab.Documents() {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		first := true
		for _, f := range all {
			if f.Document != d.ID {
				continue
			}
			if first {
				fmt.Fprintf(w, "document %s: %s (%s)\n\n", d.ID, d.Title, d.Authors)
				fmt.Fprintln(t, "id\tstatus\tpredictions kept\tother checks\tmachines\twhat it shows")
			}
			first = false
			fmt.Fprintf(t, "%s\t%s\t%v\t%s\t%s\t%s\n", f.ID, f.Status, f.Counts[lab.Prediction], f.Counts.Others(), f.Platform, f.Title)
			if f.own {
				counts.Add(f.Counts)
			}
			machines = append(machines, strings.Fields(f.Platform)...)
			if f.Status == lab.Built {
				built++
			}
		}
		if first {
			continue
		}
		fmt.Fprintln(t)
		if err := t.Flush(); err != nil {
			return err
		}
	}
	if err := writeMachines(w, machines); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%d of %d can be made: weft lab run ID\nchecks, each experiment once, with --quick: %v\n", built, len(all), counts)
	return err
}

// writeMachines tells what the machines are that have these names.
func writeMachines(w io.Writer, names []string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	head := "machine\thosts\tnetwork and library\tsimulated as"
	for _, m := range lab.Machines() {
		if !slices.Contains(names, m.ID) {
			continue
		}
		if head != "" {
			fmt.Fprintln(t, head)
		}
		head = ""
		fmt.Fprintf(t, "%s\t%s\t%s\tsim:%s\n", m.ID, m.Hosts, m.Network, m.Profile)
	}
	if head == "" {
		fmt.Fprintln(t)
	}
	return t.Flush()
}
