package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/tune"
)

// infoReport is what "weft info" knows.
type infoReport struct {
	Version  string    `json:"version"`
	Go       string    `json:"go"`
	Host     []fact    `json:"host,omitempty"`
	Links    []fact    `json:"links,omitempty"`
	Tunables []setting `json:"tunables"`
	Problems []string  `json:"problems,omitempty"`
}

// fact is one line about the machine. Note says what it means for a job, when that is worth saying.
type fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Note  string `json:"note,omitempty"`
}

// setting is one tunable.
type setting struct {
	Name    string `json:"name"`
	Value   string `json:"value"`
	Default string `json:"default"`
	Origin  string `json:"origin"`
	Text    string `json:"text"`
}

// infoCommand is "weft info".
func infoCommand(args []string) int {
	flags := flag.NewFlagSet("weft info", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "write JSON")
	tunablesOnly := flags.Bool("tunables", false, "only the tunables")
	rules := flags.Bool("rules", false, "the rules that choose collective algorithms, in the order they are tried")
	explained := flags.Bool("explain", false, "which algorithm serves a collective, and why: --explain OP BYTES RANKS")
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
		return explainCommand(flags.Args(), place)
	}
	if *rules {
		return rulesCommand()
	}
	if flags.NArg() > 0 {
		complain("info takes no arguments, only options; see weft info -h")
		return codeUsage
	}
	report := gatherInfo(!*tunablesOnly)
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

func gatherInfo(withHost bool) infoReport {
	report := infoReport{Version: version(), Go: goVersion()}
	if withHost {
		report.Host = hostFacts()
		for _, l := range boot.Links() {
			report.Links = append(report.Links, fact{Name: l.Name, Value: l.Text})
		}
	}
	settings, unknown, err := tune.Read(os.Environ())
	if err != nil {
		report.Problems = append(report.Problems, err.Error())
	}
	for _, name := range unknown {
		report.Problems = append(report.Problems, name+" is set but is no tunable of this version")
	}
	for _, t := range settings.All() {
		report.Tunables = append(report.Tunables, setting{t.Name, t.Value, t.Default, t.Origin, t.Text})
	}
	return report
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
	fmt.Println("\ntunables (set in the environment, or by weft run --set name=value):")
	for _, t := range report.Tunables {
		value := t.Value
		if value == "" {
			value = `""`
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", t.Name, value, t.Origin, t.Text)
	}
	w.Flush()
	for _, p := range report.Problems {
		fmt.Println("problem: " + p)
	}
}
