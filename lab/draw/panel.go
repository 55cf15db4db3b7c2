// Package draw turns results of the lab into diagrams, and timelines and state machines into drawings and text.
//
// It owns which parts of a result become which parts of a drawing. It promises that the same result gives the same
// bytes. It must not know where numbers come from, nor how lines, words and colours look (internal/chart).
package draw

import (
	"fmt"
	"io"
	"strings"

	"github.com/weft-mpi/weft/internal/chart"
	"github.com/weft-mpi/weft/lab"
)

// ErrEmpty says that a panel has nothing that its axes can show.
var ErrEmpty = chart.ErrEmpty

// Panel draws one diagram in a format, one of [chart.Formats].
func Panel(w io.Writer, p *lab.Panel, format string) error {
	c := &chart.Chart{Title: p.Title, X: axis(p.X), Y: axis(p.Y), Marked: "stated in the document"}
	for _, s := range p.Series {
		line := chart.Line{Name: s.Name}
		for _, pt := range s.Points {
			line.Points = append(line.Points, chart.Point{X: pt.X, Y: pt.Y})
		}
		c.Lines = append(c.Lines, line)
	}
	for _, m := range p.Marks {
		c.Marks = append(c.Marks, chart.Mark{Text: m.Text, X: m.X, Y: m.Y, Everywhere: m.Everywhere})
	}
	if err := c.Write(w, format); err != nil {
		return fmt.Errorf("%s: %w", p.Title, err)
	}
	return nil
}

func axis(a lab.Axis) chart.Axis {
	scale := map[lab.Scale]chart.Scale{lab.Log: chart.Log, lab.Sizes: chart.Sizes}[a.Scale]
	return chart.Axis{Label: a.Label, Unit: a.Unit, Scale: scale}
}

// Inline returns a diagram as an element to put into a page.
func Inline(p *lab.Panel) (string, error) {
	var b strings.Builder
	err := Panel(&b, p, "svg")
	return b.String(), err
}

// Suffixes are the ends of the names of a figure's files: none for a single panel, -a, -b ... for several.
func Suffixes(panels int) []string {
	if panels == 1 {
		return []string{""}
	}
	var all []string
	for i := range panels {
		all = append(all, "-"+string(rune('a'+i)))
	}
	return all
}
