package figure

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/bench"
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

func TestSaveWritesEveryFormat(t *testing.T) {
	magic := map[string]string{".svg": "<?xml", ".png": "\x89PNG", ".pdf": "%PDF"}
	dir := t.TempDir()
	for _, ext := range Formats {
		path := filepath.Join(dir, "out"+ext)
		if err := fromComparison(sample()).Save(path); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(b, []byte(magic[ext])) {
			t.Errorf("%s starts with %q, %v", path, b[:min(len(b), 8)], err)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != len(Formats) {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestSVGNamesLinesAndTicks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.svg")
	if err := fromComparison(sample()).Save(path); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"openmpi", "mpich", "weft", ">4M<", ">16<", ">0<", ">1000<", "time (us)"} {
		if !strings.Contains(string(b), want) {
			t.Errorf("no %q in the figure", want)
		}
	}
}

func TestBandwidthStartsAtZero(t *testing.T) {
	f := FromResult(bench.Result{Test: "bw", Unit: "MB/s", Ranks: 2, Rows: []bench.Row{{Size: 1, Value: 900}, {Size: 2, Value: 1000}}})
	p, err := f.plot()
	if err != nil {
		t.Fatal(err)
	}
	if f.Log || p.Y.Min != 0 {
		t.Errorf("bandwidth axis: logarithmic %v, starts at %g", f.Log, p.Y.Min)
	}
}

func TestNothingToDraw(t *testing.T) {
	f := Figure{Unit: "us", Log: true, Lines: []Line{{Name: "weft", Points: []Point{{Size: 8}}}}}
	path := filepath.Join(t.TempDir(), "out.svg")
	if err := f.Save(path); err == nil {
		t.Error("a figure without a drawable point was written")
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a failed figure left a file")
	}
}

func TestCheckPath(t *testing.T) {
	if err := CheckPath("out.gif"); err == nil || !strings.Contains(err.Error(), ".svg") {
		t.Errorf("gif: %v", err)
	}
	if err := CheckPath(filepath.Join(t.TempDir(), "missing", "out.svg")); err == nil {
		t.Error("a missing directory was accepted")
	}
}

func TestTicks(t *testing.T) {
	var labels []string
	for _, tick := range (sizeTicks{}).Ticks(0.5, 4<<20) {
		if tick.Label != "" {
			labels = append(labels, tick.Label)
		}
	}
	if want := strings.Fields("0 1 4 16 64 256 1K 4K 16K 64K 256K 1M 4M"); !slices.Equal(labels, want) {
		t.Errorf("size labels %v, want %v", labels, want)
	}
	labels = labels[:0]
	for _, tick := range (decadeTicks{}).Ticks(0.2, 150) {
		if tick.Label != "" {
			labels = append(labels, tick.Label)
		}
	}
	if want := strings.Fields("1 10 100"); !slices.Equal(labels, want) {
		t.Errorf("time labels %v, want %v", labels, want)
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
	if exchange.Across != "communication/computation %" || exchange.Lines[0].Points[1].Size != 50 {
		t.Errorf("an exchange is drawn across %q: %+v", exchange.Across, exchange.Lines)
	}
	if want := []string{"a, 0 %", "a, 100 %", "b, 0 %", "b, 100 %"}; reuse.Across != "" || !slices.Equal(names(reuse), want) {
		t.Errorf("reuse is drawn across %q with lines %v", reuse.Across, names(reuse))
	}
	if memory.Across != "ranks" || memory.Lines[1].Points[1] != (Point{Size: 16, Value: 16, Low: 16, High: 16}) {
		t.Errorf("memory is drawn across %q: %+v", memory.Across, memory.Lines)
	}
	for _, f := range figures {
		if _, err := f.plot(); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}
