package experiments

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/lab"
)

// looseFile names the predictions that leave one side open, or more than 35%, and do not yet say why, one "ID: bar" per line. It
// is what is still to be done: nothing adds to it, and -rewrite takes out what is mended.
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

// hold fails if a prediction of a result is loose and not on the list.
func (l *looseBars) hold(t *testing.T, r *lab.Result) {
	t.Helper()
	for _, c := range r.Checks {
		name, how := r.ID+": "+c.Bar, c.Loose()
		if how == "" {
			continue
		}
		if l.met[name] = true; !slices.Contains(l.listed, name) {
			t.Errorf("%s is a prediction with %s: hold it by Within what the document states, or say with Since what the document leaves open", name, how)
		}
	}
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
