package bench

import (
	"encoding/json"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestGeometricMean(t *testing.T) {
	for _, tc := range []struct {
		ratios []float64
		want   float64
	}{
		{nil, 0}, {[]float64{1.25}, 1.25}, {[]float64{2, 0.5}, 1}, {[]float64{1, 1, 8}, 2}, {[]float64{1e200, 1e-200, 1e200, 1e-200}, 1},
	} {
		if got := GeometricMean(tc.ratios); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("of %v: %g, want %g", tc.ratios, got, tc.want)
		}
	}
}

// The mean of old/new is the inverse of that of new/old, which other means of ratios do not have.
func TestGeometricMeanOfInverses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ratios := rapid.SliceOfN(rapid.Float64Range(0.01, 100), 1, 40).Draw(t, "ratios")
		inverse := make([]float64, len(ratios))
		for i, r := range ratios {
			inverse[i] = 1 / r
		}
		mean := GeometricMean(ratios)
		if math.Abs(mean*GeometricMean(inverse)-1) > 1e-9 || mean < slices.Min(ratios)*(1-1e-9) || mean > slices.Max(ratios)*(1+1e-9) {
			t.Fatalf("%v has the mean %g, its inverse %g", ratios, mean, GeometricMean(inverse))
		}
	})
}

// compared is a comparison of weft, whose values are ours at one point each, with an old build
// whose values are all 1.
func compared(test string, hosts string, ours ...[]float64) Comparison {
	t := mustFind(test)
	c := Comparison{Test: test, Unit: t.Unit(), HigherIsBetter: t.HigherIsBetter(), Ranks: 2, Hosts: hosts, Rounds: 4,
		Libraries: []Library{{Name: "weft"}, {Name: "openmpi"}, {Name: Old}}}
	for i, samples := range ours {
		ones := slices.Repeat([]float64{1}, len(samples))
		p := Point{Size: 8 << i, Sides: []Side{{Name: "weft", Samples: samples}, {Name: "openmpi", Samples: ones}, {Name: Old, Samples: ones}}}
		if t.comparable() {
			p.Ratios = []Ratio{{Peer: "openmpi", Summary: p.ratio(0, 1)}, {Peer: Old, Summary: p.ratio(0, 2)}}
		}
		c.Points = append(c.Points, p)
	}
	return c
}

func heldReport() Report {
	r := Report{Comparisons: []Comparison{
		compared("latency", "", []float64{2, 2, 2, 2, 2}, []float64{0.9, 1.1, 0.9, 1.1}), // a slower point, one that is even
		compared("bw", "", []float64{4, 4, 4, 4}),                                        // faster: four times the bandwidth
		compared("bw", "h0,h1", []float64{2, 2, 2, 2}),
		compared("overlap_send_sender_first", "", []float64{50, 50, 50, 50}), // no speed
		compared("memory", "", []float64{7, 7, 7, 7}),                        // neither
	}}
	r.Hold(Build{Path: "/new/weft", Version: "v2", Sum: "aaaabbbbccccdddd"}, Build{Path: "/old/weft", Version: "v1", Sum: "ffff"})
	return r
}

func TestHold(t *testing.T) {
	a := heldReport().Against
	if a.Points != 4 || math.Abs(a.Ratio-math.Pow(2*1.0/4/2, 0.25)) > 1e-9 || a.Faster != 2 || a.Slower != 1 {
		t.Errorf("got %+v", a)
	}
	if low, high := math.Pow(2*0.9/4/2, 0.25), math.Pow(2*1.1/4/2, 0.25); math.Abs(a.Low-low) > 1e-9 || math.Abs(a.High-high) > 1e-9 {
		t.Errorf("from %g to %g, want %g to %g: one point is 0.9 or 1.1", a.Low, a.High, low, high)
	}
	if len(a.Tests) != 3 || a.Tests[0].Points != 2 || a.Tests[1].Ratio != 0.25 || a.Tests[2].Hosts != "h0,h1" || a.Tests[2].Ratio != 0.5 {
		t.Errorf("tests %+v", a.Tests)
	}
	if len(a.Slowest) != 1 || a.Slowest[0].Test != "latency" || a.Slowest[0].Size != 8 || a.Slowest[0].Ratio.Median != 2 {
		t.Errorf("slowest %+v", a.Slowest)
	}
}

