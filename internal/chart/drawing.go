// Package chart draws everything that Weft draws: diagrams of measurements, and the timelines and state machines of the
// lab. It has one style for all of them.
//
// It owns colours, fonts, ticks, legends and the places of labels. It promises that the same input gives
// the same bytes, that no word stands on another, that lines stay apart without colour, and that an SVG
// suits light and dark pages. It writes SVG and PDF itself, so that nobody who uses the library downloads a
// plotting module. It must not know where numbers come from.
package chart

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Spot is a place on a drawing: points to the right of the left edge and below the upper one.
type Spot struct{ X, Y float64 }

// Pen is how a shape is drawn. The zero Ink draws nothing.
type Pen struct {
	Stroke, Fill Ink
	Width        float64   // of the stroke; 0: 1
	Dash         []float64 // lengths of dashes and gaps in turn; nil: none
	Faint        bool      // the filling lets what is below shine through
}

// Anchor says which part of a word stands at its place.
type Anchor uint8

// The anchors.
const (
	Start Anchor = iota
	Middle
	End
)

// Word is a line of text.
type Word struct {
	At     Spot // of its baseline
	Text   string
	Size   float64 // of the letters; 0: 12
	Ink    Ink     // None: Text
	Anchor Anchor
	Bold   bool
	Angle  float64 // clockwise, in degrees
}

// Drawing is a picture made of lines, shapes and words, in the order in which they were added.
type Drawing struct {
	Title         string // for those who cannot see it
	Width, Height float64
	parts         []part
}

// part is a shape or a word, which both writers know.
type part interface {
	inks() []use
	svg(b *strings.Builder)
	pdf(p *pdfPage)
}

// use is an ink as a filling or as a stroke.
type use struct {
	ink    Ink
	stroke bool
}

type path struct {
	pen    Pen
	closed bool
	spots  []Spot
}

type circle struct {
	pen    Pen
	centre Spot
	radius float64
}

type box struct {
	pen   Pen
	area  rect
	round float64 // of its corners
	tip   string
}

func (p Pen) inks() (all []use) {
	if p.Fill != None {
		all = append(all, use{p.Fill, false})
	}
	if p.Stroke != None {
		all = append(all, use{p.Stroke, true})
	}
	return all
}

func (p path) inks() []use   { return p.pen.inks() }
func (c circle) inks() []use { return c.pen.inks() }
func (b box) inks() []use    { return b.pen.inks() }
func (w Word) inks() []use   { return []use{{w.ink(), false}} }

// Line adds a line through places.
func (d *Drawing) Line(p Pen, spots ...Spot) { d.parts = append(d.parts, path{p, false, spots}) }

// Area adds a shape with these corners.
func (d *Drawing) Area(p Pen, corners ...Spot) { d.parts = append(d.parts, path{p, true, corners}) }

// Circle adds a circle.
func (d *Drawing) Circle(p Pen, centre Spot, radius float64) {
	d.parts = append(d.parts, circle{p, centre, radius})
}

// Box adds a box with round corners. The tip, if any, is shown to who points at it.
func (d *Drawing) Box(p Pen, at Spot, width, height, round float64, tip string) {
	d.parts = append(d.parts, box{pen: p, area: rect{at.X, at.Y, at.X + width, at.Y + height}, round: round, tip: tip})
}

// Word adds a line of text.
func (d *Drawing) Word(w Word) { d.parts = append(d.parts, w) }

func (w Word) size() float64 {
	if w.Size == 0 {
		return 12
	}
	return w.Size
}

func (w Word) ink() Ink {
	if w.Ink == None {
		return Text
	}
	return w.Ink
}

// Formats lists the forms of a drawing, which are also the ends of its files' names.
var Formats = []string{"svg", "pdf"}

// Write writes the drawing in a format.
func (d *Drawing) Write(w io.Writer, format string) error {
	switch format {
	case "svg":
		return d.writeSVG(w)
	case "pdf":
		return d.writePDF(w)
	}
	return fmt.Errorf("format %q: must be one of %s", format, strings.Join(Formats, ", "))
}

// CheckPath says whether a drawing can be written under that name, before hours of measuring go into it.
func CheckPath(path string) error {
	if !slices.Contains(Formats, formatOf(path)) {
		stem := strings.TrimSuffix(path, filepath.Ext(path))
		return fmt.Errorf("figure %q: the name must end in .svg or .pdf; for another format write an .svg and convert it, such as by: rsvg-convert %s.svg -o %s.png", path, stem, stem)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("figure %q: there is no directory %s", path, filepath.Dir(path))
	}
	return nil
}

func formatOf(path string) string {
	return strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
}

// Save writes the drawing into a file; the end of its name chooses the format. The file appears whole or not at all.
func (d *Drawing) Save(path string) error {
	if err := CheckPath(path); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".figure-*")
	if err != nil {
		return fmt.Errorf("figure %q: %w", path, err)
	}
	defer os.Remove(file.Name()) // gone already when the rename succeeded
	err = errors.Join(d.Write(file, formatOf(path)), file.Chmod(0o644), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("figure %q: %w", path, err)
	}
	return nil
}
