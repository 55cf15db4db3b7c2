package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// scripted is an implementation whose value at step s in run r is base*(r+1)*(s+1): a host that slows down.
type scripted struct {
	name  string
	base  float64
	runs  int
	fail  int // the run that fails, counted from 1; 0 for none
	reach int // rows that it gives before
	hang  int // the run that gives no result in time
	order *[]string
	short bool // leaves out a row
}

func (s *scripted) Name() string              { return s.name }
func (s *scripted) Settings(ranks int) string { return "as scripted" }

func (s *scripted) Measure(_ context.Context, cases ...Case) (Outcome, error) {
	s.runs++
	*s.order = append(*s.order, s.name)
	if s.runs == s.fail {
		return Outcome{Rows: make([]Row, s.reach)}, errors.New("rank 1 fell over")
	}
	if s.runs == s.hang {
		return Outcome{}, fmt.Errorf("did not finish: %w after a while", ErrNoResult)
	}
	out := Outcome{Library: s.name + " 1.0"}
	for _, c := range cases {
		for i, step := range c.Steps {
			out.Rows = append(out.Rows, Row{Size: step.Size, Value: s.base * float64(s.runs) * float64(i+1)})
		}
	}
	if s.short {
		out.Rows = out.Rows[1:]
	}
	return out, nil
}

func twoSizes(test string) Case {
	return Case{Test: mustFind(test), Ranks: 2, Window: 64, Bars: HostBars,
		Steps: []Step{{Size: 8, Iterations: 1, Batches: 1}, {Size: 256, Iterations: 1, Batches: 1}}}
}

