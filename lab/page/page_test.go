package page

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/lab"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

// contents are two results, one of which fails, and a timeline.
func contents(t *testing.T) Contents {
	t.Helper()
	g, err := lab.NewRegistry([]lab.Experiment{
		{ID: "F3.3", Explain: [2]string{"First <paragraph>.", "Second."}}, {ID: "F5.4"}, {ID: "F3.5"},
	})
	if err != nil {
		t.Fatal(err)
	}
	good := &lab.Result{ID: "F5.4", Title: "Search time", Version: "x"}
	good.Hold(lab.Prediction, lab.AtLeast("enough", 2, 3, "us"))
	bad := &lab.Result{ID: "F3.3", Title: "MPI latency", Command: "weft lab run F3.3 --set a=<b>", Version: "x", Platform: []string{"sim:ne020"}, Quick: true}
	p := bad.AddPanel("Latency", lab.Bytes, lab.Microseconds)
	p.Line("iWARP").Add(1, 7)
	p.Line("iWARP").Add(1024, 9)
	bad.AddPanel("Empty", lab.Bytes, lab.Microseconds)
	bad.AddTable("Words", "a", "b").Add("<c>", "d")
	bad.Note("mean", 8, "us")
	bad.Hold(lab.Prediction, lab.AtMost("latency", 5, 7, "us"))
	bad.Timeline = &lab.Timeline{Title: "A message", Lanes: []string{"rank 0", "rank 1"}, Arrows: []lab.Arrow{{From: 0, To: 1, Sent: 0, Received: 1000, What: "EAGER"}}}
	return Contents{Registry: g, Results: []*lab.Result{bad, good}, Made: "Made by a test."}
}

func write(t *testing.T, c Contents) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// section cuts a figure's part out of the page.
func section(page, id string) string {
	_, rest, _ := strings.Cut(page, `<section id="`+Anchor(id)+`"`)
	part, _, _ := strings.Cut(rest, "</section>")
	return part
}

func TestEveryFigureHasItsPlace(t *testing.T) {
	page := write(t, contents(t))
	for _, f := range lab.Figures() {
		if n := strings.Count(page, `<section id="`+Anchor(f.ID)+`"`); n != 1 {
			t.Errorf("%s has %d sections", f.ID, n)
		}
		if n := strings.Count(page, `<td><a href="#`+Anchor(f.ID)+`">`+f.ID+`</a></td>`); n != 1 {
			t.Errorf("%s is listed %d times", f.ID, n)
		}
	}
	for id, want := range map[string]string{
		"F5.4": `<span class="pass">pass</span>`, "F3.3": `<span class="fail">fail</span>`, "001.F3": `<span class="pass">pass</span>`,
		"F3.5": `<span class="none">not run</span>`, "F1.1": "not regenerable", "004.F9": "not yet built",
	} {
		if part := section(page, id); !strings.Contains(part, want) {
			t.Errorf("%s: no %q in %s", id, want, part)
		}
	}
	if !strings.Contains(page, "1 of 2 predictions kept in 2 results. 4 of 146 figures and tables can be run.") {
		t.Error("the sum is missing")
	}
}

// TestFigureComesFirst: a result's diagram stands before its words, and what was not run is folded away below all results.
func TestFigureComesFirst(t *testing.T) {
	page := write(t, contents(t))
	part := section(page, "F3.3")
	if drawn, told := strings.Index(part, "<svg"), strings.Index(part, "<p"); drawn < 0 || drawn > told {
		t.Errorf("the diagram is at %d, the first words are at %d", drawn, told)
	}
	fold := strings.Index(page, `<details class="others">`)
	for id, run := range map[string]bool{"F3.3": true, "F5.4": true, "F3.5": false, "004.F9": false} {
		if at := strings.Index(page, `<section id="`+Anchor(id)+`"`); at < fold != run {
			t.Errorf("%s stands at %d, and what is folded away begins at %d", id, at, fold)
		}
	}
}

// picture is a drawing inside the page, which has golden files where it is made.
var picture = regexp.MustCompile(`(?s)(<svg [^>]*class="[a-z]+").*?</svg>`)

func TestSectionGolden(t *testing.T) {
	part := picture.ReplaceAllString(section(write(t, contents(t)), "F3.3"), "$1>...</svg>")
	const path = "testdata/section.html"
	if *rewrite {
		if err := os.WriteFile(path, []byte(part), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || part != string(want) {
		t.Errorf("%v; the section of a figure differs; if that is meant, run go test -rewrite and look at the diff. Now:\n%s", err, part)
	}
	for _, bad := range []string{"<c>", "<b>", "<paragraph>"} {
		if strings.Contains(part, bad) {
			t.Errorf("%s is not escaped", bad)
		}
	}
}

// TestNeedsNothingElse: the page names no other resource but a namespace and parts of itself.
func TestNeedsNothingElse(t *testing.T) {
	page := write(t, contents(t))
	for _, bad := range []string{"src=", "@import", "url(", "<script", "https:", `href="/`} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	page = strings.ReplaceAll(page, "http://www.w3.org/2000/svg", "")
	page = strings.ReplaceAll(page, "http://www.w3.org/1999/xlink", "")
	if i := strings.Index(page, "http:"); i >= 0 {
		t.Errorf("the page names an address: %s", page[i:min(i+80, len(page))])
	}
}
