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

var only = flag.String("case", "", "run only the cases whose name or group matches this regular expression")

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
	var results []result
	for _, gr := range allGroups(g) {
		results = append(results, gr.run(pick)...)
	}
	fmt.Print(table(results))
	for _, r := range results {
		if r.err != nil {
			t.Errorf("%s, %v, %s: %v", r.group, r.way, r.name, r.err)
		}
	}
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
		if pick.MatchString(gr.name) || pick.MatchString(c.name) {
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
			out, _ := p.leave() // the connection is of no use any more
			results[len(results)-1].err = fmt.Errorf("%w; siwpeer printed %q", results[len(results)-1].err, out)
			return results
		}
	}
	if p != nil {
		row("orderly end", func() error { return gr.close(p) })
	}
	return results
}

// table shows results, a line for each.
func table(results []result) string {
	var b strings.Builder
	failed := 0
	fmt.Fprintf(&b, "%-34s %-13s %-44s %8s  %s\n", "settings", "direction", "case", "time", "result")
	for _, r := range results {
		verdict := "ok"
		if r.err != nil {
			verdict = "FAILED"
			failed++
		}
		fmt.Fprintf(&b, "%-34s %-13s %-44s %6.2f s  %s\n", r.group, r.way, r.name, r.took.Seconds(), verdict)
	}
	fmt.Fprintf(&b, "%d cases, %d failed\n", len(results), failed)
	return b.String()
}
