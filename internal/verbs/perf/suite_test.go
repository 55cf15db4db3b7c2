package perf

import (
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/verbs"
)

// found makes a comparison with these ratios at every size.
func found(ratios ...[]float64) Comparison {
	c := Comparison{Theirs: "raw TCP"}
	for i, r := range ratios {
		c.Points = append(c.Points, Point{Size: 1 << i, Ratio: bench.Summarize(r)})
	}
	return c
}

func TestBarsAreJudged(t *testing.T) {
	most := Bar{Limit: 1.15, AtMost: true}
	least := Bar{Limit: 0.8}
	share := Bar{Limit: 1, AtMost: true, Share: 0.8}
	low, high := []float64{0.9}, []float64{1.1}
	for name, c := range map[string]struct {
		bar  Bar
		cmp  Comparison
		want string
	}{
		"below":        {most, found([]float64{1.0, 1.1, 1.12}), "yes"},
		"across":       {most, found([]float64{1.0, 1.1, 1.1, 1.3, 1.4}), "yes, within spread"},
		"just above":   {most, found([]float64{1.0, 1.1, 1.16, 1.3, 1.4}), "no, within spread"},
		"above":        {most, found([]float64{1.2, 1.3}), "no"},
		"enough":       {least, found([]float64{0.8, 0.9}), "yes"},
		"too little":   {least, found([]float64{0.5, 0.6}), "no"},
		"four of five": {share, found(low, low, low, low, high), "yes"},
		"three":        {share, found(low, low, low, high, high), "no"},
		"nothing":      {most, found(), "no"},
		"no samples":   {most, found(nil), "no"},
	} {
		if got := c.bar.judge(c.cmp).verdict(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestBarsCanBeMeasured(t *testing.T) {
	for _, b := range Bars() {
		test, err := Find(b.Test)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range []Way{b.Ours, b.Theirs} {
			op := test.Op
			if typeOf(w.Kind) == 0 {
				op = verbs.Send
			}
			w = w.complete(slices.Max(b.Sizes))
			batch := Batch{Op: op, Shape: test.Shape, Both: b.Both, QPs: 1, Size: b.Sizes[0], Iterations: roundIterations(test.Shape, b.Sizes[0])}
			if err := w.check(); err != nil {
				t.Errorf("%s: %v", b.Name, err)
			}
			if err := batch.check(w); err != nil {
				t.Errorf("%s: %v", b.Name, err)
			}
		}
	}
	for _, name := range multiTests {
		if p, err := MultiPlan(name); err != nil || p.QPs[len(p.QPs)-1] != 256 {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}

func TestReportShowsEveryBar(t *testing.T) {
	r := Report{}
	for _, b := range Bars() {
		r.Bars = append(r.Bars, b.judge(found([]float64{1, 1.05, 1.1})))
	}
	r.Multi = [2][]Row{{{QPs: 16, Latency: &Latency{Typical: 2.5}}}, {{QPs: 16, Bandwidth: &Bandwidth{Average: 1234}}}}
	var text, page strings.Builder
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if err := r.WriteMarkdown(&page); err != nil {
		t.Fatal(err)
	}
	for _, b := range Bars() {
		if !strings.Contains(text.String(), b.Name) || !strings.Contains(page.String(), b.Name) {
			t.Errorf("%s is missing in\n%s\n%s", b.Name, text.String(), page.String())
		}
	}
	if !strings.Contains(page.String(), "| 16 | 2.50 | 1234 |") {
		t.Errorf("many connections are missing in\n%s", page.String())
	}
}

func TestCompareRawSockets(t *testing.T) {
	server := startServer(t, &Server{Local: Local{Open: noDevice, Gentle: true}})
	for _, name := range []string{"send_lat", "send_bw"} {
		test, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		s := dial(t, server, Local{Open: noDevice, Gentle: true})
		plan := Plan{Test: test, Way: Way{Kind: TCP}.complete(512), Sizes: []int{16, 512}, QPs: []int{1}, Iterations: 20}
		ticks := 0
		cmp, err := s.Compare(t.Context(), plan, Other{Way: Way{Kind: UDP}.complete(512), Op: verbs.Send}, 3, func() { ticks++ })
		if err != nil {
			t.Fatal(err)
		}
		if ticks != 4 || cmp.Rounds != 3 || len(cmp.Points) != 2 || cmp.Points[1].Size != 512 || cmp.Points[1].Ratio.Count != 3 {
			t.Errorf("%d ticks, %+v", ticks, cmp)
		}
		for _, p := range cmp.Points {
			if p.Ratio.Min <= 0 || p.Ours.Median <= 0 || p.Theirs.Median <= 0 {
				t.Errorf("%s: %+v", name, p)
			}
		}
		var text strings.Builder
		if err := cmp.WriteText(&text); err != nil || !strings.Contains(text.String(), "raw TCP") || strings.Count(text.String(), "\n") != 4 {
			t.Errorf("%v\n%s", err, text.String())
		}
		s.Close()
	}
}
