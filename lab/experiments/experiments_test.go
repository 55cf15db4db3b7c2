package experiments

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/lab"
)

var rewrite = flag.Bool("rewrite", false, "write docs/reference/figures.md anew")

// timed are the experiments whose bars depend on how busy this machine is.
var timed = []string{"F5.4"}

// long are experiments that take as long as all others together, and depend on the model alone: make matrix runs them.
var long = []string{"F3.9", "F4.16", "F6.8", "T6.1", "002.F3.4", "002.F3.11", "002.F4.6", "002.F5.2", "002.F5.6"}

func newBench(t *testing.T) *lab.Bench {
	t.Helper()
	b, err := lab.NewBench(lab.Options{Quick: true, Version: "x"})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// onlySoaking leaves out what takes long, and changes with the model alone: make matrix runs it.
func onlySoaking(t *testing.T) {
	t.Helper()
	if os.Getenv("WEFT_SOAK") == "" {
		t.Skip("left out unless WEFT_SOAK=1")
	}
}

// brief are experiments that short tests run: one of each kind of program.
var brief = []string{"T3.1", "F3.3", "F3.13", "F4.1", "F4.13", "F5.2", "F6.4"}

// TestAllRun: every experiment runs, its result can be saved, it is held against bars, it explains itself, and keeps
// as many as the program says. If all have run, the page counts the checks of those that do not depend on this machine.
func TestAllRun(t *testing.T) {
	if _, err := Registry(); err != nil {
		t.Fatal(err)
	}
	var results []*lab.Result
	loose := readLoose(t)
	for _, e := range All() {
		t.Run(e.ID, func(t *testing.T) {
			if testing.Short() && slices.Contains(timed, e.ID) {
				t.Skip("left out of short tests: measures the processor, and under the race detector something else")
			}
			if testing.Short() && !slices.Contains(brief, e.ID) {
				t.Skip("left out of short tests, which run under the race detector: virtual time has one thread")
			}
			if e.Lengthy || slices.Contains(long, e.ID) {
				onlySoaking(t)
			}
			b := newBench(t)
			r, err := e.Run(t.Context(), b)
			if err != nil {
				t.Fatal(err)
			}
			b.Finish(r)
			if err := r.Check(); err != nil || r.ID != e.ID || r.Title == "" {
				t.Errorf("%q %q: %v", r.ID, r.Title, err)
			}
			if len(r.Checks) == 0 || len(r.Panels)+len(r.Tables) == 0 {
				t.Errorf("%d checks, %d diagrams, %d tables", len(r.Checks), len(r.Panels), len(r.Tables))
			}
			for _, c := range r.Checks {
				if c.Bar == "" || c.Paper == "" || c.Ours == "" {
					t.Errorf("%+v does not say everything", c)
				}
			}
			loose.hold(t, r)
			holdAgainstCatalogue(t, r)
			if !slices.Contains(timed, e.ID) {
				holdAgainstKnown(t, r)
				holdCount(t, r)
				results = append(results, r)
			}
			if e.Explain[0] == "" || e.Explain[1] == "" {
				t.Error("it is not explained in two paragraphs")
			}
		})
	}
	if len(results) == len(All())-len(timed) {
		var count strings.Builder
		if err := lab.WriteTallies(&count, results); err != nil {
			t.Fatal(err)
		}
		generated(t, figuresPage, "count", "```\n"+count.String()+"```\n")
		generated(t, figuresPage, "found", found(t, results))
		if *rewrite {
			writeCounts(t, results)
		}
		loose.shrink(t)
	}
}

// holdAgainstKnown: the bars that fail are those that are known to, no more and no fewer.
func holdAgainstKnown(t *testing.T, r *lab.Result) {
	t.Helper()
	for _, c := range r.Checks {
		known := slices.ContainsFunc(Known(), func(m Miss) bool { return m.Figure == r.ID && m.Bar == c.Bar })
		switch {
		case !c.Pass && !known:
			t.Errorf("not kept: %s: the document has %s, we %s; %s. Mend it, or say why in known.go", c.Bar, c.Paper, c.Ours, c.Why)
		case c.Pass && known:
			t.Errorf("kept again: %s: we have %s. Take it out of known.go", c.Bar, c.Ours)
		}
	}
	for _, m := range Known() {
		if m.Figure == r.ID && !slices.ContainsFunc(r.Checks, func(c lab.Check) bool { return c.Bar == m.Bar }) {
			t.Errorf("known.go names a bar that there is not: %s", m.Bar)
		}
	}
}

// found says in a paragraph what is input, what is fitted and what is found.
func found(t *testing.T, results []*lab.Result) string {
	t.Helper()
	values, how := 0, map[string]int{}
	models := lab.ModelsOf(results...)
	for _, m := range models {
		for _, v := range m.Values {
			values++
			how[string(v.How)]++
		}
	}
	_, total := lab.Tallies(results)
	n := total.Counts
	text := fmt.Sprintf("**Input, fit, finding.** The %d profiles of the experiments have %d values: %d are stated by a document, %d follow from its measurements, "+
		"%d were fitted to figures that they name, and %d had to be assumed. Of the checks, %d are input, %d are structural and %d are fitted, and what they show is that the "+
		"model is built as meant (%d of them fail). The other %d are predictions, of which **%d hold**.",
		len(models), values, how["stated"], how["measured"], how["fitted"], how["assumed"], n[lab.Input].All, n[lab.Structural].All, n[lab.Fitted].All,
		n[lab.Input].Missed()+n[lab.Structural].Missed()+n[lab.Fitted].Missed(), n[lab.Prediction].All, n[lab.Prediction].Kept)
	sweep, err := lab.NewestSweep()
	if err != nil {
		t.Fatal(err)
	}
	if bars, flip, move := sweep.Count(); bars > 0 {
		text += fmt.Sprintf(" In a sweep over %d experiments (`weft lab sweep`, %s), changing one assumed or fitted value by %g%% makes %d of %d checks change sides, and moves %d others by more than %g%%.",
			len(sweep.Figures), sweep.Made, sweep.By, flip, bars, move, sweep.Least)
	}
	return text + "\n"
}

// holdCount: the program comes with the count of this result.
func holdCount(t *testing.T, r *lab.Result) {
	t.Helper()
	counts, err := Counted()
	if err != nil {
		t.Fatal(err)
	}
	if want := r.Count(); !*rewrite && !reflect.DeepEqual(counts[r.ID], want) {
		t.Errorf("counts.json has %v, not %v: run WEFT_SOAK=1 go test ./lab/experiments -rewrite", counts[r.ID], want)
	}
}

// writeCounts writes a line for each figure.
func writeCounts(t *testing.T, results []*lab.Result) {
	t.Helper()
	var lines []string
	for _, r := range results {
		line, err := json.Marshal(r.Count())
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%q: %s", r.ID, line))
	}
	if err := os.WriteFile("counts.json", []byte("{\n"+strings.Join(lines, ",\n")+"\n}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// generated holds the part of a page between two marks against what it should be, or writes it with -rewrite.
func generated(t *testing.T, path, mark, want string) {
	t.Helper()
	begin, end := "<!-- begin "+mark+" -->\n", "<!-- end "+mark+" -->"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	part, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no place for %s", path, mark)
	}
	if *rewrite {
		if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if part != want {
		t.Errorf("%s is not up to date about %s: run WEFT_SOAK=1 go test ./lab/experiments -rewrite", path, mark)
	}
}

const figuresPage, diagramsPage = "../../docs/reference/figures.md", "../../docs/reference/lab-diagrams.md"

// TestKnownIsOnItsPage holds the lists of misses, contradictions and machines against docs/reference/figures.md.
func TestKnownIsOnItsPage(t *testing.T) {
	generated(t, figuresPage, "misses", KnownTable())
	generated(t, figuresPage, "contradictions", ContradictionTable())
	generated(t, figuresPage, "machines", machineTable())
	for _, m := range Known() {
		if m.Kind != Model && m.Kind != Document && m.Kind != Defect || m.Reason == "" || strings.Contains(m.Bar+m.Reason, "|") {
			t.Errorf("%+v", m)
		}
	}
}

// machineTable lists the documents' platforms.
func machineTable() string {
	var b strings.Builder
	b.WriteString("| machine | hosts | network, library | profile |\n|---|---|---|---|\n")
	for _, m := range lab.Machines() {
		fmt.Fprintf(&b, "| %s | %s | %s | `%s` |\n", m.ID, m.Hosts, m.Network, m.Profile)
	}
	return b.String()
}

// TestDiagramsAreOnTheirPage: every diagram of document 002 has its drawing and its table.
func TestDiagramsAreOnTheirPage(t *testing.T) {
	tables := 0
	for _, f := range lab.Figures() {
		if table := DiagramTable(f.ID); table != "" && f.Document() == "002" {
			tables++
			generated(t, diagramsPage, f.ID, table)
		}
	}
	if tables != 6 {
		t.Errorf("%d diagrams of document 002 have a table, want 6", tables)
	}
}

// TestContradictions: the arithmetic shows what the list says.
func TestContradictions(t *testing.T) {
	for _, c := range contradictions() {
		if !c.impossible || c.where == "" || c.what == "" || c.arithmetic == "" || c.decision == "" || strings.Contains(c.what+c.arithmetic+c.decision, "|") {
			t.Errorf("%+v", c)
		}
	}
}

// TestReasonsReachTheResult: a bar that is known not to be kept comes with its reason.
func TestReasonsReachTheResult(t *testing.T) {
	m := Known()[0]
	e := explained(lab.Experiment{ID: m.Figure, Run: func(context.Context, *lab.Bench) (*lab.Result, error) {
		return &lab.Result{Checks: []lab.Check{{Bar: m.Bar}, {Bar: "another"}}}, nil
	}})
	r, err := e.Run(t.Context(), nil)
	if err != nil || !strings.Contains(r.Checks[0].Why, m.Reason) || r.Checks[1].Why != "" {
		t.Errorf("%v, %+v", err, r.Checks)
	}
}

// TestTimelines: a timeline has lanes, and something happens in it.
func TestTimelines(t *testing.T) {
	drawn := 0
	for _, e := range All() {
		if e.Timeline == nil {
			continue
		}
		drawn++
		tl, err := e.Timeline(t.Context(), newBench(t))
		if err != nil || len(tl.Lanes) < 2 || len(tl.Arrows) == 0 || len(tl.Spans) == 0 {
			t.Errorf("%s: %v, %+v", e.ID, err, tl)
		}
	}
	if drawn == 0 {
		t.Error("there is no timeline")
	}
}

// TestVirtualTimeRepeats: an experiment on a simulated fabric gives the same bytes again.
func TestVirtualTimeRepeats(t *testing.T) {
	var runs [2]bytes.Buffer
	for i := range runs {
		b := newBench(t)
		r, err := datagramLatency(t.Context(), b)
		if err != nil {
			t.Fatal(err)
		}
		b.Finish(r)
		if err := r.WriteJSON(&runs[i]); err != nil {
			t.Fatal(err)
		}
	}
	if runs[0].String() != runs[1].String() {
		t.Errorf("two runs differ:\n%s\n%s", runs[0].String(), runs[1].String())
	}
}

// TestMustPass: what does not depend on a model or on the machine passes.
func TestMustPass(t *testing.T) {
	for _, e := range append(packageMaps(), formulaExperiment, modelsExperiment) {
		r, err := e.Run(context.Background(), newBench(t))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Checks {
			if !c.Pass {
				t.Errorf("%s: %+v", e.ID, c)
			}
		}
	}
}

// TestPackagesAreThere holds the package maps against the module.
func TestPackagesAreThere(t *testing.T) {
	all := Packages()
	if len(all) < 20 {
		t.Errorf("only %d packages are named", len(all))
	}
	for _, pkg := range all {
		entries, err := os.ReadDir(filepath.Join("..", "..", filepath.FromSlash(pkg)))
		if err != nil {
			t.Errorf("%s: %v", pkg, err)
			continue
		}
		if !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.IsDir() || strings.HasSuffix(e.Name(), ".go") }) {
			t.Errorf("%s holds no package", pkg)
		}
	}
}

// TestSynthetic: a planted overlap hides as much computation as it should, and no more.
func TestSynthetic(t *testing.T) {
	transfer := synthetic(100, 50)
	if got, err := transfer(80); err != nil || got != (bench.Times{Alone: 100, Compute: 80, Total: 130}) {
		t.Errorf("a half-hidden transfer with 80 us of computation: %v, %v", got, err)
	}
}
