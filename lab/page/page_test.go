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
	good.Hold(lab.Prediction, lab.AtLeast("enough", 2, 3, "us").Since("a <vague> word"))
	good.Hold(lab.Fitted, lab.Within("shape", 2, 2.1, 10, "us").By("rest_us"))
	good.Hold(lab.Structural, lab.Exactly("boxes", 2, 2, ""))
	bad := &lab.Result{ID: "F3.3", Title: "MPI latency", Command: "weft lab run F3.3 --set a=<b>", Version: "x", Platform: []string{"sim:ne020"}, Quick: true}
	p := bad.AddPanel("Latency", lab.Bytes, lab.Microseconds)
	p.Line("iWARP").Add(1, 7)
	p.Line("iWARP").Add(1024, 9)
	bad.AddPanel("Empty", lab.Bytes, lab.Microseconds)
	bad.AddTable("Words", "a", "b").Add("<c>", "d")
	bad.Note("mean", 8, "us")
	bad.Hold(lab.Prediction, lab.AtMost("latency", 5, 7, "us").Because("model limit: <none>").Says("7 us iWARP"), lab.Exactly("steady", 7, 7, "us"))
	bad.Hold(lab.Input, lab.Exactly("given", 7, 7, "us"))
	bad.Timeline = &lab.Timeline{Title: "A message", Lanes: []string{"rank 0", "rank 1"}, Arrows: []lab.Arrow{{From: 0, To: 1, Sent: 0, Received: 1000, What: "EAGER"}}}
	return Contents{Registry: g, Results: []*lab.Result{bad, good}, Sweep: swept(), Made: "Made by a test."}
}

// swept is a sweep that knows of two bars, one of which changes sides.
func swept() *lab.Sweep {
	leans := []lab.Lean{
		{Profile: "ne020", Parameter: "hop_us", How: "assumed", Less: &lab.Effect{Value: 0.8, Moved: -30, Flips: true, Ours: "4.9 us"}, More: &lab.Effect{Value: 1.2, Moved: 30}},
		{Profile: "ne020", Parameter: "ack_us", How: "assumed", More: &lab.Effect{Value: 2, Moved: 3}},
	}
	return &lab.Sweep{Command: "weft lab sweep", Made: "2026-11-18", Version: "x", By: 20, Least: 2, Runs: 5, Left: []string{"F5.9", "F3.8"}, Figures: []lab.SweptFigure{{ID: "F3.3",
		Bars: []lab.SweptBar{{Bar: "latency", Kind: lab.Input, Ours: "7 us", Leans: leans}, {Bar: "steady", Kind: lab.Prediction, Pass: true, Ours: "7 us"}}}}}
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
	if !strings.Contains(page, "2 results. 4 of 146 figures and tables can be run.") {
		t.Error("the sum is missing")
	}
}

// TestPredictionsComeFirst: the first number is that of predictions, the other kinds stand beside it with
// what they mean, then comes what was missed with the reason, and only then the figures.
func TestPredictionsComeFirst(t *testing.T) {
	page := write(t, contents(t))
	_, body, _ := strings.Cut(page, "<body>")
	at := -1
	for _, want := range []string{"<b>2 of 3</b> predictions kept", "<td>input</td><td class=\"count\">1 of 1</td><td>" + lab.Input.Means(),
		"<td>structural</td><td class=\"count\">1 of 1</td>", "<td>fitted</td><td class=\"count\">1 of 1</td>", "Checks kept and missed",
		`<h2 id="misses">`, "latency</span>", "model limit: &lt;none&gt;", `<h2 id="leans">`, `<section id="fig-F3-3"`, `<h2 id="values">`} {
		next := strings.Index(body, want)
		if next <= at {
			t.Errorf("%q is at %d, what comes before it at %d", want, next, at)
		}
		at = next
	}
	if misses, _, _ := strings.Cut(body, `<h2 id="leans">`); strings.Count(misses, `<details class="bar">`) != 1 {
		t.Error("one check was missed, another number is shown")
	}
	none := write(t, Contents{Registry: contents(t).Registry, Made: "x"})
	if !strings.Contains(none, "<b>No</b> predictions") || !strings.Contains(none, "No sweep is at hand") || strings.Contains(none, "What was missed") {
		t.Error("a page without results does not say so")
	}
}

// TestBarsOpenToTheirEvidence: a bar's row has the statement, its place, the command, what the bar was
// fitted by, why it is loose, and the values it leans on with a link to each.
func TestBarsOpenToTheirEvidence(t *testing.T) {
	page := write(t, contents(t))
	rows := strings.Split(section(page, "F3.3"), `<details class="bar">`)[1:]
	if len(rows) != 3 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, want := range []string{"<dd>7 µs iWARP, 1.5 µs InfiniBand, 3 µs Myrinet, 13 µs plain 10GE</dd>", "document 000, section 3.3.2, figure 3.3",
		"<code>weft lab run F3.3 --set a=&lt;b&gt;</code>", `<a href="#value-ne020-hop_us">hop_us</a> of ne020 (assumed): 0.8 changes sides (4.9 µs), 1.2 moves it by &#43;30%`,
		`<a href="#model-ne020">ne020</a>: ` + lab.ModelsOf(contents(t).Results...)[0].Sources()} {
		if !strings.Contains(rows[0], want) {
			t.Errorf("no %q in\n%s", want, rows[0])
		}
	}
	_, flips, _ := strings.Cut(page, "Checks that change sides")
	if flips, _, _ = strings.Cut(flips, "<h3>"); !strings.Contains(flips, `<span class="soft">prediction</span>`) || strings.Contains(flips, "steady") {
		t.Errorf("the sweep was made when the check was of another kind, and one check changes sides:\n%s", flips)
	}
	if !strings.Contains(page, "<code>F5.9</code>, <code>F3.8</code>") {
		t.Error("the page does not say what the sweep left out")
	}
	if !strings.Contains(rows[1], "none of the assumed and fitted values moves it") || strings.Contains(rows[2], "none of the assumed") {
		t.Errorf("what the sweep says of the others:\n%s\n%s", rows[1], rows[2])
	}
	for _, want := range []string{"a &lt;vague&gt; word", "<dt>fitted by</dt><dd>rest_us</dd>", "<dt>note</dt><dd>&#43;5.0%</dd>"} {
		if !strings.Contains(section(page, "F5.4"), want) {
			t.Errorf("no %q in\n%s", want, section(page, "F5.4"))
		}
	}
	for _, link := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if !strings.Contains(page, `id="`+link[1]+`"`) {
			t.Errorf("a link leads to %s, which there is not", link[1])
		}
	}
}

// TestFigureComesFirst: a result's diagram stands before its words, and what was not run is folded away
// below all results.
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

// sources are counts of a model's values, which change with its profile.
var sources = regexp.MustCompile(`\d+ stated, [^<]*`)

func TestSectionGolden(t *testing.T) {
	part := picture.ReplaceAllString(section(write(t, contents(t)), "F3.3"), "$1>...</svg>")
	part = sources.ReplaceAllString(part, "...")
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
