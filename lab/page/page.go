// Package page writes the lab's results as one HTML page that needs nothing but itself: pictures are in it,
// and so is the style, for light and dark screens and for small ones.
//
// It owns layout and wording of the page. It promises that the first thing said is how many predictions
// were kept, that what was missed comes before what was kept, that every bar can be opened down to its
// evidence, that every figure of the catalogue has its place, whether there is a result or not, and that
// nothing is loaded from elsewhere. It must not measure anything.
package page

import (
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/weft-mpi/weft/internal/chart"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/draw"
)

//go:embed page.html
var layout string

//go:embed page.css
var style string

var form = template.Must(template.New("page").Funcs(template.FuncMap{
	"spell": chart.Spell, "anchor": Anchor, "valueAnchor": valueAnchor, "style": func() template.CSS { return template.CSS(style) },
}).Parse(layout))

// Contents is what a page is made of.
type Contents struct {
	Registry *lab.Registry
	Results  []*lab.Result
	Sweep    *lab.Sweep // what bars lean on; nil: nobody knows
	Made     string     // when and by what, for the last line
}

// sheet is the page as the layout wants it.
type sheet struct {
	Total     lab.Tally
	Picture   template.HTML // of the counts
	Kinds     []kind
	Misses    []bar
	Documents []document
	Sweep     *sweep
	Models    []lab.Model
	Made      string
	Built     int
	Figures   int
}

// kind is one kind of bars, its count and what that means.
type kind struct {
	Name, Means string
	Count       lab.Count
}

type document struct {
	lab.Document
	Counts        lab.Counts
	Shown, Others []entry // with a result, and without one
}

// entry is one figure.
type entry struct {
	lab.Figure
	Anchor   string
	Status   string
	Class    string // of the status: pass, fail, none
	Kept     string // checks that pass, by kind
	Result   *lab.Result
	Bars     []bar
	Demands  []string // what a result must show
	Plots    []template.HTML
	Timeline template.HTML
	Explain  []string
	Ways     string // in words
}

// bar is a check with its evidence.
type bar struct {
	lab.Check
	lab.Evidence
	Figure string // its id, where the bar stands away from its figure
	Quick  bool
}

// Write writes the page.
func Write(w io.Writer, c Contents) error {
	s, err := c.sheet()
	if err != nil {
		return err
	}
	return form.Execute(w, s)
}

func (c Contents) sheet() (*sheet, error) {
	s := &sheet{Made: c.Made, Models: lab.ModelsOf(c.Results...), Sweep: c.sweep()}
	documents, total := lab.Tallies(c.Results)
	s.Total = total
	var b strings.Builder
	if err := draw.Tallies(&b, documents); err != nil {
		return nil, err
	}
	s.Picture = template.HTML(b.String()) // our own drawing; its texts are escaped there
	for _, k := range lab.Kinds() {
		s.Kinds = append(s.Kinds, kind{string(k), k.Means(), total.Counts[k]})
	}
	byID := map[string]*lab.Result{}
	for _, r := range c.Results {
		byID[r.ID] = r
	}
	for _, d := range lab.Documents() {
		doc := document{Document: d, Counts: countsOf(documents, d.ID)}
		for _, f := range c.Registry.Figures() {
			if f.Document() != d.ID {
				continue
			}
			e, err := c.entry(f, byID)
			if err != nil {
				return nil, err
			}
			s.add(&doc, e, c.Registry.Status(f) == lab.Built)
		}
		s.Documents = append(s.Documents, doc)
	}
	return s, nil
}

// add puts a figure to its document, and what it missed to the misses.
func (s *sheet) add(doc *document, e entry, built bool) {
	s.Figures++
	if built {
		s.Built++
	}
	if e.Result == nil {
		doc.Others = append(doc.Others, e)
		return
	}
	doc.Shown = append(doc.Shown, e)
	for _, b := range e.Bars {
		if !b.Pass {
			b.Figure = e.ID
			s.Misses = append(s.Misses, b)
		}
	}
}

func countsOf(documents []lab.Tally, id string) lab.Counts {
	for _, t := range documents {
		if t.Document == id {
			return t.Counts
		}
	}
	return nil
}

func (c Contents) entry(f lab.Figure, byID map[string]*lab.Result) (entry, error) {
	e := entry{Figure: f, Anchor: Anchor(f.ID), Ways: strings.Join(f.Ways(), ", "), Result: byID[f.ID], Demands: f.Bars}
	if e.Result == nil && f.Same != "" && byID[f.Same] != nil {
		e.Status, e.Class, e.Kept = outcome(byID[f.Same])
		return e, nil
	}
	if e.Result == nil {
		e.Status, e.Class = string(c.Registry.Status(f)), "none"
		if e.Status == string(lab.Built) {
			e.Status = "not run"
		}
		return e, nil
	}
	e.Status, e.Class, e.Kept = outcome(e.Result)
	for _, check := range e.Result.Checks {
		e.Bars = append(e.Bars, bar{Check: check, Evidence: lab.EvidenceOf(f, e.Result, check, c.Sweep), Quick: e.Result.Quick})
	}
	if x, ok := c.Registry.Experiment(f); ok {
		for _, text := range x.Explain {
			if text != "" {
				e.Explain = append(e.Explain, text)
			}
		}
	}
	if t := e.Result.Timeline; t != nil {
		var b strings.Builder
		if err := draw.Timeline(&b, t); err != nil {
			return e, err
		}
		e.Timeline = template.HTML(b.String()) // our own drawing; its texts are escaped there
	}
	return e, e.draw()
}

func (e *entry) draw() error {
	for _, p := range e.Result.Panels {
		svg, err := draw.Inline(p)
		switch {
		case errors.Is(err, draw.ErrEmpty):
			continue
		case err != nil:
			return fmt.Errorf("%s: %w", e.ID, err)
		}
		e.Plots = append(e.Plots, template.HTML(svg)) // our own drawing; its texts are escaped there
	}
	if f := e.Result.Flow; f != nil {
		var b strings.Builder
		if err := draw.Flow(&b, f); err != nil {
			return fmt.Errorf("%s: %w", e.ID, err)
		}
		e.Plots = append(e.Plots, template.HTML(b.String())) // as above
	}
	return nil
}

// outcome is the verdict on a result.
func outcome(r *lab.Result) (status, class, checks string) {
	counts := r.Count()
	checks = counts.String()
	switch all, missed := counts.Bars(); {
	case all == 0:
		return "no checks", "none", ""
	case missed == 0:
		return "pass", "pass", checks
	}
	return "fail", "fail", checks
}

// SameAnchor is the place of the figure whose experiment this one shares.
func (e entry) SameAnchor() string { return Anchor(e.Same) }

// Anchor is the name of a figure's place on the page.
func Anchor(id string) string { return "fig-" + strings.ReplaceAll(id, ".", "-") }

// valueAnchor is the name of the place of a model's value.
func valueAnchor(model, value string) string {
	return "value-" + strings.NewReplacer(".", "-", "/", "-").Replace(model) + "-" + value
}
