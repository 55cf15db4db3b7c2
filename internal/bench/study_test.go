package bench

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNewArm(t *testing.T) {
	a, err := NewArm("rndv=rget,lab-spec-threshold=80%")
	if err != nil {
		t.Fatal(err)
	}
	if a.Name != "rget+80%" || !slices.Equal(a.Environment(), []string{"WEFT_RNDV=rget", "WEFT_LAB_SPEC_THRESHOLD=80%"}) {
		t.Errorf("got %+v, %q", a, a.Environment())
	}
	if got := (Arm{Set: []string{"WEFT_LAB_CRC=on"}}).Environment(); got[0] != "WEFT_LAB_CRC=on" {
		t.Errorf("a full name became %q", got[0])
	}
	for _, text := range []string{"", "rndv", "rndv=", "=rget", "rndv=rget,", "rndv=a b"} {
		if a, err := NewArm(text); err == nil {
			t.Errorf("%q was accepted as %+v", text, a)
		}
	}
}

// TestEveryStudyMakesCases also proves that bars name arms and tests that exist.
func TestEveryStudyMakesCases(t *testing.T) {
	for _, s := range Studies() {
		if found, ok := FindStudy(s.Name); !ok || found.Name != s.Name {
			t.Errorf("%s is not found", s.Name)
		}
		cases, err := s.Cases(Setup{Window: 64, Memory: maxSize})
		if err != nil || len(cases) < len(s.Tests) || len(s.Members()) != len(s.Tests) {
			t.Errorf("%s: %d cases, %v", s.Name, len(cases), err)
		}
		sides := []string{"openmpi"}
		for _, a := range s.Arms {
			sides = append(sides, a.Name)
		}
		for _, b := range s.Bars {
			checkBar(t, s, b, sides, cases)
		}
	}
	if _, ok := FindStudy("latency"); ok {
		t.Error("a test passes for a study")
	}
}

func checkBar(t *testing.T, s Study, b Bar, sides []string, cases []Case) {
	t.Helper()
	for _, side := range []string{b.Side, b.Against} {
		if side != "" && !slices.Contains(sides, side) {
			t.Errorf("%s: bar %q is about %s, which is not measured", s.Name, b.Text, side)
		}
	}
	reached := slices.ContainsFunc(cases, func(c Case) bool {
		return slices.ContainsFunc(c.Steps, func(st Step) bool {
			return b.applies(c.Test.Name, c.Ranks, Point{Size: st.Size, Share: st.Share})
		})
	})
	if !reached {
		t.Errorf("%s: bar %q is about no point that is measured", s.Name, b.Text)
	}
}

func TestStudySizes(t *testing.T) {
	overlap, _ := FindStudy("overlap")
	sizes := func(r Range, ranks int) []int {
		cases, err := overlap.Cases(Setup{Sizes: r, Window: 1, Memory: maxSize, Ranks: ranks})
		if err != nil {
			t.Fatal(err)
		}
		var all []int
		for _, s := range cases[0].Steps {
			all = append(all, s.Size)
		}
		return all
	}
	if got := sizes(Range{}, 0); !slices.Equal(got, []int{mib}) {
		t.Errorf("its own sizes %v", got)
	}
	if got := sizes(Range{Max: 64 * kib, MaxGiven: true}, 0); !slices.Equal(got, []int{64 * kib}) {
		t.Errorf("one size became %v", got)
	}
	if got := sizes(Range{Min: 64 * kib, MinGiven: true, Max: 256 * kib, MaxGiven: true}, 2); !slices.Equal(got, []int{64 * kib, 128 * kib, 256 * kib}) {
		t.Errorf("a ladder became %v", got)
	}
	if _, err := overlap.Cases(Setup{Ranks: 3, Memory: maxSize}); err == nil {
		t.Error("three ranks overlap")
	}
}

