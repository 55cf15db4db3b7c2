package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

// sizes is a chart of times over message sizes, with spreads and marks.
func sizes() *Chart {
	c := &Chart{Title: "Latency <a & b>", X: Axis{"message size", "bytes", Sizes}, Y: Axis{"time", "us", Log}, Marked: "stated in the document"}
	for i, name := range []string{"Weft", "Open MPI", "MPICH"} {
		l := Line{Name: name}
		for size := 0.0; size <= 4<<20; size = max(1, size*4) {
			v := float64(i+1) * (0.4 + size/4000)
			l.Points = append(l.Points, Point{X: size, Y: v, Low: v * 0.8, High: v * 1.5})
		}
		c.Lines = append(c.Lines, l)
	}
	c.Marks = []Mark{{Text: "7 us", X: 1, Y: 7}, {Text: "8 us", X: 1, Y: 7.5}, {Text: "9 us", X: 2, Y: 7}, {Text: "link", Y: 900, Everywhere: true}, {Text: "too", Y: 905, Everywhere: true}}
	return c
}

// charts are of all kinds.
func charts() map[string]*Chart {
	many := &Chart{Title: strings.Repeat("a long title ", 20), X: Axis{Label: "ranks"}, Y: Axis{"bandwidth", "MB/s", Linear}}
	for i := range 14 {
		many.Lines = append(many.Lines, Line{Name: strings.Repeat("name ", i%4+1), Points: []Point{{X: 2, Y: float64(i) * 1e4}, {X: 1024, Y: float64(i) * 2e4}}})
	}
	return map[string]*Chart{
		"sizes": sizes(),
		"many":  many,
		"narrow": {Title: "x", X: Axis{"share", "%", Linear}, Y: Axis{"time", "us", Log},
			Lines: []Line{{Name: "a", Points: []Point{{X: 1, Y: 98}, {X: 2, Y: 103}}}}},
		"negative": {Title: "x", X: Axis{"processes", "", Sizes}, Y: Axis{"gain", "%", Linear},
			Lines: []Line{{Name: "a", Points: []Point{{X: 16, Y: -30}, {X: 4096, Y: 103}}}}},
		"one":    {X: Axis{"message size", "bytes", Sizes}, Y: Axis{"part", "%", Linear}, Lines: []Line{{Name: "a", Points: []Point{{X: 8}}}}},
		"wide":   {X: Axis{"time", "ms", Linear}, Y: Axis{"distance", "us", Log}, Lines: []Line{{Name: "a", Apart: true, Points: []Point{{X: 0.1, Y: 0.001}, {X: 0.2, Y: 1e7}}}}},
		"counts": {X: Axis{"message size", "bytes", Sizes}, Y: Axis{"uses", "", Log}, Lines: []Line{{Name: "a", Points: []Point{{X: 4096, Y: 3}, {X: 1 << 30, Y: 40}}}}},
	}
}

func TestGolden(t *testing.T) {
	var got bytes.Buffer
	if err := sizes().Write(&got, "svg"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "sizes.svg")
	if *rewrite {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%v; %s differs; if that is meant, run go test -rewrite and look at it in a browser", err, path)
	}
	for _, want := range []string{"Weft", "Open MPI", ">0 B<", ">16 B<", ">4 MB<", ">5<", ">20<", "time (µs)", ">message size<", "7 µs", "Latency &lt;a &amp; b&gt;", "prefers-color-scheme: dark"} {
		if !strings.Contains(got.String(), want) {
			t.Errorf("no %q in the chart", want)
		}
	}
}

// TestNoWordOnAnother: words stay apart, and inside of the drawing.
func TestNoWordOnAnother(t *testing.T) {
	for name, c := range charts() {
		d, err := c.Draw()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var words []Word
		for _, p := range d.parts {
			if w, ok := p.(Word); ok && w.Text != "" {
				words = append(words, w)
			}
		}
		for i, w := range words {
			if !(rect{0, 0, d.Width, d.Height}).holds(w.area()) {
				t.Errorf("%s: %q is cut off: %v", name, w.Text, w.area())
			}
			for _, v := range words[:i] {
				if w.area().meets(v.area()) {
					t.Errorf("%s: %q stands on %q", name, w.Text, v.Text)
				}
			}
		}
	}
}

