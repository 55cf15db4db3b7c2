package experiments

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/lab"
)

const variantsPage = "../../docs/reference/lab-variants.md"

// whatIf is figures run with other values of a profile, to see which bars depend on them.
type whatIf struct {
	name, profile string
	variants      []string // name=value with spaces between; nothing is the profile as it is
	figures       []string
	about         string // only bars that name it; nothing: all
}

// whatIfs are the variants that misses and contradictions rest on.
var whatIfs = []whatIf{
	{"long messages", "connectx-ddr", []string{"", "long_us=0", "long_us=0.1", "long_us=0.15"}, []string{"002.F5.1"}, ""},
	{"contexts, document 002", "connectx-ddr", []string{"contexts=8", "contexts=9", "contexts=16", "contexts=64"}, []string{"002.F5.1", "002.F5.2", "002.F5.6"}, ""},
	{"contexts, document 000", "connectx-r805", []string{"contexts=8", "contexts=9", "contexts=16", "contexts=64"}, []string{"F3.6"}, infiniBand},
	{"one card, document 002", "connectx-ddr", []string{"", restOf000, cardOf000}, []string{"002.F5.1", "002.F5.2", "002.F5.6"}, ""},
	{"one card, document 000", "connectx-r805", []string{"", "rest_us=0 rest_us_per_kb=0", cardOf002}, []string{"F3.6", "F3.8"}, infiniBand},
	{"barrier and chains", "qsnet2", []string{"", "sync_us=0", "sync_us=2.4", "chain_us=0", "chain_us=1.8"}, []string{"002.F3.9", "002.F4.2", "002.F4.5", "002.F4.6"}, ""},
	{"copies", "qsnet2", []string{"", "copy_us_per_kb=1.5", "copy_us_per_kb=1.2"}, []string{"002.F3.9", "002.F3.11", "002.F4.2"}, ""},
	{"copies, ConnectX", "connectx-ddr", []string{"", "copy_us_per_kb=0.4", "copy_us_per_kb=0.8"}, []string{"002.F5.6"}, ""},
	{"datagrams", "10ge-c1", []string{"", "stream_us_per_kb=0.27", "stream_us=3.5", "stream_us_per_kb=1.46"}, []string{"F6.3", "F6.4", "F6.5"}, "C1"},
	{"handshake", "qsnet2", []string{"", "read_us=20", "read_us=80"}, []string{"002.F3.2", "002.F3.3"}, ""},
}

// What documents 000 and 002 make of the same card, where the profiles of their machines differ.
const (
	restOf000 = "rest_us=0.43 rest_us_per_kb=0.4 rest_bytes=1024"
	cardOf000 = restOf000 + " contexts=64 slots=16 long_bytes=3072 long_us=0 serial_us=1.1 dma_us=0.6"
	cardOf002 = "rest_us=0 rest_us_per_kb=0 contexts=16 slots=8 long_bytes=8192 long_us=0.2 serial_us=0 dma_us=0.3"
)

// changed is a profile with some values changed.
func changed(t *testing.T, name, values string) *sim.Profile {
	t.Helper()
	p, err := sim.LoadProfile(name)
	for _, v := range strings.Fields(values) {
		parameter, text, _ := strings.Cut(v, "=")
		value, bad := strconv.ParseFloat(text, 64)
		if err == nil && bad == nil {
			p, err = p.With(parameter, value)
		}
		if err != nil || bad != nil {
			t.Fatalf("%s of %s: %v, %v", v, name, err, bad)
		}
	}
	return p
}

// checks runs the figures with the values of a variant, and returns their bars by name.
func (w whatIf) checks(t *testing.T, values string) (names []string, found map[string]lab.Check) {
	t.Helper()
	found = map[string]lab.Check{}
	for _, e := range All() {
		if !slices.Contains(w.figures, e.ID) {
			continue
		}
		b, err := lab.NewBench(lab.Options{Quick: true, Version: "x", Profiles: map[string]*sim.Profile{w.profile: changed(t, w.profile, values)}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Run(t.Context(), b)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Checks {
			if name := e.ID + ": " + c.Bar; strings.Contains(c.Bar, w.about) {
				names, found[name] = append(names, name), c
			}
		}
	}
	return names, found
}

// table has a row for each bar that is not the same in all variants.
func (w whatIf) table(t *testing.T) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s: bar |", w.profile)
	var names []string
	var columns []map[string]lab.Check
	for _, v := range w.variants {
		fmt.Fprintf(&b, " %s |", strings.TrimSpace(strings.Replace("`"+v+"`", "``", "as it is", 1)))
		var found map[string]lab.Check
		names, found = w.checks(t, v)
		columns = append(columns, found)
	}
	b.WriteString("\n|---" + strings.Repeat("|---", len(w.variants)) + "|\n")
	for _, name := range names {
		row, differs := "| "+name, false
		for _, found := range columns {
			c, kept := found[name], "missed"
			if c.Pass {
				kept = "kept"
			}
			row += fmt.Sprintf(" | %s, %s", kept, strings.ReplaceAll(c.Ours, " %", "%"))
			differs = differs || c.Ours != columns[0][name].Ours
		}
		if differs {
			b.WriteString(row + " |\n")
		}
	}
	return b.String()
}

// TestVariants holds what is said of other values of profiles against runs with these. All of them take
// minutes: without WEFT_SOAK=1, and without -rewrite, it is the first.
func TestVariants(t *testing.T) {
	if testing.Short() {
		t.Skip("left out of short tests, which run under the race detector: virtual time has one thread")
	}
	some := whatIfs
	if !*rewrite && os.Getenv("WEFT_SOAK") == "" {
		some = some[:1]
	}
	for _, w := range some {
		t.Run(w.name, func(t *testing.T) { generated(t, variantsPage, w.name, w.table(t)) })
	}
}