func TestSharesMultiplySteps(t *testing.T) {
	steps := RoundSteps(mustFind("reuse"), []int{8, 16}, 2, 64, Loops{})
	var got [][2]int
	for _, s := range steps {
		got = append(got, [2]int{s.Size, s.Share})
	}
	if want := [][2]int{{8, 0}, {8, 50}, {8, 100}, {16, 0}, {16, 50}, {16, 100}}; !slices.Equal(got, want) {
		t.Errorf("steps %v, want %v", got, want)
	}
	if got := RoundSteps(mustFind("reuse"), []int{8}, 2, 64, Loops{Shares: []int{7}}); len(got) != 1 || got[0].Share != 7 {
		t.Errorf("the user's share became %+v", got)
	}
	if got := RoundSteps(mustFind("latency"), []int{8}, 2, 64, Loops{Shares: []int{7}}); len(got) != 1 || got[0].Share != 0 {
		t.Errorf("a test without shares got %+v", got)
	}
	if got, err := ParseShares("0,50%,100"); err != nil || !slices.Equal(got, []int{0, 50, 100}) {
		t.Errorf("shares %v, %v", got, err)
	}
	for _, text := range []string{"", "x", "-1", "1,,2", "99999"} {
		if got, err := ParseShares(text); err == nil {
			t.Errorf("%q was accepted as %v", text, got)
		}
	}
}

// valued is an implementation that gives every step the value of a function and remembers what it was asked.
type valued struct {
	name  string
	value func(c Case, s Step) float64
	asked [][]Step
}

func (v *valued) Name() string        { return v.name }
func (v *valued) Settings(int) string { return "" }
func (v *valued) Measure(_ context.Context, cases ...Case) (Outcome, error) {
	out := Outcome{Library: v.name, Counters: Counters{"Engine.Reads": 3, "Engine.Writes": 0, "Rail.Bytes": 9}}
	for _, c := range cases {
		v.asked = append(v.asked, c.Steps)
		for _, s := range c.Steps {
			out.Rows = append(out.Rows, Row{Size: s.Size, Share: s.Share, Value: v.value(c, s)})
		}
	}
	return out, nil
}

// TestExchangeComputesEquallyOnAllSides: the first side's communication decides for everyone.
func TestExchangeComputesEquallyOnAllSides(t *testing.T) {
	first := &valued{name: "a", value: func(_ Case, s Step) float64 { return 100 + float64(s.Work)/1e3 }}
	second := &valued{name: "b", value: func(_ Case, s Step) float64 { return 500 + float64(s.Work)/1e3 }}
	c := Case{Test: mustFind("exchange_m1_n1"), Ranks: 2, Evidence: []string{"Engine"},
		Steps: []Step{{Size: 8, Iterations: 1, Batches: 1, Share: 50}, {Size: 8, Iterations: 1, Batches: 1, Share: 200}}}
	got, err := Compare(t.Context(), c, []Implementation{first, second}, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(c.Steps)
	want[0].Work, want[1].Work = 200_000, 50_000
	if !slices.Equal(first.asked[1], want) || !slices.Equal(second.asked[0], want) {
		t.Errorf("asked %+v and %+v, want %+v", first.asked[1], second.asked[0], want)
	}
	if c.Steps[0].Work != 0 {
		t.Error("the caller's steps were changed")
	}
	if got.Libraries[0].Counters != "Engine.Reads 3" {
		t.Errorf("evidence %q", got.Libraries[0].Counters)
	}
}

// TestBarsOfStudies: values by themselves, one side against another, and growth.
func TestBarsOfStudies(t *testing.T) {
	memory, _ := FindStudy("memory")
	perRank := map[string]func(ranks int) float64{
		"srq":    func(ranks int) float64 { return 4 + float64(ranks)/64 },
		"hybrid": func(ranks int) float64 { return 3 + float64(ranks)/16 },
		"rc":     func(ranks int) float64 { return 0.8 * float64(ranks) },
	}
	var trials []Trial
	for _, ranks := range []int{16, 64} {
		cases, err := memory.Cases(Setup{Ranks: ranks, Window: 1, Memory: maxSize})
		if err != nil {
			t.Fatal(err)
		}
		var impls []Implementation
		for _, name := range []string{"srq", "hybrid", "rc"} {
			impls = append(impls, &valued{name: name, value: func(c Case, _ Step) float64 { return perRank[name](c.Ranks) }})
		}
		trials = append(trials, Trial{Cases: cases[:1], Impls: impls, Rounds: 1})
	}
	report := RunSuite(t.Context(), trials, nil, nil)
	if bars := report.Comparisons[0].Points[0].Bars; len(bars) != 0 {
		t.Errorf("16 ranks are held against %+v", bars)
	}
	var texts []string
	for _, j := range report.Comparisons[1].Points[0].Bars {
		texts = append(texts, j.text())
	}
	want := []string{"srq yes (5.00)", "hybrid yes (0.25)", "srq no (1.10)"} // 5 MB on 64, 4.25 MB on 16: 1.18
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Errorf("bars (-want +got):\n%s", diff)
	}
	var page strings.Builder
	if err := report.WriteMarkdown(&page); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"2 of 3 targets are met", "- buffers on 64 ranks: srq at most 5 MB\n", "## Memory",
		"| test | ranks | size | srq | hybrid | rc | srq/hybrid median", "| buffers | 64 | 1 KB | 5.000 | 7.000 | 51.2 |"} {
		if !strings.Contains(page.String(), part) {
			t.Errorf("no %q in\n%s", part, page.String())
		}
	}
}

