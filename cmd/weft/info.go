package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/model"
	"github.com/weft-mpi/weft/internal/usage"
	"github.com/weft-mpi/weft/internal/verbs/kernel/sysfs"
)

const infoAbout = `
Shows this machine as a job of Weft sees it: processors, caches, memory, what the kernel allows, network interfaces, and the ways that
messages travel.

  weft info                              the machine
  weft info --tunables                   all settings, with their values and where these came from
  weft info --explain allgather 64K 16   which algorithm serves a collective of that many bytes on 16 ranks, and why
  weft info --plot costs.svg --explain allreduce 4M 16
                                         the algorithms over message size, as the machine's numbers tell
  weft info --explain send 1M            which protocol carries a message
  weft info --rules                      the rules that choose collective algorithms, and the numbers of the machine behind them
`

// infoReport is what "weft info" knows.
type infoReport struct {
	Version  string    `json:"version"`
	Go       string    `json:"go"`
	Host     []fact    `json:"host,omitempty"`
	Network  []fact    `json:"network,omitempty"`
	RDMA     []fact    `json:"rdma,omitempty"`
	Links    []fact    `json:"links,omitempty"`
	Machine  []fact    `json:"machine,omitempty"` // what costs how much, by which algorithms are chosen
	Tunables []setting `json:"tunables"`
	Problems []string  `json:"problems,omitempty"`
}

// fact is one line about the machine. Note says what it means for a job, when that is worth saying.
type fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Note  string `json:"note,omitempty"`
}

// setting is one of them, with where its value came from.
type setting struct {
	Group   string `json:"group"`
	Name    string `json:"name"`
	Value   string `json:"value"`
	Default string `json:"default"`
	Origin  string `json:"origin"`
	Alike   bool   `json:"alike"` // all ranks of a job must have the same
	Text    string `json:"text"`
}

// infoOptions is a command line of "weft info".
type infoOptions struct {
	json, tunables, all, rules, explain bool
	place                               layout
	plot                                string
}

func (o *infoOptions) flags() *flag.FlagSet {
	f := newFlags("info")
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.BoolVar(&o.tunables, "tunables", false, "the settings, by what they concern, with their values and where these came from")
	f.BoolVar(&o.all, "all", false, "also the settings that are for experiments and tests (WEFT_LAB_...), and those of adapters on a host without (WEFT_DEVICE, WEFT_RDMA_...)")
	f.BoolVar(&o.rules, "rules", false, "the rules that choose collective algorithms, in the order they are tried")
	f.BoolVar(&o.explain, "explain", false, "which algorithm serves a collective, and why: --explain OP BYTES RANKS; which protocol carries a message: "+
		"--explain send BYTES")
	f.IntVar(&o.place.nodes, "nodes", 1, "with --explain: the ranks are on `N` nodes, evenly")
	f.StringVar(&o.plot, "plot", "", "with --explain: draw what the algorithms cost, up to BYTES, into `FILE`, .svg or .pdf")
	f.IntVar(&o.place.rails, "rails", 1, "with --explain: `N` rails between nodes")
	f.IntVar(&o.place.spread, "spread", 0, "with --explain: ranks arrive `N` messages' time apart")
	return f
}

// aboutInfo describes "weft info".
func aboutInfo() usage.Command {
	return usage.Command{Forms: []string{"[options]", "[options] --explain OP BYTES RANKS", "[options] --explain send BYTES"}, About: infoAbout,
		Words: "OP|send", Groups: flagGroup(new(infoOptions).flags())}
}

// infoCommand is "weft info".
func infoCommand(args []string) int {
	var o infoOptions
	f := o.flags()
	switch err := f.Parse(plotOption(args)); {
	case err == flag.ErrHelp:
		return showHelp("info")
	case err != nil:
		return refuse("info", err)
	case o.explain:
		return explainCommand(f.Args(), o.place, o.json, o.plot)
	case o.rules:
		return rulesCommand()
	case f.NArg() > 0:
		return refuse("info", fmt.Errorf("%q is not understood; with --explain it would be an operation", f.Arg(0)))
	}
	report := gatherInfo(!o.tunables, o.all)
	switch {
	case o.json:
		if err := writeJSON(os.Stdout, report); err != nil {
			return 1 // nobody reads it
		}
	case o.tunables || o.all:
		printTunables(os.Stdout, report)
	default:
		printInfo(os.Stdout, report)
	}
	return 0
}