// Two rounds have no quartiles, so that no point is called slower for them, and a report without
// the other build holds nothing.
func TestHoldOfLittle(t *testing.T) {
	r := Report{Comparisons: []Comparison{compared("latency", "", []float64{2, 2})}}
	if r.Hold(Build{}, Build{}); r.Against.Slower != 0 || r.Against.Ratio != 2 {
		t.Errorf("got %+v", r.Against)
	}
	r = scriptedReport(t)
	if r.Hold(Build{}, Build{}); r.Against.Points != 0 || r.Against.Ratio != 0 || !strings.Contains(r.Against.verdict()[0], "no speeds") {
		t.Errorf("got %+v", r.Against)
	}
}

// What moves all points of a round moves the mean: points that are alike are no more certain than one.
func TestResampleDrawsRounds(t *testing.T) {
	one := []float64{0.8, 0.9, 1, 1.1, 1.2}
	low, high := resample([][]float64{one})
	if low2, high2 := resample([][]float64{one, one, one}); math.Abs(low2-low) > 1e-9 || math.Abs(high2-high) > 1e-9 || low >= 1 || high <= 1 {
		t.Errorf("%g to %g for one point, %g to %g for three", low, high, low2, high2)
	}
	if low, high := resample([][]float64{{2}, {0.5, 0.5}}); math.Abs(low-1) > 1e-9 || math.Abs(high-1) > 1e-9 {
		t.Errorf("%g to %g where nothing differs", low, high)
	}
}

func TestHeldReportSaysSo(t *testing.T) {
	r := heldReport()
	want := []string{"new: /new/weft, version v2, sha256 aaaabbbbcccc\n", "old: /old/weft, version v1, sha256 ffff\n",
		"new/old: geometric mean 0.707 [0.689-0.724] over 4 points, as times: below 1 new is faster; beyond their quartiles faster at 2, slower at 1\n",
		"new/old by test: latency 1.414 bw 0.250\n", "new/old by test between h0,h1: bw 0.500\n", "slower: latency, 8 B on 2 ranks: 2.00 [2.00-2.00]\n",
		"bw, 2 ranks between h0,h1, 4 interleaved rounds"}
	for form, write := range map[string]func(io.Writer) error{"text": r.WriteText, "markdown": r.WriteMarkdown} {
		var b strings.Builder
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(b.String(), part) {
				t.Errorf("no %q in the %s\n%s", part, form, b.String())
			}
		}
		if strings.Contains(b.String(), "targets are met") || strings.Contains(b.String(), "same build") {
			t.Errorf("the %s speaks of targets, or of one build:\n%s", form, b.String())
		}
	}
	var b strings.Builder
	if err := WriteJSON(&b, r); err != nil {
		t.Fatal(err)
	}
	var back struct {
		Against struct {
			Ratio    float64
			New, Old struct{ Path string }
		}
	}
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil || back.Against.Ratio != r.Against.Ratio || back.Against.Old.Path != "/old/weft" {
		t.Errorf("%v, %+v", err, back)
	}
	r.Hold(Build{Sum: "a"}, Build{Sum: "a"})
	if head := r.Against.head(); !strings.Contains(head[len(head)-1], "same build") {
		t.Errorf("a build against itself: %q", head)
	}
}

// A bar is about other libraries, however fast another build is.
func TestNoBarIsAboutAnotherBuild(t *testing.T) {
	p := Point{Size: 8, Sides: []Side{{Name: "weft", Samples: flat(1)}, {Name: Old, Samples: flat(1)}}}
	if got := Judge(HostBars, "latency", 2, p); len(got) != 0 {
		t.Errorf("judged %+v", got)
	}
	p.Sides = append(p.Sides, Side{Name: "mpich", Samples: flat(2)})
	if got := Judge(HostBars, "latency", 2, p); len(got) != 1 || got[0].Peer != "mpich" || got[0].Mark != Met {
		t.Errorf("judged %+v", got)
	}
}