func TestPercentagesSpeakAlone(t *testing.T) {
	overlap, _ := FindStudy("overlap")
	cases, err := overlap.Cases(Setup{Window: 1, Memory: maxSize})
	if err != nil {
		t.Fatal(err)
	}
	last := cases[len(cases)-1] // recv, receiver first: all bars of a receiver
	var impls []Implementation
	for name, v := range map[string]float64{"speculative+poll": 92, "rget+poll": 12, "auto": 79} {
		impls = append(impls, &valued{name: name, value: func(Case, Step) float64 { return v }})
	}
	slices.SortFunc(impls, func(a, b Implementation) int { return strings.Compare(a.Name(), b.Name()) })
	got, err := Compare(t.Context(), last, impls, 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := got.Points[0]
	if len(p.Ratios) != 0 {
		t.Errorf("percentages were divided: %+v", p.Ratios)
	}
	if text := p.barText(); text != "speculative+poll yes (80.00); rget+poll no (10.00); auto no (80.00)" {
		t.Errorf("bars %q", text)
	}
	var text strings.Builder
	got.text(&text, map[string]string{})
	if !strings.Contains(text.String(), "# medians in %; more is better\n") || strings.Contains(text.String(), "ratio") {
		t.Errorf("text:\n%s", text.String())
	}
}

func TestReadCounters(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"rank-0.json": `{"Rank":0,"Host":"h","Engine":{"Reads":3},"Rail":{"Rails":[{"Name":"lo","Bytes":10},{"Bytes":1}]}}`,
		"rank-1.json": `{"Rank":1,"Host":"h","Engine":{"Reads":4},"Rail":{"Rails":[{"Name":"lo","Bytes":5},{"Bytes":1}]}}`,
		"other.json":  `not a report`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, ranks, err := ReadCounters(dir)
	want := Counters{"Rank": 1, "Engine.Reads": 7, "Rail.Rails.lo.Bytes": 15, "Rail.Rails.1.Bytes": 2}
	if diff := cmp.Diff(want, got); diff != "" || ranks != 2 || err != nil {
		t.Errorf("%d ranks, %v (-want +got):\n%s", ranks, err, diff)
	}
	if text := got.text([]string{"Rail.Rails", "Engine.Read"}); text != "Rail.Rails.1.Bytes 2, Rail.Rails.lo.Bytes 15" {
		t.Errorf("text %q; a name is not the beginning of another", text)
	}
	if err := os.WriteFile(filepath.Join(dir, "rank-2.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ReadCounters(dir); err == nil || !strings.Contains(err.Error(), "rank-2.json") {
		t.Errorf("half a report gave %v", err)
	}
}

func FuzzCounters(f *testing.F) {
	f.Add([]byte(`{"a":{"b":[1,{"Name":"x","c":2}]},"d":"text","e":null,"f":true}`))
	f.Add([]byte(`[[[[1]]]]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c := Counters{}
		if c.add(text) == nil {
			_ = c.text([]string{"a"})
		}
	})
}
