package draw

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/lab"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

// golden compares with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; if that is meant, run go test -rewrite and look at the diff. Now:\n%s", path, got)
	}
}

func panel() *lab.Panel {
	p := &lab.Panel{Title: "MPI latency <a & b>", X: lab.Bytes, Y: lab.Microseconds}
	for i, name := range []string{"iWARP", "InfiniBand"} {
		for size := 1.0; size <= 1<<20; size *= 32 {
			p.Line(name).Add(size, float64(2-i)*(3+size/1000))
		}
	}
	p.Line("InfiniBand").Add(0, 5)
	p.Line("InfiniBand").Add(2, -1) // no height on a logarithmic axis
	p.ClaimAt("7 us", 1, 7)
	p.Claim("link", 900)
	return p
}

func TestPanelGolden(t *testing.T) {
	var b bytes.Buffer
	if err := Panel(&b, panel(), "svg"); err != nil {
		t.Fatal(err)
	}
	golden(t, "panel.svg", b.Bytes())
	for _, want := range []string{">0 B<", ">1 B<", ">64 B<", ">1 KB<", ">64 KB<", ">1 MB<", "iWARP", "stated in the document", "7 µs", "time (µs)", "message size"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in the diagram", want)
		}
	}
}

func TestPDFAndErrors(t *testing.T) {
	var b bytes.Buffer
	if err := Panel(&b, panel(), "pdf"); err != nil || !bytes.HasPrefix(b.Bytes(), []byte("%PDF")) {
		t.Errorf("%v, begins with %q", err, b.Bytes()[:min(b.Len(), 8)])
	}
	if err := Panel(io.Discard, panel(), "bmp"); err == nil {
		t.Error("a strange format was drawn")
	}
	for _, empty := range []*lab.Panel{{}, {X: lab.Bytes, Series: []*lab.Series{{Points: []lab.Point{{X: -1}}}}}} {
		if err := Panel(io.Discard, empty, "svg"); !errors.Is(err, ErrEmpty) {
			t.Errorf("an empty panel: %v", err)
		}
	}
	same := &lab.Panel{X: lab.Bytes, Y: lab.Percent, Series: []*lab.Series{{Points: []lab.Point{{X: 8, Y: 0}}}}}
	if err := Panel(io.Discard, same, "svg"); err != nil {
		t.Errorf("a single point: %v", err)
	}
}

func TestInline(t *testing.T) {
	svg, err := Inline(panel())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(svg, `<svg xmlns="http://www.w3.org/2000/svg" class="plot" `) || !strings.Contains(svg, ` aria-label="MPI latency &lt;a &amp; b&gt;"`) {
		t.Errorf("begins with %q", svg[:min(len(svg), 200)])
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	two := &lab.Result{ID: "F3.5", Panels: []*lab.Panel{panel(), panel()}}
	one := &lab.Result{ID: "F3.3", Panels: []*lab.Panel{panel()}}
	words := &lab.Result{ID: "F2.1"}
	var names []string
	for _, r := range []*lab.Result{two, one, words} {
		n, err := Save(dir, r)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, n...)
	}
	if want := []string{"F3.5-a.svg", "F3.5-a.pdf", "F3.5-b.svg", "F3.5-b.pdf", "F3.3.svg", "F3.3.pdf"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != len(names)+6 {
		t.Errorf("%d files, %v", len(files), err)
	}
}

func timeline() *lab.Timeline {
	return &lab.Timeline{Title: "a <long> message", Lanes: []string{"rank 0", "rank 1"},
		Spans: []lab.Span{{Rank: 0, From: 1000, To: 1500, What: "call"}, {Rank: 0, From: 1500, To: 9000, What: "compute"}, {Rank: 1, From: 1200, To: 12000, What: "blocking call"}},
		Arrows: []lab.Arrow{{From: 0, To: 1, Sent: 1400, Received: 2700, Landed: 1900, What: "RTS"}, {From: 1, To: 0, Sent: 3000, Received: 4300, What: "CTS"},
			{From: 0, To: 1, Sent: 9000, Received: 11000, What: "write", Bytes: 1 << 20}}}
}

func TestTimelineGolden(t *testing.T) {
	var svg, text bytes.Buffer
	if err := errors.Join(Timeline(&svg, timeline()), Story(&text, timeline())); err != nil {
		t.Fatal(err)
	}
	golden(t, "timeline.svg", svg.Bytes())
	golden(t, "timeline.txt", text.Bytes())
	if err := xml.Unmarshal(svg.Bytes(), new(struct{})); err != nil {
		t.Errorf("the drawing is no XML: %v", err)
	}
	if err := errors.Join(Timeline(io.Discard, &lab.Timeline{}), Story(io.Discard, &lab.Timeline{})); err != nil {
		t.Errorf("nothing happened: %v", err)
	}
}

// TestFlow: every state and move of a machine is in its drawing, and moves that lead in a circle do no harm.
func TestFlow(t *testing.T) {
	f := &lab.Flow{Title: "a <machine>"}
	for _, m := range []lab.FlowMove{{From: "idle", To: "queued", Event: "posted", Does: "send RTR"}, {From: "queued", To: "complete", Event: "EAGER arrives"}, {From: "idle", To: "queued", Event: "posted", Does: "send RTR"}} {
		f.Add(m)
	}
	if depth, straight := f.Depths(); len(f.Moves) != 2 || !straight || depth["complete"] != 2 || !slices.Equal(f.Dead(), []string{"complete"}) {
		t.Errorf("%v, %v, %v", depth, straight, f.Dead())
	}
	var b bytes.Buffer
	if err := Flow(&b, f); err != nil {
		t.Fatal(err)
	}
	golden(t, "flow.svg", b.Bytes())
	f.Add(lab.FlowMove{From: "complete", To: "idle", Event: "again"})
	if _, straight := f.Depths(); straight || len(f.Dead()) != 0 {
		t.Error("a circle was not seen")
	}
	if err := Flow(io.Discard, f); err != nil {
		t.Error(err)
	}
}

// TestTalliesGolden: what was missed has its own piece, and many checks do not leave the drawing.
func TestTalliesGolden(t *testing.T) {
	var b bytes.Buffer
	documents := []lab.Tally{
		{Document: "000", Counts: lab.Counts{lab.Prediction: {Kept: 150, All: 212}, lab.Input: {Kept: 18, All: 18}, lab.Structural: {Kept: 35, All: 35}}},
		{Document: "003", Counts: lab.Counts{lab.Prediction: {Kept: 23, All: 31}, lab.Fitted: {Kept: 5, All: 6}}},
	}
	if err := Tallies(&b, documents); err != nil {
		t.Fatal(err)
	}
	golden(t, "tallies.svg", b.Bytes())
	for all := 1; all < 1e6; all *= 10 {
		documents[0].Counts[lab.Structural] = lab.Count{Kept: all, All: all}
		scale, wide := tallyScale(documents), float64(2*edge+tallyName+3*tallyGap)
		for _, kind := range lab.Kinds() {
			wide += tallyColumn(documents, kind, scale)
		}
		if wide > tallyWide && scale > 0.01 {
			t.Errorf("%d checks take %g of %d points", all, wide, tallyWide)
		}
	}
}
