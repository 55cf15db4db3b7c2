package sim

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write the tables of docs/reference/profiles.md anew")

const page = "../../../docs/reference/profiles.md"

// parameterTable lists what a profile consists of.
func parameterTable() string {
	var b strings.Builder
	b.WriteString("| parameter | meaning | least | most |\n|---|---|---|---|\n")
	for _, name := range ParameterNames() {
		k := parameters[name]
		fmt.Fprintf(&b, "| `%s` | %s | %v | %v |\n", name, k.text, k.low, k.high)
	}
	return b.String()
}

// calibrationTable compares all profiles with what documents say.
func calibrationTable(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| profile | what | document | ours | error | the document's value is |\n|---|---|---|---|---|---|\n")
	for _, name := range Profiles() {
		p, err := LoadProfile(name)
		if err != nil {
			t.Fatal(err)
		}
		checks, err := Calibrate(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range checks {
			fmt.Fprintf(&b, "| `%s` | `%s`: %s | %.4g | %.4g | %+.1f%% | %s: %s |\n", name, c.Name, TargetText(c.Name), c.Paper, c.Ours,
				100*c.Error, c.How, c.From)
		}
	}
	return b.String()
}

// sourceTable tells where the values of each profile come from. Values of 0 switch something off.
func sourceTable(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| profile | stated | measured | fitted | assumed | assumed, and not 0 |\n|---|---|---|---|---|---|\n")
	for _, name := range Profiles() {
		p, err := LoadProfile(name)
		if err != nil {
			t.Fatal(err)
		}
		count, on := map[How]int{}, 0
		for _, par := range p.Parameters {
			count[par.How]++
			if par.How == Assumed && par.Value != 0 {
				on++
			}
		}
		fmt.Fprintf(&b, "| `%s` | %d | %d | %d | %d | %d |\n", name, count[Stated], count[Measured], count[Fitted], count[Assumed], on)
	}
	return b.String()
}

// fittedTable lists the figures that values were fitted to, and these.
func fittedTable(t *testing.T) string {
	t.Helper()
	by := map[string][]string{}
	for _, name := range Profiles() {
		p, err := LoadProfile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range ParameterNames() {
			par := p.Parameters[n]
			for _, id := range par.Figures {
				if par.How == Fitted {
					by[id] = append(by[id], fmt.Sprintf("`%s` %s %v", name, n, par.Value))
				}
			}
		}
	}
	var b strings.Builder
	b.WriteString("| figure | values that were chosen with it in sight |\n|---|---|\n")
	for _, id := range slices.Sorted(maps.Keys(by)) {
		fmt.Fprintf(&b, "| %s | %s |\n", id, strings.Join(by[id], ", "))
	}
	return b.String()
}

// TestPage: the tables of the page are what the code says. They are written anew with -rewrite.
func TestPage(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	was := string(text)
	now := was
	for name, want := range map[string]string{"parameters": parameterTable(), "calibration": calibrationTable(t), "sources": sourceTable(t), "fitted": fittedTable(t)} {
		begin, end := "<!-- generated: "+name+" -->\n", "<!-- end -->\n"
		before, rest, ok := strings.Cut(now, begin)
		_, after, ok2 := strings.Cut(rest, end)
		if !ok || !ok2 {
			t.Fatalf("the page has no part %q", name)
		}
		now = before + begin + want + end + after
	}
	for _, name := range Profiles() {
		if !strings.Contains(was, "`"+name+"`") {
			t.Errorf("the page does not mention profile %s", name)
		}
	}
	switch {
	case was == now:
	case *rewrite:
		if err := os.WriteFile(page, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("the tables are not what the code says; run: go test ./internal/verbs/sim -run Page -rewrite")
	}
}
