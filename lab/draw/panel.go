// Package draw turns results of the lab into diagrams that a paper could print, and timelines into drawings and text.
//
// It owns size, fonts, legend and how a document's claims are marked; lines and axes look as those of weft bench. It
// promises that the same result gives the same bytes. It must not know where numbers come from.
package draw

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"strings"

	"github.com/weft-mpi/weft/internal/bench/figure"
	"github.com/weft-mpi/weft/lab"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A diagram's size: one column of a paper, twice enlarged for the screen. The legend stands below.
const (
	width      = 16 * vg.Centimeter
	height     = 9.5 * vg.Centimeter
	legendLine = 5.2 * vg.Millimeter
	columns    = 2 // of the legend
)

// ErrEmpty says that a panel has nothing that its axes can show.
var ErrEmpty = errors.New("there is nothing to draw")

// Formats lists the forms of a diagram.
var Formats = []string{"svg", "pdf"}

// Panel draws one diagram in a format.
func Panel(w io.Writer, p *lab.Panel, format string) error {
	d, err := newDiagram(p)
	if err != nil {
		return fmt.Errorf("%s: %w", p.Title, err)
	}
	total := height + vg.Length(d.legendRows())*legendLine
	var c vg.CanvasWriterTo
	switch format {
	case "svg":
		c = vgsvg.New(width, total)
	case "pdf":
		c = vgpdf.New(width, total)
	default:
		return fmt.Errorf("format %q: must be one of %s", format, strings.Join(Formats, ", "))
	}
	d.draw(draw.New(c))
	_, err = c.WriteTo(w)
	return err
}

// Inline returns a diagram as an element to put into a page: as wide as the page lets it be.
func Inline(p *lab.Panel) (string, error) {
	var b strings.Builder
	if err := Panel(&b, p, "svg"); err != nil {
		return "", err
	}
	return inline(b.String(), p.Title), nil
}

// inline leaves out what only a file of its own needs, and names the picture for those who cannot see it.
func inline(svg, title string) string {
	_, body, _ := strings.Cut(svg, "<svg")
	open, rest, _ := strings.Cut(body, ">")
	_, box, _ := strings.Cut(open, `viewBox="`)
	box, _, _ = strings.Cut(box, `"`)
	return fmt.Sprintf("<svg class=\"plot\" role=\"img\" aria-label=\"%s\" viewBox=\"%s\">%s", escape(title), box, rest)
}

// diagram is a plot with its legend beside it.
type diagram struct {
	*plot.Plot
	legends [columns]plot.Legend
	entries int
}

func newDiagram(p *lab.Panel) (*diagram, error) {
	d := &diagram{Plot: plot.New()}
	d.Title.Text = p.Title
	axis(&d.X, p.X)
	axis(&d.Y, p.Y)
	sans(&d.Title.TextStyle, 12)
	d.BackgroundColor = nil
	for i := range d.legends {
		d.legends[i] = plot.NewLegend()
		d.legends[i].Top, d.legends[i].Left = true, true
		d.legends[i].Padding = vg.Points(2)
		sans(&d.legends[i].TextStyle, 10)
	}
	d.Add(figure.Grid())
	drawn := 0
	for i, s := range p.Series {
		n, err := d.line(i, s, p)
		if err != nil {
			return nil, err
		}
		drawn += n
	}
	if drawn == 0 {
		return nil, ErrEmpty
	}
	if p.Y.Scale == lab.Linear {
		d.Y.Min, d.Y.Max = min(d.Y.Min, 0), max(d.Y.Max, 0)
	}
	if err := d.claims(p); err != nil {
		return nil, err
	}
	widen(&d.X)
	widen(&d.Y)
	if p.Y.Scale == lab.Log {
		decades(&d.Y)
	}
	return d, nil
}

// widen makes room for values that are all the same.
func widen(a *plot.Axis) {
	if a.Min == a.Max {
		a.Min, a.Max = a.Min*0.9, a.Max*1.1+0.1
	}
}

// decades lets an axis that would show one power of ten, or none, reach to the next ones: a single number on an axis tells
// nobody its scale.
func decades(a *plot.Axis) {
	low, high := math.Log10(a.Min), math.Log10(a.Max)
	if math.Floor(high)-math.Ceil(low) < 1 {
		a.Min, a.Max = math.Pow(10, math.Floor(low)), math.Pow(10, math.Ceil(high))
	}
}