// gatherInfo collects what there is to tell; all: of settings for experiments and tests and for adapters
// that are not here, too.
func gatherInfo(withHost, all bool) infoReport {
	report := infoReport{Version: version(), Go: goVersion()}
	settings, err := boot.ReadSettings(os.Environ())
	for _, err := range []error{err, settings.Unknown()} {
		if err != nil {
			report.Problems = append(report.Problems, strings.Split(err.Error(), "\n")...)
		}
	}
	if withHost {
		report.Host, report.Network, report.Links = hostFacts(), networkFacts(settings), linkFacts(settings)
		report.RDMA, report.Machine = rdmaFacts(), machineFacts()
	}
	adapters, _ := sysfs.Devices(boot.Adapters.Sys) // what cannot be read is told by rdmaFacts
	for _, i := range settings.Values {
		chooses := i.Name == "WEFT_DEVICE" || strings.HasPrefix(i.Name, "WEFT_RDMA_")
		idle := i.Lab() || chooses && len(adapters) == 0
		if all || !idle || i.Origin != "default" {
			report.Tunables = append(report.Tunables, setting{i.Group, i.Name, i.Value, i.Default, i.Origin, i.Alike, i.Text})
		}
	}
	return report
}

// linkFacts are the ways that messages travel in a job with these settings.
func linkFacts(set *boot.Settings) (facts []fact) {
	for _, l := range boot.Links() {
		f := fact{Name: l.Name, Value: l.Text}
		if set.Links != "auto" && l.Name != "inproc" && l.Name != set.Links {
			f.Note = "not used, by WEFT_LINKS=" + set.Links
		}
		facts = append(facts, f)
	}
	return facts
}

// machineFacts are the numbers by which ranks with this environment would choose algorithms; none
// if its settings are wrong, which is told elsewhere.
func machineFacts() (facts []fact) {
	selector, err := selectorFor(os.Environ())
	if err != nil {
		return nil
	}
	m := selector.Machine()
	for _, name := range model.Names() {
		value, unit, text := m.Shown(name)
		facts = append(facts, fact{Name: name, Value: strings.TrimSpace(fmt.Sprintf("%.6g %s", value, unit)), Note: text})
	}
	return facts
}

// printInfo shows the machine, and of the settings those that were changed.
func printInfo(w io.Writer, report infoReport) {
	printFacts(w, "", []fact{{Name: "weft", Value: report.Version}, {Name: "built with", Value: report.Go}})
	printFacts(w, "machine", report.Host)
	printFacts(w, "network between hosts", report.Network)
	printFacts(w, "RDMA adapters", report.RDMA)
	printFacts(w, "ways that messages travel", report.Links)
	var changed []fact
	for _, s := range report.Tunables {
		if s.Origin != "default" {
			changed = append(changed, fact{Name: s.Name, Value: s.Value, Note: s.Origin})
		}
	}
	printFacts(w, "settings that were changed", changed)
	fmt.Fprintln(w, "\nweft info --tunables lists all settings, weft doctor finds what is wrong with this host")
	printProblems(w, report)
}

// printFacts prints facts below a title, if there are any.
func printFacts(w io.Writer, title string, facts []fact) {
	if len(facts) == 0 {
		return
	}
	indent := ""
	if title != "" {
		fmt.Fprintf(w, "\n%s\n", title)
		indent = "  "
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, f := range facts {
		if f.Note != "" {
			f.Value += "  (" + f.Note + ")"
		}
		fmt.Fprintf(t, "%s%s\t%s\n", indent, f.Name, f.Value)
	}
	_ = t.Flush()
}

// printTunables shows the settings by their groups: name, value and where it came from, and below what it means.
func printTunables(w io.Writer, report infoReport) {
	fmt.Fprintln(w, "settings, to be changed in the environment or by weft run --set name=value (stall for WEFT_STALL):")
	names, values := 0, 0
	for i, s := range report.Tunables {
		if s.Value == "" {
			report.Tunables[i].Value = `""`
		}
		names, values = max(names, len(s.Name)), max(values, len(report.Tunables[i].Value))
	}
	group := ""
	for _, s := range report.Tunables {
		if s.Group != group {
			group = s.Group
			fmt.Fprintf(w, "\n  %s\n", group)
		}
		fmt.Fprintf(w, "    %-*s  %-*s  %s\n", names, s.Name, values, s.Value, s.Origin)
		for _, line := range usage.Wrap(s.Text, usage.Width) {
			fmt.Fprintf(w, "        %s\n", line)
		}
	}
	printProblems(w, report)
}

func printProblems(w io.Writer, report infoReport) {
	for _, p := range report.Problems {
		fmt.Fprintln(w, "problem: "+p)
	}
}
