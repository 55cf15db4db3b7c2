package interop

import (
	"flag"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs/soft"
)

var (
	only    = flag.String("case", "", `run only the cases that match this regular expression; a case is "settings, direction, name", as in the table`)
	repeat  = flag.Int("repeat", 1, "run the cases that many times")
	shipped = flag.Bool("shipped", false, "leave siw as it is shipped, with the faults that docs/building/interop.md describes")
	provoke = flag.Bool("provoke", false, "have siw stop in the middle of messages and linger where those faults show")
)

// testCase is a row of the table. Cases of a group share a connection.
type testCase struct {
	name string
	run  func(*peer) error
}

// group is a list of cases between siw and a device with the same settings.
type group struct {
	name  string
	way   direction
	open  func() (*peer, error) // nil: the cases make their own connections and are given none
	cases []testCase
	close func(*peer) error
}

type result struct {
	group, name string
	way         direction
	err         error
	took        time.Duration
}

func (r *result) String() string { return fmt.Sprintf("%s, %v, %s", r.group, r.way, r.name) }

// TestInterop runs all cases and prints them as a table.
func TestInterop(t *testing.T) {
	g, err := findGuest()
	if err != nil {
		t.Fatal(err)
	}
	if g == nil {
		t.Skip("needs a guest with siw: make interop")
	}
	pick, err := regexp.Compile(*only)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.turns(!*shipped, *provoke); err != nil {
		t.Fatal(err)
	}
	var results []result
	for range *repeat {
		for _, gr := range allGroups(g) {
			for _, r := range gr.run(pick) {
				if r.err != nil {
					t.Errorf("%v: %v", &r, r.err)
				}
				results = append(results, r)
			}
		}
	}
	fmt.Print(table(results))
	overlaps, err := g.overlaps()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("%d times a thread of siw came to a send queue on which another one worked; %s\n", overlaps,
		map[bool]string{false: "it waited", true: "as siw is shipped, both went on"}[*shipped])
	if len(results) == 0 {
		t.Errorf("no case matches %q", *only)
	}
}

func allGroups(g *guest) []group {
	var all []group
	for _, way := range []direction{weConnect, siwConnects} {
		for _, s := range allSettings {
			all = append(all, transferGroup(g, way, s))
		}
		all = append(all, greetingGroup(g, way), endingGroup(g, way), faultGroup(g, way), programGroup(g, way))
	}
	return all
}

// allSettings are the ways two sides can agree on a connection.
var allSettings = []settings{
	{"revision 2, CRC, peer-to-peer", siwSettings{2, true, true}, soft.Config{}},
	{"revision 2, no CRC, peer-to-peer", siwSettings{2, false, true}, soft.Config{NoCRC: true}},
	{"revision 2, CRC", siwSettings{2, true, false}, soft.Config{NoPeerToPeer: true}},
	{"revision 2, CRC asked by siw", siwSettings{2, true, false}, soft.Config{NoPeerToPeer: true, NoCRC: true}},
	{"revision 2, CRC asked by us", siwSettings{2, false, false}, soft.Config{NoPeerToPeer: true}},
	{"revision 2, no CRC", siwSettings{2, false, false}, soft.Config{NoPeerToPeer: true, NoCRC: true}},
	{"revision 1, CRC", siwSettings{1, true, false}, soft.Config{Revision: 1}},
	{"revision 1, no CRC", siwSettings{1, false, false}, soft.Config{Revision: 1, NoCRC: true}},
	{"short FPDUs", siwSettings{2, true, false}, soft.Config{NoPeerToPeer: true, MaxFPDU: 202}}, // no pad in full ones: siw trips over pads that are cut off
}

// usual are the settings of groups that are about something else.
var usual = allSettings[2]

// transferGroup moves data in all ways over one connection.
func transferGroup(g *guest, way direction, s settings) group {
	gr := group{name: s.name, way: way, close: (*peer).part}
	gr.open = func() (*peer, error) { return g.meet(way, &s, "from weft", "from siw") }
	for _, tr := range transfers {
		gr.cases = append(gr.cases, testCase{tr.name, func(p *peer) error { return allSizes(p, tr.do) }})
	}
	if g.direct() {
		gr.cases = append(gr.cases, testCase{"many short Writes at once", flood})
	}
	return gr
}

// run runs the cases of a group that are picked.
func (gr *group) run(pick *regexp.Regexp) []result {
	var results []result
	var p *peer
	row := func(name string, f func() error) bool {
		begin := time.Now()
		err := f()
		results = append(results, result{gr.name, name, gr.way, err, time.Since(begin)})
		return err == nil
	}
	var picked []testCase
	for _, c := range gr.cases {
		if pick.MatchString(fmt.Sprintf("%s, %v, %s", gr.name, gr.way, c.name)) {
			picked = append(picked, c)
		}
	}
	if len(picked) == 0 {
		return nil
	}
	if gr.open != nil && !row("connect", func() (err error) { p, err = gr.open(); return err }) {
		return results
	}
	for _, c := range picked {
		if !row(c.name, func() error { return c.run(p) }) && p != nil {
			last := &results[len(results)-1]
			ours := p.complaint()
			out, _ := p.leave() // the connection is of no use any more
			last.err = fmt.Errorf("%w; our device: %s; siwpeer printed %q", last.err, ours, out)
			return results
		}
	}
	if p != nil {
		row("orderly end", func() error { return gr.close(p) })
	}
	return results
}

// row is a line of the table: a case, as often as it was run.
type row struct {
	result       // of the first run
	runs, failed int
	longest      time.Duration
}

func (r *row) verdict() string {
	switch {
	case r.failed == 0:
		return "ok"
	case r.runs == 1:
		return "FAILED"
	}
	return fmt.Sprintf("FAILED %d of %d", r.failed, r.runs)
}

// rows sums results up, in the order in which cases were first run.
func rows(results []result) []*row {
	var all []*row
	known := map[string]*row{}
	for _, r := range results {
		w := known[r.String()]
		if w == nil {
			w = &row{result: r}
			known[r.String()] = w
			all = append(all, w)
		}
		w.runs++
		w.longest = max(w.longest, r.took)
		if r.err != nil {
			w.failed++
		}
	}
	return all
}

// table shows results, a line for each case. The time of one that was run often is the longest.
func table(results []result) string {
	var b strings.Builder
	failed := 0
	fmt.Fprintf(&b, "%-34s %-13s %-44s %8s  %s\n", "settings", "direction", "case", "time", "result")
	for _, r := range rows(results) {
		failed += r.failed
		fmt.Fprintf(&b, "%-34s %-13s %-44s %6.2f s  %s\n", r.group, r.way, r.name, r.longest.Seconds(), r.verdict())
	}
	fmt.Fprintf(&b, "%d cases run, %d failed\n", len(results), failed)
	return b.String()
}
