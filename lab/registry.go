package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/spell"
)

// Experiment makes a figure again.
type Experiment struct {
	ID string
	// Lengthy ones take longer than all others together: short tests and sweeps leave them out.
	Lengthy bool
	// Explain tells what the figure shows and why, in two paragraphs.
	Explain [2]string
	// Run measures and returns a result that has been held against the figure's bars.
	Run func(ctx context.Context, b *Bench) (*Result, error)
	// Timeline runs the smallest program that shows the point, and returns what happened when. It may be nil.
	Timeline func(ctx context.Context, b *Bench) (*Timeline, error)
}

// Status says whether a figure can be made now.
type Status string

// The statuses of a figure.
const (
	Built    Status = "built"
	NotYet   Status = "not yet built"
	NotEver  Status = "not regenerable"
	unknowns        = 3 // most suggestions in an error
)

// ErrUnknown is the class of errors about ids that name no figure, or several.
var ErrUnknown = errors.New("unknown figure")

// Registry is the catalogue with experiments attached.
type Registry struct {
	figures     []Figure
	experiments map[string]Experiment
}

// NewRegistry attaches experiments to the catalogue. It fails if one has no figure or a figure has two.
func NewRegistry(experiments []Experiment) (*Registry, error) {
	g := &Registry{figures: Figures(), experiments: map[string]Experiment{}}
	for _, e := range experiments {
		if _, ok := g.exact(e.ID); !ok {
			return nil, fmt.Errorf("%w: an experiment is attached to %q", ErrUnknown, e.ID)
		}
		if _, twice := g.experiments[e.ID]; twice {
			return nil, fmt.Errorf("two experiments are attached to %s", e.ID)
		}
		g.experiments[e.ID] = e
	}
	return g, nil
}

// Figures lists the catalogue, document after document, in the order of their text.
func Figures() []Figure {
	return slices.Concat(thesis, thesisReuse, journal, collectives, overlap, channels)
}

// Figures lists the catalogue.
func (g *Registry) Figures() []Figure { return slices.Clone(g.figures) }

// Experiment returns what makes a figure: its own experiment, or that of the figure it is the same as.
func (g *Registry) Experiment(f Figure) (Experiment, bool) {
	e, ok := g.experiments[f.ID]
	if !ok && f.Same != "" {
		e, ok = g.experiments[f.Same]
	}
	return e, ok
}

// Own tells whether a figure has an experiment of its own.
func (g *Registry) Own(f Figure) bool {
	_, ok := g.experiments[f.ID]
	return ok
}

// Status says whether a figure can be made.
func (g *Registry) Status(f Figure) Status {
	if _, ok := g.Experiment(f); ok {
		return Built
	}
	if f.Can(Never) {
		return NotEver
	}
	return NotYet
}

func (g *Registry) exact(id string) (Figure, bool) {
	i := slices.IndexFunc(g.figures, func(f Figure) bool { return f.ID == id })
	if i < 0 {
		return Figure{}, false
	}
	return g.figures[i], true
}

// Find returns the figure that a user means: by its id in any case, with the document's number also where the id has
// none (000.F3.3), in words (figure 3.3, table 5.1), without the document's number where only one document has such a
// figure, and with the letter of a part (F3.3a). Otherwise the error suggests what is near.
func (g *Registry) Find(word string) (Figure, error) {
	id := canonical(word)
	for _, try := range []string{id, strings.TrimRight(id, "abcdefg")} {
		if f, ok := g.exact(try); ok {
			return f, nil
		}
		if f, ok, err := g.short(try, word); ok || err != nil {
			return f, err
		}
	}
	return Figure{}, fmt.Errorf("%w %q%s; `weft lab list` shows them all", ErrUnknown, word, spell.Hint(id, g.ids(), unknowns))
}

// short finds the one figure outside the first document whose id ends in try.
func (g *Registry) short(try, word string) (Figure, bool, error) {
	var found []Figure
	for _, f := range g.figures {
		if try != "" && f.ID == f.Document()+"."+try {
			found = append(found, f)
		}
	}
	switch len(found) {
	case 0:
		return Figure{}, false, nil
	case 1:
		return found[0], true, nil
	}
	var ids []string
	for _, f := range found {
		ids = append(ids, f.ID)
	}
	return Figure{}, false, fmt.Errorf("%w %q: say which, %s", ErrUnknown, word, strings.Join(ids, " or "))
}

// canonical brings what a user types into the form of our ids.
func canonical(word string) string {
	id := strings.ToUpper(strings.TrimSpace(word))
	doc := ""
	if len(id) > 4 && id[3] == '.' && strings.Trim(id[:3], "0123456789") == "" {
		doc, id = id[:4], id[4:]
	}
	for _, p := range []struct{ from, to string }{{"FIGURE", "F"}, {"FIG.", "F"}, {"FIG", "F"}, {"TABLE", "T"}, {"TAB.", "T"}} {
		if rest, ok := strings.CutPrefix(id, p.from); ok {
			id = p.to + strings.TrimLeft(rest, " -")
			break
		}
	}
	if id != "" && id[0] >= '0' && id[0] <= '9' {
		id = "F" + id
	}
	if doc == "000." {
		doc = ""
	}
	if n := len(id); n > 1 && id[n-1] >= 'A' && id[n-1] <= 'G' {
		id = id[:n-1] + strings.ToLower(id[n-1:])
	}
	return doc + id
}

// ids lists the ids of all figures.
func (g *Registry) ids() (all []string) {
	for _, f := range g.figures {
		all = append(all, f.ID)
	}
	return all
}
