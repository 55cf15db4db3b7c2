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
		if err := FromComparison(sample()).Save(path); err != nil {
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
	if err := FromComparison(sample()).Save(path); err != nil {
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
