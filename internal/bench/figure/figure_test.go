package figure

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/chart"
)

func sample() bench.Comparison {
	c := bench.Comparison{Test: "latency", Unit: "us", Ranks: 2}
	for i, name := range []string{"weft", "openmpi", "mpich"} {
		c.Libraries = append(c.Libraries, bench.Library{Name: name})
		for j, size := range []int{0, 1, 1024, 4 << 20} {
			if i == 0 {
				c.Points = append(c.Points, bench.Point{Size: size})
			}
			v := float64((i + 1) * (j*j*j*20 + 1))
			c.Points[j].Sides = append(c.Points[j].Sides, bench.Side{Name: name, Summary: bench.Summarize([]float64{v * 0.9, v, v * 1.2})})
		}
	}
	return c
}

// TestComparison: every library has a line under the name that people know, medians have their quartiles, and times are
// logarithmic.
func TestComparison(t *testing.T) {
	f := fromComparison(sample())
	var b bytes.Buffer
	if err := f.Write(&b, "svg"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Latency, 2 ranks", "Open MPI", "MPICH", "Weft", ">4 MB<", ">0 B<", "time (µs)"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in the figure", want)
		}
	}
	if p := f.Lines[1].Points[2]; f.Y.Scale != chart.Log || p.X != 1024 || p.Low >= p.Y || p.High <= p.Y {
		t.Errorf("scale %v, point %+v", f.Y.Scale, p)
	}
}

func TestBandwidthStartsAtZero(t *testing.T) {
	f := FromResult(bench.Result{Test: "bw", Unit: "MB/s", Ranks: 2, Rows: []bench.Row{{Size: 1, Value: 900}, {Size: 2, Value: 1000, Min: 800, Max: 1200}}})
	if f.Y.Scale != chart.Linear || f.Lines[0].Points[1] != (chart.Point{X: 2, Y: 1000, Low: 800, High: 1200}) {
		t.Errorf("%+v", f)
	}
}

// study is a comparison of two sides at the given sizes and shares.
func study(test, unit string, ranks int, sizes, shares []int) bench.Comparison {
	c := bench.Comparison{Test: test, Unit: unit, Ranks: ranks, Libraries: []bench.Library{{Name: "a"}, {Name: "b"}}}
	for _, size := range sizes {
		for _, share := range shares {
			p := bench.Point{Size: size, Share: share}
			for _, name := range []string{"a", "b"} {
				p.Sides = append(p.Sides, bench.Side{Name: name, Summary: bench.Summarize([]float64{float64(ranks + share)})})
			}
			c.Points = append(c.Points, p)
		}
	}
	return c
}

func TestWhatFiguresAreDrawnAcross(t *testing.T) {
	names := func(f Figure) (all []string) {
		for _, l := range f.Lines {
			all = append(all, l.Name)
		}
		return all
	}
	figures := FromReport(bench.Report{Comparisons: []bench.Comparison{
		study("exchange_m1_n1", "us", 2, []int{128}, []int{10, 50}),
		study("reuse", "us", 2, []int{8, 16}, []int{0, 100}),
		study("memory", "MB", 2, []int{1024}, []int{0}),
		study("memory", "MB", 16, []int{1024}, []int{0}),
		{Test: "crossing", Failure: "measured nothing"},
	}})
	if len(figures) != 3 {
		t.Fatalf("%d figures, want one per test that was measured", len(figures))
	}
	exchange, reuse, memory := figures[0], figures[1], figures[2]
	if exchange.X.Label != "communication/computation %" || exchange.Lines[0].Points[1].X != 50 {
		t.Errorf("an exchange is drawn across %q: %+v", exchange.X.Label, exchange.Lines)
	}
	if want := []string{"a, 0 %", "a, 100 %", "b, 0 %", "b, 100 %"}; reuse.X.Label != "message size" || !slices.Equal(names(reuse), want) {
		t.Errorf("reuse is drawn across %q with lines %v", reuse.X.Label, names(reuse))
	}
	if memory.X.Label != "ranks" || memory.Lines[1].Points[1] != (chart.Point{X: 16, Y: 16, Low: 16, High: 16}) {
		t.Errorf("memory is drawn across %q: %+v", memory.X.Label, memory.Lines)
	}
	for _, f := range figures {
		if _, err := f.Draw(); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}