// TestCompareAllSharesRuns: each case has its own points out of the same runs, and a failure names
// the test it happened in.
func TestCompareAllSharesRuns(t *testing.T) {
	var order []string
	peer := &scripted{name: "a", base: 2, order: &order, fail: 3, reach: 2}
	impls := []Implementation{&scripted{name: "weft", base: 1, order: &order}, peer}
	got, err := CompareAll(t.Context(), []Case{twoSizes("latency"), twoSizes("bw")}, impls, 3, nil)
	if err == nil || !strings.Contains(got[0].Failure, "bw on 2 ranks, round 3 of 3, a: rank 1 fell over") || got[1].Failure != "" {
		t.Errorf("failures %q and %q (%v)", got[0].Failure, got[1].Failure, err)
	}
	if len(order) != 6 {
		t.Errorf("%d runs, want 6 for both cases", len(order))
	}
	for i, name := range []string{"latency", "bw"} {
		c := got[i]
		if c.Test != name || len(c.Points) != 2 || c.Rounds != 2 || c.Points[1].Size != 256 || c.Points[1].Ratios[0].Summary.Median != 0.5 {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

func TestCompareRotatesAndPairsRounds(t *testing.T) {
	var order []string
	impls := []Implementation{
		&scripted{name: "weft", base: 1, order: &order},
		&scripted{name: "a", base: 2, order: &order},
		&scripted{name: "b", base: 1.1, order: &order},
	}
	ticks := 0
	got, err := Compare(t.Context(), twoSizes("latency"), impls, 4, func() { ticks++ })
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Fields("weft a b a b weft b weft a weft a b"); !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
	if ticks != 12 || got.Rounds != 4 || len(got.Points) != 2 {
		t.Fatalf("%d ticks, %d rounds, %d points", ticks, got.Rounds, len(got.Points))
	}
	p := got.Points[0]
	if r := p.Ratios[0].Summary; r.Median != 0.5 || r.Min != 0.5 || r.Max != 0.5 {
		t.Errorf("the ratio drifts with the host: %+v", r)
	}
	if len(p.Bars) != 1 || p.Bars[0].Mark != Missed || p.Bars[0].Peer != "b" {
		t.Errorf("8 B judged %+v; 0.91 of the best peer misses 0.80", p.Bars)
	}
	if p := got.Points[1]; len(p.Bars) != 1 || p.Bars[0].Mark != Met || p.Bars[0].Limit != 1 {
		t.Errorf("256 B judged %+v", p.Bars)
	}
}

func TestCompareKeepsCompleteRoundsOfAFailure(t *testing.T) {
	var order []string
	impls := []Implementation{
		&scripted{name: "weft", base: 1, order: &order},
		&scripted{name: "a", base: 2, order: &order, fail: 3},
	}
	got, err := Compare(t.Context(), twoSizes("latency"), impls, 5, nil)
	if err == nil || !strings.Contains(err.Error(), "latency on 2 ranks, round 3 of 5, a: rank 1 fell over") {
		t.Errorf("error %v", err)
	}
	if got.Rounds != 2 || len(got.Points) != 2 || len(got.Points[0].Sides[0].Samples) != 2 || got.Failure == "" {
		t.Errorf("kept %+v", got)
	}
}

// TestCompareGoesOnWithoutAFailedSide: two are left to compare.
func TestCompareGoesOnWithoutAFailedSide(t *testing.T) {
	var order []string
	impls := []Implementation{
		&scripted{name: "weft", base: 1, order: &order},
		&scripted{name: "a", base: 2, order: &order, fail: 2},
		&scripted{name: "b", base: 4, order: &order},
	}
	got, err := Compare(t.Context(), twoSizes("latency"), impls, 4, nil)
	if err == nil || !strings.Contains(got.Failure, "round 2 of 4, a: rank 1 fell over") || got.Rounds != 4 {
		t.Errorf("%d rounds, %q, %v", got.Rounds, got.Failure, err)
	}
	p := got.Points[0]
	if len(p.Sides[1].Samples) != 1 || len(p.Sides[2].Samples) != 4 || p.Ratios[0].Summary.Count != 1 || p.Ratios[1].Summary.Median != 0.25 {
		t.Errorf("point %+v", p)
	}
	impls[0] = &scripted{name: "weft", base: 1, order: &order, fail: 1}
	if got, err := Compare(t.Context(), twoSizes("latency"), impls, 4, nil); err == nil || got.Rounds != 0 {
		t.Errorf("without the first side: %d rounds, %v", got.Rounds, err)
	}
}

func TestCompareRunsAPeerThatHungOnceMore(t *testing.T) {
	var order []string
	weft := &scripted{name: "weft", base: 1, order: &order}
	peer := &scripted{name: "a", base: 2, order: &order, hang: 2}
	got, err := Compare(t.Context(), twoSizes("latency"), []Implementation{weft, peer}, 3, nil)
	if err != nil || got.Rounds != 3 || got.Libraries[1].Hung != 1 || got.Libraries[0].Hung != 0 || peer.runs != 4 {
		t.Fatalf("%v, %d rounds, libraries %+v, %d runs", err, got.Rounds, got.Libraries, peer.runs)
	}
	const note = "latency, a: 1 of 4 runs gave no result in time and were done once more"
	report := Report{Comparisons: []Comparison{got}}
	for form, write := range map[string]func(io.Writer) error{"text": report.WriteText, "markdown": report.WriteMarkdown} {
		var b strings.Builder
		if err := write(&b); err != nil || !strings.Contains(b.String(), note) {
			t.Errorf("the %s does not say so (%v):\n%s", form, err, b.String())
		}
	}

	twice := &scripted{name: "a", base: 2, order: &order, hang: 1, fail: 2}
	if got, err := Compare(t.Context(), twoSizes("latency"), []Implementation{weft, twice}, 1, nil); err == nil || got.Failure == "" {
		t.Errorf("a second failure is none: %+v", got)
	}
	ours := &scripted{name: "weft", base: 1, order: &order, hang: 1}
	if _, err := Compare(t.Context(), twoSizes("latency"), []Implementation{ours, peer}, 1, nil); !errors.Is(err, ErrNoResult) || ours.runs != 1 {
		t.Errorf("our own hang: %v after %d runs; it is never tried again", err, ours.runs)
	}
}

func TestCompareRefusesWrongRows(t *testing.T) {
	var order []string
	impls := []Implementation{&scripted{name: "weft", base: 1, order: &order, short: true}}
	if _, err := Compare(t.Context(), twoSizes("latency"), impls, 1, nil); err == nil {
		t.Error("a missing row was accepted")
	}
}

// spread returns samples with these quartiles and median.
func spread(q1, median, q3 float64) []float64 { return []float64{q1, q1, median, q3, q3} }

func flat(v float64) []float64 { return spread(v, v, v) }

// TestJudge: Weft takes 1 in every round, so the peers' samples are the inverse ratios.
func TestJudge(t *testing.T) {
	point := func(size int, ratios ...[]float64) Point {
		p := Point{Size: size, Sides: []Side{{Name: "weft", Samples: flat(1)}}}
		for i, r := range ratios {
			theirs := make([]float64, len(r))
			for k, v := range r {
				theirs[k] = 1 / v
			}
			p.Sides = append(p.Sides, Side{Name: string(rune('a' + i)), Samples: theirs})
		}
		return p
	}
	for _, tc := range []struct {
		name  string
		test  string
		p     Point
		mark  Mark
		limit float64
		peer  string
	}{
		{"fast enough", "latency", point(64, flat(0.5), flat(0.8)), Met, 0.8, "b"},
		{"one peer too fast", "latency", point(0, flat(0.5), flat(0.81)), Missed, 0.8, "b"},
		{"spread below", "latency", point(256, spread(0.9, 0.99, 1.2)), MetClose, 1, "a"},
		{"spread above", "latency", point(256, spread(0.9, 1.01, 1.2)), MissClose, 1, "a"},
		{"bandwidth takes the lowest", "bw", point(8, flat(1.5), flat(0.9)), Missed, 1, "b"},
		{"bandwidth met", "bw", point(4*mib, flat(1.5), flat(1)), Met, 1, "b"},
		{"bandwidth spread", "bw", point(8, spread(0.9, 1.1, 1.2)), MetClose, 1, "a"},
		{"collective", "alltoall", point(64*kib, flat(0.7), flat(1.1)), Missed, 1, "b"},
		{"no bar at 128 B", "latency", point(128, flat(2)), NoBar, 0, ""},
		{"nothing promised", "bibw", point(8, flat(3)), NoBar, 0, ""},
		{"no peer", "latency", point(8), NoBar, 0, ""},
		{"no samples", "latency", point(8, nil), NoBar, 0, ""},
		{"no sides", "latency", Point{Size: 8}, NoBar, 0, ""},
	} {
		var got Judged
		if all := Judge(HostBars, tc.test, 2, tc.p); len(all) > 1 {
			t.Errorf("%s: %d bars", tc.name, len(all))
		} else if len(all) == 1 {
			got = all[0]
		}
		if got.Mark != tc.mark || got.Limit != tc.limit || got.Peer != tc.peer {
			t.Errorf("%s: %+v, want %v (%v) against %q", tc.name, got, tc.mark, tc.limit, tc.peer)
		}
	}
}

func scriptedReport(t *testing.T) Report {
	t.Helper()
	var order []string
	impls := []Implementation{
		&scripted{name: "weft", base: 1.25, order: &order},
		&scripted{name: "openmpi", base: 2, order: &order, fail: 7},
	}
	var trials []Trial
	for _, name := range []string{"latency", "bw", "allreduce"} {
		trials = append(trials, Trial{Cases: []Case{twoSizes(name)}, Impls: impls, Rounds: 3})
	}
	finished := 0
	r := RunSuite(t.Context(), trials, nil, func(Trial) { finished++ })
	if finished != 3 {
		t.Fatalf("%d cases finished, want all 3 in spite of a failure", finished)
	}
	r.Started = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	r.Finished = r.Started.Add(time.Hour)
	r.Host = Host{Name: "h0", CPU: "Test CPU", CPUs: 2, Kernel: "6.1", Go: "go1.26", LoadBefore: [3]float64{0.5}, LoadAfter: [3]float64{1.5}}
	return r
}

const wantMarkdown = `2 of 4 targets are met; comparisons with a failure: 1.

| fact | value |
|---|---|
| command | ` + "`weft bench suite`" + ` |
| date | 2026-01-02 03:04:05 to 2026-01-02 04:04:05 |
| host | h0, 2 CPUs, Test CPU |
| system | Linux 6.1, go1.26 |
| load | load average 0.50 before, 1.50 after |
| weft | weft 1.0; as scripted |
| openmpi | openmpi 1.0; as scripted |
`

func TestReportMarkdown(t *testing.T) {
	r := scriptedReport(t)
	r.Command = "weft bench suite"
	var out strings.Builder
	if err := r.WriteMarkdown(&out); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if head, _, _ := strings.Cut(text, "\nTargets"); head != wantMarkdown {
		t.Errorf("head (-want +got):\n%s", cmp.Diff(wantMarkdown, head))
	}
	for _, want := range []string{
		"| size | weft | openmpi | weft/openmpi median [quartiles] | target met |\n|---|---|---|---|---|\n",
		"| 8 B | 2.500 | 4.000 | 0.62 [0.62-0.62] | yes (0.80) |\n",
		"ratio above 1 Weft is faster",
		"| 256 B | 12.5 | 20.0 | 0.62 [0.62-0.62] | no (1.00) |\n",
		"Failed: allreduce on 2 ranks, round 1 of 3, openmpi: rank 1 fell over",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("missing %q in\n%s", want, text)
		}
	}
}

func TestReportIsValidJSON(t *testing.T) {
	var out strings.Builder
	if err := WriteJSON(&out, scriptedReport(t)); err != nil {
		t.Fatal(err)
	}
	var back struct {
		Comparisons []struct {
			Test   string
			Points []struct{ Bars []struct{ Met string } }
		}
	}
	if err := json.Unmarshal([]byte(out.String()), &back); err != nil {
		t.Fatal(err)
	}
	if len(back.Comparisons) != 3 || back.Comparisons[0].Points[0].Bars[0].Met != "yes" {
		t.Errorf("got %+v", back)
	}
}

const wantText = `# latency, 2 ranks, 3 interleaved rounds
# weft     weft 1.0; as scripted
# openmpi  openmpi 1.0; as scripted
# medians in us; ratio = weft/other within a round, median [quartiles], below 1 Weft is faster
# Size              weft       openmpi              weft/openmpi  target
8                  2.500         4.000          0.62 [0.62-0.62]  yes (0.80)
256                5.000         8.000          0.62 [0.62-0.62]  yes (1.00)
`

const wantCSV = `test,ranks,size,share,implementation,unit,median,q1,q3,min,max,ratio_median,ratio_q1,ratio_q3
latency,2,8,0,weft,us,2.5000,1.8750,3.1250,1.2500,3.7500,,,
latency,2,8,0,openmpi,us,4.0000,3.0000,5.0000,2.0000,6.0000,0.6250,0.6250,0.6250
latency,2,256,0,weft,us,5.0000,3.7500,6.2500,2.5000,7.5000,,,
latency,2,256,0,openmpi,us,8.0000,6.0000,10.0000,4.0000,12.0000,0.6250,0.6250,0.6250
`

// TestMarksAreReadAgain: a saved report can be drawn again, whatever its judgements.
func TestMarksAreReadAgain(t *testing.T) {
	for m := NoBar; m <= Missed; m++ {
		text, err := json.Marshal(Judged{Mark: m})
		var again Judged
		if err = errors.Join(err, json.Unmarshal(text, &again)); err != nil || again.Mark != m {
			t.Errorf("%s: %v, %v", text, again, err)
		}
	}
	for _, bad := range []string{`"maybe"`, `7`} {
		if err := json.Unmarshal([]byte(bad), new(Mark)); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}

func TestComparisonTextAndCSV(t *testing.T) {
	c := scriptedReport(t).Comparisons[0]
	var text, table strings.Builder
	said := map[string]string{}
	c.text(&text, said)
	if diff := cmp.Diff(wantText, text.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	text.Reset()
	if c.text(&text, said); strings.Contains(text.String(), "as scripted") {
		t.Errorf("what was said is said again:\n%s", text.String())
	}
	if err := (Report{Comparisons: []Comparison{c}}).WriteCSV(&table); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wantCSV, table.String()); diff != "" {
		t.Errorf("CSV (-want +got):\n%s", diff)
	}
}

func TestReportText(t *testing.T) {
	r := scriptedReport(t)
	r.Notes = []string{"rails was not measured."}
	var out strings.Builder
	if err := r.WriteText(&out); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if strings.Count(text, "weft 1.0; as scripted") != 1 || !strings.HasSuffix(text,
		"# rails was not measured.\n# 2 of 4 targets are met; load average 0.50 before, 1.50 after\n") {
		t.Errorf("got\n%s", text)
	}
	if !strings.Contains(text, "# allreduce, 2 ranks, 0 interleaved rounds\n") || !strings.Contains(text, "# failed: allreduce") {
		t.Errorf("a comparison that measured nothing:\n%s", text)
	}
}

func TestResultCSV(t *testing.T) {
	var out strings.Builder
	r := Result{Test: "bcast", Unit: "us", Ranks: 4, Rows: []Row{{Size: 8, Value: 1.5, Min: 1, Max: 2, Iterations: 10, Valid: Pass}}}
	if err := r.WriteCSV(&out); err != nil {
		t.Fatal(err)
	}
	want := "test,ranks,size,share,value,unit,min,max,rate,iterations,valid\nbcast,4,8,0,1.5000,us,1.0000,2.0000,0.0000,10,Pass\n"
	if out.String() != want {
		t.Errorf("got %q", out.String())
	}
}

func TestHostParsers(t *testing.T) {
	if got := parseLoad("0.52 1.25 3.00 2/345 678\n"); got != [3]float64{0.52, 1.25, 3} {
		t.Errorf("load %v", got)
	}
	if got := parseLoad("x"); got != [3]float64{} {
		t.Errorf("load of nonsense %v", got)
	}
	if got := cpuModel("processor\t: 0\nmodel name\t: Fast CPU @ 2 GHz\nflags\t: a b\n"); got != "Fast CPU @ 2 GHz" {
		t.Errorf("model %q", got)
	}
}

func TestStolenTime(t *testing.T) {
	begin := parseTicks("cpu  100 0 200 600 50 10 20 20 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n")
	if begin != (ticks{all: 1000, stolen: 20}) {
		t.Fatalf("ticks %+v", begin)
	}
	if got := begin.stolenUntil(ticks{all: 2000, stolen: 270}); got != 0.25 {
		t.Errorf("%v of the time was stolen, want a quarter", got)
	}
	if got := begin.stolenUntil(ticks{}); got != 0 {
		t.Errorf("%v was stolen by a clock that went back", got)
	}
	for _, text := range []string{"", "cpu", "cpu 1 2 3", "cpu 1 2 3 4 5 6 7 x", "intr 1 2 3 4 5 6 7 8", "cpu 1 2 3 4 5 6 7 99999999999999999999"} {
		if got := parseTicks(text); got != (ticks{}) {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
	h := Host{CPUs: 2, Stolen: 0.25}
	if got := h.Load(); !strings.HasSuffix(got, ", 25% of the CPUs' time stolen by other guests") {
		t.Errorf("load %q", got)
	}
	if got := h.Warning(); !strings.Contains(got, "25%") {
		t.Errorf("warning %q", got)
	}
}

func TestBusyHostIsNamed(t *testing.T) {
	for load, busy := range map[float64]bool{0.1: false, 0.9: false, 1.1: true} {
		if h := (Host{CPUs: 2, LoadBefore: [3]float64{load}}); h.busy() != busy {
			t.Errorf("%+v is called busy: %t", h, !busy)
		}
	}
	if got := (Host{CPUs: 2, LoadBefore: [3]float64{0.9}}).Warning(); got != "" {
		t.Errorf("a quiet host is warned about: %q", got)
	}
	r := scriptedReport(t)
	r.Host.Busy = true
	var out strings.Builder
	if err := r.WriteMarkdown(&out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "**Careful: this host was busy before the start (load average 0.50 on 2 CPUs)") {
		t.Errorf("no warning in\n%s", out.String())
	}
}

func TestSizeText(t *testing.T) {
	for size, want := range map[int]string{0: "0 B", 8: "8 B", 1024: "1 KB", 1500: "1500 B", 64 * kib: "64 KB", 4 * mib: "4 MB"} {
		if got := SizeText(size); got != want {
			t.Errorf("SizeText(%d) = %q, want %q", size, got, want)
		}
	}
}
