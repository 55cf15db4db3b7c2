package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/model"
)

// infoReport is what "weft info" knows.
type infoReport struct {
	Version  string    `json:"version"`
	Go       string    `json:"go"`
	Host     []fact    `json:"host,omitempty"`
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

// infoCommand is "weft info".
func infoCommand(args []string) int {
	flags := flag.NewFlagSet("weft info", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "write JSON")
	tunablesOnly := flags.Bool("tunables", false, "only the settings, with their values and where these came from")
	all := flags.Bool("all", false, "also the settings that are for experiments and tests (WEFT_LAB_...)")
	rules := flags.Bool("rules", false, "the rules that choose collective algorithms, in the order they are tried")
	explained := flags.Bool("explain", false, "which algorithm serves a collective, and why: --explain OP BYTES RANKS; which protocol carries a message: --explain send BYTES")
	var place layout
	flags.IntVar(&place.nodes, "nodes", 1, "with --explain: the ranks are on so many nodes, evenly")
	flags.IntVar(&place.rails, "rails", 1, "with --explain: rails between nodes")
	flags.IntVar(&place.spread, "spread", 0, "with --explain: ranks arrive so many messages' time apart")
	if err := flags.Parse(args); err == flag.ErrHelp {
		return 0
	} else if err != nil {
		return codeUsage
	}
	if *explained {
		return explainCommand(flags.Args(), place, *asJSON)
	}
	if *rules {
		return rulesCommand()
	}
	if flags.NArg() > 0 {
		complain("info takes no arguments, only options; see weft info -h")
		return codeUsage
	}
	report := gatherInfo(!*tunablesOnly, *all)
	if *asJSON {
		text, err := json.MarshalIndent(report, "", "  ")
		if err != nil {
			complain("%v", err)
			return 1
		}
		fmt.Println(string(text))
		return 0
	}
	printInfo(report)
	return 0
}

// gatherInfo collects what there is to tell; all: of settings for experiments and tests, too.
func gatherInfo(withHost, all bool) infoReport {
	report := infoReport{Version: version(), Go: goVersion()}
	if withHost {
		report.Host = hostFacts()
		for _, l := range boot.Links() {
			report.Links = append(report.Links, fact{Name: l.Name, Value: l.Text})
		}
		report.Machine = machineFacts()
	}
	settings, err := boot.ReadSettings(os.Environ())
	for _, err := range []error{err, settings.Unknown()} {
		if err != nil {
			report.Problems = append(report.Problems, strings.Split(err.Error(), "\n")...)
		}
	}
	for _, i := range settings.Values {
		if all || !i.Lab() || i.Origin != "default" {
			report.Tunables = append(report.Tunables, setting{i.Group, i.Name, i.Value, i.Default, i.Origin, i.Alike, i.Text})
		}
	}
	return report
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

func printInfo(report infoReport) {
	w := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "weft\t%s\n", report.Version)
	fmt.Fprintf(w, "built with\t%s\n", report.Go)
	for _, f := range report.Host {
		if f.Note != "" {
			f.Value += "  (" + f.Note + ")"
		}
		fmt.Fprintf(w, "%s\t%s\n", f.Name, f.Value)
	}
	w.Flush()
	if len(report.Links) > 0 {
		fmt.Println("\nlinks:")
	}
	for _, l := range report.Links {
		fmt.Fprintf(w, "  %s\t%s\n", l.Name, l.Value)
	}
	w.Flush()
	if len(report.Machine) > 0 {
		fmt.Println("\nmachine, by which collective algorithms are chosen (weft tune measures it):")
	}
	for _, f := range report.Machine {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", f.Name, f.Value, f.Note)
	}
	w.Flush()
	fmt.Println("\nsettings (in the environment, or by weft run --set name=value):")
	printSettings(os.Stdout, report.Tunables)
	for _, p := range report.Problems {
		fmt.Println("problem: " + p)
	}
}

// printSettings prints settings by their groups: name, value and where it came from, and below what it means.
func printSettings(w io.Writer, all []setting) {
	names, values := 0, 0
	for i := range all {
		if all[i].Value == "" {
			all[i].Value = `""`
		}
		names, values = max(names, len(all[i].Name)), max(values, len(all[i].Value))
	}
	group := ""
	for _, s := range all {
		if s.Group != group {
			group = s.Group
			fmt.Fprintf(w, "\n  %s\n", group)
		}
		fmt.Fprintf(w, "    %-*s  %-*s  %s\n", names, s.Name, values, s.Value, s.Origin)
		for _, line := range wrap(s.Text, 100) {
			fmt.Fprintf(w, "        %s\n", line)
		}
	}
}

// wrap cuts a text between words into lines of up to width bytes.
func wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}
