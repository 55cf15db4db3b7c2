package docs_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/tune"
)

// generated are the parts of pages that come from the code. A part stands between
// "<!-- generated: NAME -->" and "<!-- end -->".
var generated = []struct {
	page, name string
	make       func(t *testing.T) string
}{
	{"reference/bench-tests.md", "tests", benchTests},
	{"reference/counters.md", "counters", counters},
	{"reference/settings.md", "settings", func(t *testing.T) string { return settings(t, tune.Values.Public) }},
	{"reference/settings.md", "lab", func(t *testing.T) string { return settings(t, tune.Values.Lab) }},
	{"reference/settings.md", "alike", alike},
	{"researching/performance.md", "ratios", ratioTable},
	{"using/c.md", "c-functions", cFunctions},
	{"using/c.md", "fortran", fortranRing},
	{"using/collectives.md", "explain-head", func(t *testing.T) string { return fenced(firstLines(explain(t), 7) + "...") }},
	{"reference/algorithms.md", "rules", func(*testing.T) string { return fenced(coll.Default().Print()) }},
	{"reference/algorithms.md", "explain", func(t *testing.T) string { return fenced(explain(t)) }},
	{"reference/algorithms.md", "algorithms", algorithms},
	{"reference/algorithms.md", "steps", steps},
}

func TestGeneratedParts(t *testing.T) {
	for _, g := range generated {
		hold(t, g.page, g.name, g.make(t))
	}
}

// hold sees that the generated part of a page is what is wanted, and makes it so if the tests are to rewrite pages.
func hold(t *testing.T, page, name, want string) {
	t.Helper()
	begin := "<!-- generated: " + name + " -->\n"
	before, rest, found := strings.Cut(read(t, page), begin)
	have, after, closed := strings.Cut(rest, "<!-- end -->\n")
	switch {
	case !found || !closed:
		t.Errorf("%s has no part %q", page, name)
	case have == want:
	case !*rewrite:
		t.Errorf("%s: part %q is not what the code says; run: go test ./docs -run Generated -rewrite", page, name)
	default:
		if err := os.WriteFile(page, []byte(before+begin+want+"<!-- end -->\n"+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// stuckReport is what the launcher says of a job that hangs.
var stuckReport = regexp.MustCompile(`(?m)^weft: the job seems stuck.*\n(  .*\n)+`)

// stuck runs the example that hangs for some seconds, and returns what the launcher says of it.
func stuck(t *testing.T, seconds string) string {
	t.Helper()
	cmd := exec.Command(tool(t, "./cmd/weft"), "run", "-n", "4", "--set", "stall=1s", "--timeout", seconds, "./examples/stuck")
	cmd.Dir = root
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 110 {
		t.Fatalf("%v: %v\n%s", cmd, err, text)
	}
	return stuckReport.FindString(string(text))
}

// TestGeneratedStallReport has pages show what the launcher says of a job that hangs. On a busy machine
// that takes longer.
func TestGeneratedStallReport(t *testing.T) {
	report := stuck(t, "3")
	if report == "" {
		report = stuck(t, "30")
	}
	if report == "" {
		t.Fatal("no report within 30 seconds")
	}
	report = regexp.MustCompile(`\bfor [\d.]+ m?s\b`).ReplaceAllString(report, "for 2 s")
	report = fenced(regexp.MustCompile(`\S+/(examples/)`).ReplaceAllString(report, "$1"))
	hold(t, "../README.md", "stall", report)
	hold(t, "using/faults.md", "stall", report)
}

func fenced(text string) string { return "```\n" + strings.TrimRight(text, "\n") + "\n```\n" }

// benchTests lists the names of all tests by their topics.
func benchTests(*testing.T) string {
	var b strings.Builder
	b.WriteString("| topic | tests |\n|---|---|\n")
	for _, topic := range bench.Topics() {
		var names []string
		for _, t := range bench.Tests() {
			if t.Topic() == topic {
				names = append(names, "`"+t.Name+"`")
			}
		}
		fmt.Fprintf(&b, "| %s | %s |\n", topic, strings.Join(names, " "))
	}
	return b.String()
}

// settings is the table of those settings that are asked for, by their groups.
func settings(t *testing.T, those func(tune.Values) tune.Values) string {
	set, err := boot.ReadSettings(nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| variable | default | meaning |\n|---|---|---|\n")
	group := ""
	for _, i := range those(set.Values) {
		value := "none"
		if i.Default != "" {
			value = "`" + i.Default + "`"
		}
		if i.Group != group {
			group = i.Group
			fmt.Fprintf(&b, "| **%s** | | |\n", group)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", i.Name, value, i.Text)
	}
	return b.String()
}

// alike lists the settings that all ranks must have the same value of.
func alike(t *testing.T) string {
	set, err := boot.ReadSettings(nil)
	if err != nil {
		t.Fatal(err)
	}
	return "`" + strings.Join(set.Values.Alike().Names(), "`, `") + "`.\n"
}

// head matches the comment at the head of an algorithm: its names, what it does, and its cost.
var head = regexp.MustCompile(`(?m)^// ((?:[a-z_]+/[a-z0-9_]+(?:, )?)+): ((?:.+\n)+?)//\n((?:// .+\n)+)`)

// algorithms is the table of package coll with the heads of the algorithms' files.
func algorithms(t *testing.T) string {
	about := map[string][2]string{}
	files, err := filepath.Glob("../internal/coll/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		for _, m := range head.FindAllStringSubmatch(read(t, f), -1) {
			for _, name := range strings.Split(m[1], ", ") {
				about[name] = [2]string{prose(m[2]), prose(m[3])}
			}
		}
	}
	var b strings.Builder
	b.WriteString("| algorithm | what it does | steps, cost, limits, source |\n|---|---|---|\n")
	for _, op := range coll.Ops() {
		for _, a := range coll.Algorithms(op) {
			if about[a.Name][0] == "" {
				t.Errorf("no file in internal/coll has a head for %s", a.Name)
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", a.Name, about[a.Name][0], about[a.Name][1])
		}
	}
	return b.String()
}

// prose makes one line of a comment, safe inside a table.
func prose(comment string) string {
	text := strings.Join(strings.Fields(strings.ReplaceAll("\n"+comment, "\n//", "\n")), " ")
	return strings.NewReplacer("|", `\|`, "*", `\*`, "<", "&lt;").Replace(text)
}

// explain is the example of both pages.
func explain(t *testing.T) string {
	text, err := coll.Default().Explain(coll.Case{Op: coll.Allgather, Ranks: 4, Bytes: 64 << 10, Local: 4, Cores: 2})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// firstLines returns the beginning of a text.
func firstLines(text string, n int) string {
	return strings.Join(strings.SplitAfter(text, "\n")[:n], "")
}

// steps is how Standard Exchange and Bruck's algorithms go with two ports.
func steps(t *testing.T) string {
	var tables []string
	for _, name := range []string{"allgather/exchange@2", "allgather/bruck@2", "alltoall/bruck@2"} {
		table, err := coll.StepTable(name, 9)
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, table)
	}
	return fenced(strings.Join(tables, "\n"))
}
