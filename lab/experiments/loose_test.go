package experiments

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/lab"
)

// looseFile is what is still to be done, one "ID: what" per line: predictions that leave one side open, or
// more than 35%, and do not say why; and values that a profile says were fitted to a figure none of whose
// bars says so. Nothing adds to it, and -rewrite takes out what is mended.
const looseFile = "testdata/loose.txt"

// looseBars is that list, and which of it were met.
type looseBars struct {
	listed []string
	met    map[string]bool
}

func readLoose(t *testing.T) *looseBars {
	t.Helper()
	text, err := os.ReadFile(looseFile)
	if err != nil {
		t.Fatal(err)
	}
	return &looseBars{listed: strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' }), met: map[string]bool{}}
}

// hold fails if a result has something that is not on the list.
func (l *looseBars) hold(t *testing.T, r *lab.Result) {
	t.Helper()
	for _, c := range r.Checks {
		if how := c.Loose(); how != "" && !l.meets(r.ID+": "+c.Bar) {
			t.Errorf("%s: %s is a prediction with %s: hold it by Within what the document states, or say with Since what the document leaves open", r.ID, c.Bar, how)
		}
	}
	for _, value := range unsaid(r) {
		if !l.meets(r.ID + ": " + value) {
			t.Errorf("%s: %s was fitted to this figure, says the profile, but no check of it is held as Fitted and names it with By", r.ID, value)
		}
	}
}

// meets notes that something was seen, and tells whether it is on the list.
func (l *looseBars) meets(name string) bool {
	l.met[name] = true
	return slices.Contains(l.listed, name)
}

// unsaid lists the values of a result's models that were fitted to its figure though no bar says so.
func unsaid(r *lab.Result) (values []string) {
	for _, m := range lab.ModelsOf(r) {
		for _, v := range m.Values {
			said := slices.ContainsFunc(r.Checks, func(c lab.Check) bool { return slices.Contains(c.FittedBy, v.Name) })
			if v.How == sim.Fitted && slices.Contains(v.Figures, r.ID) && !said {
				values = append(values, v.Name+" of "+m.Name)
			}
		}
	}
	return values
}

// shrink takes what is mended off the list, or complains about it.
func (l *looseBars) shrink(t *testing.T) {
	t.Helper()
	still := slices.DeleteFunc(slices.Clone(l.listed), func(name string) bool { return !l.met[name] })
	switch {
	case len(still) == len(l.listed):
	case *rewrite:
		if err := os.WriteFile(looseFile, []byte(strings.Join(append(still, ""), "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s: %d of %d are mended: run go test ./lab/experiments -rewrite", looseFile, len(l.listed)-len(still), len(l.listed))
	}
}

// TestUnsaid: a fitted value is missed where the profile names the figure, and only there.
func TestUnsaid(t *testing.T) {
	profile, err := sim.LoadProfile("ne020-r805")
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range profile.Parameters {
		for _, figure := range p.Figures {
			r := &lab.Result{ID: figure, Platform: []string{"sim:ne020-r805"}}
			if slices.Contains(unsaid(r), name+" of ne020-r805") != (p.How == sim.Fitted) {
				t.Errorf("%s is %s by %v; of %s nobody says %v", name, p.How, p.Figures, figure, unsaid(r))
			}
			r.Hold(lab.Fitted, lab.Exactly("x", 1, 1, "").By(name))
			if slices.Contains(unsaid(r), name+" of ne020-r805") {
				t.Errorf("%s: it is said, and missed", name)
			}
		}
	}
	if all := unsaid(&lab.Result{ID: "F9.9", Platform: []string{"sim:ne020-r805"}}); all != nil {
		t.Errorf("fitted to a figure that there is not: %v", all)
	}
}

// holdAgainstCatalogue: a bar that points at a claim points at one that its figure has, and a bar that is fitted names
// parameters that there are, or a reading of the document in words.
func holdAgainstCatalogue(t *testing.T, r *lab.Result) {
	t.Helper()
	figures := lab.Figures()
	f := figures[slices.IndexFunc(figures, func(f lab.Figure) bool { return f.ID == r.ID })]
	for _, c := range r.Checks {
		if claims := f.Claimed(c); c.Claim != "" && len(claims) != 1 {
			t.Errorf("%s: %q is in %d claims of %s, want one of %q", c.Bar, c.Claim, len(claims), f.ID, f.Claims)
		}
		for _, by := range c.FittedBy {
			if !strings.Contains(by, " ") && !slices.Contains(sim.ParameterNames(), by) {
				t.Errorf("%s: fitted by %q, which is no parameter of a profile", c.Bar, by)
			}
		}
	}
}
