package lab

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/verbs/sim"
)

// Evidence is what one needs to judge a bar: where the document says it, which command makes it, and what
// the model takes for granted.
type Evidence struct {
	Place   string   // of the figure, in its document
	Claims  []string // what the document states there
	Command string   // that makes the bar again
	Models  []Model  // that it ran on
	Swept   bool     // the sweep has this bar
	Leans   []Lean   // values that decide about it or move it, by the sweep; the greatest effect first
}

// EvidenceOf collects what there is about a bar of a result. The sweep may be nil.
func EvidenceOf(f Figure, r *Result, c Check, s *Sweep) Evidence {
	e := Evidence{Place: f.Place(), Claims: f.Claimed(c), Command: r.Command, Models: ModelsOf(r)}
	if s != nil {
		if bar := s.Bar(r.ID, c.Bar); bar != nil {
			e.Swept, e.Leans = true, bar.Leans
		}
	}
	return e
}

// Model is a profile that a result was made on, with its values: first what a document states, last what
// had to be assumed.
type Model struct {
	Name, Title string
	Values      []Value
}

// Value is a parameter of a model.
type Value struct {
	Name string
	sim.Param
}

// sources orders where values come from by how well they are founded.
var sources = []sim.How{sim.Stated, sim.Measured, sim.Fitted, sim.Assumed}

// ModelsOf lists the models that results were made on, each once, by name. One that cannot be read any more
// has no values, and its title says why.
func ModelsOf(results ...*Result) []Model {
	var names []string
	for _, r := range results {
		for _, p := range r.Platform {
			if name := Platform(p).Profile(); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	var models []Model
	for _, name := range names {
		models = append(models, modelOf(name))
	}
	return models
}

func modelOf(name string) Model {
	p, err := sim.LoadProfile(name)
	if err != nil {
		return Model{Name: name, Title: err.Error()}
	}
	m := Model{Name: name, Title: p.Title}
	for _, parameter := range sim.ParameterNames() {
		m.Values = append(m.Values, Value{parameter, p.Parameters[parameter]})
	}
	slices.SortStableFunc(m.Values, func(a, b Value) int {
		return cmp.Compare(slices.Index(sources, a.How), slices.Index(sources, b.How))
	})
	return m
}

// Sources counts the values by where they come from, such as "12 stated, 5 measured, 3 fitted, 30 assumed".
func (m Model) Sources() string {
	var parts []string
	for _, how := range sources {
		n := 0
		for _, v := range m.Values {
			if v.How == how {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, how))
		}
	}
	return strings.Join(parts, ", ")
}

// Effects says what other values of the parameter do to the bar, such as "0.8 moves it by -3%, 1.2 changes
// sides (8 us)".
func (l Lean) Effects() string {
	var parts []string
	for _, e := range []*Effect{l.Less, l.More} {
		switch {
		case e == nil:
		case e.Flips:
			parts = append(parts, fmt.Sprintf("%v changes sides (%s)", e.Value, e.Ours))
		default:
			parts = append(parts, fmt.Sprintf("%v moves it by %+.0f%%", e.Value, e.Moved))
		}
	}
	return strings.Join(parts, ", ")
}