// TestLinesDifferWithoutColour: any two of forty lines differ in dashes or markers.
func TestLinesDifferWithoutColour(t *testing.T) {
	seen := map[string]int{}
	for i := range 40 {
		d, look := &Drawing{}, lookOf(i)
		d.Line(Pen{Stroke: Text, Dash: look.dash}, Spot{}, Spot{1, 1})
		look.marker(d, Text, Spot{})
		var b strings.Builder
		for _, p := range d.parts {
			p.svg(&b)
		}
		if other, twice := seen[b.String()]; twice {
			t.Errorf("without colour line %d looks like line %d", i, other)
		}
		seen[b.String()] = i
	}
}

// TestContrast: what is thin stands out from the paper, on light and on dark pages (WCAG 2.1 asks for 3 to
// 1 of graphics and 4.5 to 1 of text).
func TestContrast(t *testing.T) {
	least := map[Ink]float64{Text: 4.5, Soft: 4.5, Data: 3}
	for i := range lineInks {
		least[Lines+Ink(i)] = 3
	}
	for ink, want := range least {
		for _, side := range []func(shades) string{func(s shades) string { return s.light }, func(s shades) string { return s.dark }} {
			a, b := luminance(t, side(inks[ink])), luminance(t, side(inks[Paper]))
			if got := (max(a, b) + 0.05) / (min(a, b) + 0.05); got < want {
				t.Errorf("%s: #%s has a contrast of %.2f to its paper, want %g", inks[ink].name, side(inks[ink]), got, want)
			}
		}
	}
}