func axis(a *plot.Axis, from lab.Axis) {
	a.Label.Text = from.Label
	if from.Unit != "" {
		a.Label.Text += " (" + from.Unit + ")"
	}
	switch from.Scale {
	case lab.Sizes:
		figure.SizeAxis(a)
	case lab.Log:
		figure.DecadeAxis(a)
	}
	sans(&a.Label.TextStyle, 11)
	sans(&a.Tick.Label, 10)
}

func sans(s *draw.TextStyle, points float64) {
	s.Font = font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(points)}
}

// line adds a series and tells how many of its points the axes can show.
func (d *diagram) line(i int, s *lab.Series, p *lab.Panel) (int, error) {
	var points plotter.XYs
	for _, pt := range s.Points {
		if shows(p.X, pt.X) && shows(p.Y, pt.Y) {
			points = append(points, plotter.XY{X: pt.X, Y: pt.Y})
		}
	}
	if len(points) == 0 {
		return 0, nil
	}
	line, marks, err := plotter.NewLinePoints(points)
	if err != nil {
		return 0, err
	}
	line.LineStyle, marks.GlyphStyle = figure.Style(i)
	d.Add(line, marks)
	d.explain(s.Name, line, marks)
	return len(points), nil
}

// shows tells whether an axis has a place for a value.
func shows(a lab.Axis, v float64) bool { return a.Scale == lab.Linear || v > 0 }

func (d *diagram) explain(name string, thumbs ...plot.Thumbnailer) {
	d.legends[d.entries%columns].Add(name, thumbs...)
	d.entries++
}

func (d *diagram) legendRows() int { return (d.entries+columns-1)/columns + 1 }

// claims marks what the document states: crosses in circles at places, thin lines where it holds everywhere.
func (d *diagram) claims(p *lab.Panel) error {
	grey := color.Gray{Y: 0x50}
	var spots plotter.XYs
	for _, m := range p.Marks {
		if !shows(p.Y, m.Y) || !m.Everywhere && !shows(p.X, m.X) {
			continue
		}
		x := m.X
		if m.Everywhere {
			x = d.X.Min
			across, err := plotter.NewLine(plotter.XYs{{X: d.X.Min, Y: m.Y}, {X: d.X.Max, Y: m.Y}})
			if err != nil {
				return err
			}
			across.LineStyle = draw.LineStyle{Color: grey, Width: vg.Points(0.6), Dashes: []vg.Length{vg.Points(1), vg.Points(2)}}
			d.Add(across)
		} else {
			spots = append(spots, plotter.XY{X: m.X, Y: m.Y})
		}
		label, err := plotter.NewLabels(plotter.XYLabels{XYs: plotter.XYs{{X: x, Y: m.Y}}, Labels: []string{m.Text}})
		if err != nil {
			return err
		}
		sans(&label.TextStyle[0], 8)
		label.TextStyle[0].Color = grey
		label.Offset = vg.Point{X: vg.Points(5), Y: vg.Points(2)}
		d.Add(label)
	}
	if len(spots) == 0 {
		return nil
	}
	marks, err := plotter.NewScatter(spots)
	if err != nil {
		return err
	}
	marks.GlyphStyle = draw.GlyphStyle{Color: color.Black, Radius: vg.Points(5), Shape: target{}}
	d.Add(marks)
	d.explain("stated in the document", marks)
	return nil
}

// target is the glyph of a claim: a cross in a ring, unlike the marker of any line.
type target struct{}

// DrawGlyph draws it.
func (target) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	draw.RingGlyph{}.DrawGlyph(c, s, at)
	s.Radius *= 0.7
	draw.CrossGlyph{}.DrawGlyph(c, s, at)
}

func (d *diagram) draw(c draw.Canvas) {
	below := vg.Length(d.legendRows()) * legendLine
	d.Draw(draw.Crop(c, vg.Points(4), -vg.Points(12), below, -vg.Points(4)))
	indent, each := vg.Centimeter*1.5, (c.Max.X-c.Min.X-vg.Centimeter*1.5)/columns
	for i := range d.legends {
		left := indent + vg.Length(i)*each
		d.legends[i].Draw(draw.Crop(c, left, left+each-(c.Max.X-c.Min.X), 0, below-(c.Max.Y-c.Min.Y)-legendLine/2))
	}
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