// luminance is that of WCAG 2.1.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	v, err := strconv.ParseUint(colour, 16, 32)
	if err != nil || len(colour) != 6 {
		t.Fatalf("%q is no colour", colour)
	}
	sum := 0.0
	for i, weight := range []float64{0.0722, 0.7152, 0.2126} {
		c := float64(v>>(8*i)&0xff) / 255
		if c <= 0.03928 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

func TestWellFormed(t *testing.T) {
	for name, c := range charts() {
		var svg, pdf bytes.Buffer
		if err := errors.Join(c.Write(&svg, "svg"), c.Write(&pdf, "pdf")); err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(svg.Bytes(), new(struct{})); err != nil {
			t.Errorf("%s: the SVG is no XML: %v", name, err)
		}
		checkPDF(t, name, pdf.String())
	}
	if err := sizes().Write(io.Discard, "bmp"); err == nil {
		t.Error("a strange format was drawn")
	}
}

// checkPDF sees that the table of a PDF leads to its objects, and that its stream is as long as it says.
func checkPDF(t *testing.T, name, text string) {
	t.Helper()
	_, after, found := strings.Cut(text, "\nxref\n0 8\n")
	if !strings.HasPrefix(text, "%PDF-1.4\n") || !strings.HasSuffix(text, "%%EOF\n") || !found {
		t.Errorf("%s: no PDF of seven objects", name)
		return
	}
	for i, line := range strings.Split(after, "\n")[1:8] {
		at, err := strconv.Atoi(line[:10])
		if err != nil || !strings.HasPrefix(text[at:], strconv.Itoa(i+1)+" 0 obj\n") {
			t.Errorf("%s: object %d is not at %s", name, i+1, line)
		}
	}
	_, stream, _ := strings.Cut(text, "/Length ")
	length, stream, _ := strings.Cut(stream, " >>\nstream\n")
	if n, err := strconv.Atoi(length); err != nil || !strings.HasPrefix(stream[n:], "\nendstream") {
		t.Errorf("%s: the contents are not %s bytes long", name, length)
	}
	if !strings.Contains(text, `(Latency <a & b>)`) && name == "sizes" || strings.Contains(text, "µ") {
		t.Errorf("%s: texts are not in the fonts' encoding", name)
	}
}

func TestNothingToDraw(t *testing.T) {
	for _, c := range []*Chart{
		{},
		{Y: Axis{Scale: Log}, Lines: []Line{{Points: []Point{{X: 1, Y: 0}, {X: 2, Y: -1}, {X: 3, Y: math.NaN()}}}}},
		{X: Axis{Scale: Sizes}, Lines: []Line{{Points: []Point{{X: -1, Y: 1}}}}},
		{Marks: []Mark{{Y: 1}}},
	} {
		path := filepath.Join(t.TempDir(), "x.svg")
		if err := c.Save(path); !errors.Is(err, ErrEmpty) {
			t.Errorf("%+v: %v", c, err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("a failed chart left a file")
		}
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.svg", "b.PDF"} {
		if err := sizes().Save(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if err := CheckPath("out.png"); err == nil || !strings.Contains(err.Error(), "rsvg-convert out.svg -o out.png") {
		t.Errorf("png: %v", err)
	}
	if err := CheckPath(filepath.Join(dir, "missing", "out.svg")); err == nil {
		t.Error("a missing directory was accepted")
	}
}

func TestTicks(t *testing.T) {
	small, large := func(string) float64 { return 18 }, func(label string) float64 { return Width(label, textSize, false) + 5 }
	for _, c := range []struct {
		axis  Axis
		from  []float64
		up    bool
		room  func(string) float64
		want  string
		title string
	}{
		{Axis{"message size", "bytes", Sizes}, []float64{0, 1, 4 << 20}, false, large, "0 B,1 B,4 B,16 B,64 B,256 B,1 KB,4 KB,16 KB,64 KB,256 KB,1 MB,4 MB", "message size"},
		{Axis{"processes", "", Sizes}, []float64{16, 256}, false, large, "16,32,64,128,256", "processes"},
		{Axis{"time", "us", Log}, []float64{0.2, 150}, true, small, "0.2,0.5,1,2,5,10,20,50,100,200", "time (µs)"},
		{Axis{"time", "us", Log}, []float64{0.4, 150_000}, true, small, "0.3,1,3,10,30,100,300,1000,3000,10,000,30,000,100,000", "time (µs)"},
		{Axis{"time", "us", Log}, []float64{95, 105}, true, small, "60,80,100,120,140,160,180,200", "time (µs)"},
		{Axis{"bandwidth", "MB/s", Linear}, []float64{900, 21_000}, true, small, "0,5000,10,000,15,000,20,000,25,000", "bandwidth (MB/s)"},
		{Axis{"receives", "", Linear}, []float64{0, 2}, true, small, "0,1,2", "receives"},
	} {
		r := ruler{Axis: c.axis, from: 60, to: 700}
		for _, v := range c.from {
			r.see(v)
		}
		if r.across(); c.up {
			r = ruler{Axis: c.axis, from: 400, to: 100}
			for _, v := range c.from {
				r.see(v)
			}
			r.upwards()
		}
		var labels []string
		for _, tick := range r.ticks(c.room) {
			if tick.label != "" {
				labels = append(labels, tick.label)
			}
		}
		if got := strings.Join(labels, ","); got != c.want || r.title() != c.title {
			t.Errorf("%v over %v: %s (%s)\nwant %s (%s)", c.axis, c.from, got, r.title(), c.want, c.title)
		}
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{"7 us": "7 µs", "2us a": "2µs a", "time (us)": "time (µs)", "bus, 7 uses": "bus, 7 uses"} {
		if got := Spell(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := Wrap("a bb ccc", 10, Width("a bb", 10, false), false); !slices.Equal(got, []string{"a bb", "ccc"}) {
		t.Errorf("%q", got)
	}
	for n, want := range map[int]string{0: "0 B", 1000: "1000 B", 1024: "1 KB", 1536: "1536 B", 3 << 20: "3 MB", 1 << 30: "1 GB"} {
		if got := SizeText(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
