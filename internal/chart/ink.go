package chart

import "math"

// Ink is a colour by its purpose. Light and dark pages have their own colours for it.
type Ink uint8

// The inks.
const (
	None  Ink = iota
	Text      // words, axes
	Soft      // words of less weight
	Rule      // the grid
	Paper     // behind everything
	Busy      // a program that computes
	Data      // the bytes of a message
	Lines     // the first of a chart's lines; Lines+1 is the second
)

// shades are the colours of an ink, as red, green and blue in hexadecimal digits.
type shades struct{ name, light, dark string }

// inks are by Ink. The lines' colours have the hues of Okabe and Ito ("Color universal design", 2008),
// which people with any kind of colour vision can tell apart; on light pages some are darker, on dark pages
// all are lighter, so that they stand out.
var inks = []shades{
	None:      {},
	Text:      {"text", "1f2328", "e6edf3"},
	Soft:      {"soft", "59636e", "9aa4af"},
	Rule:      {"rule", "d8dee4", "30363d"},
	Paper:     {"paper", "ffffff", "0d1117"},
	Busy:      {"busy", "e69f00", "e0a83c"},
	Data:      {"data", "0072b2", "56b4e9"},
	Lines:     {"a", "0072b2", "56b4e9"},
	Lines + 1: {"b", "d55e00", "f58442"},
	Lines + 2: {"c", "009e73", "2fc79b"},
	Lines + 3: {"d", "b5599a", "e39ac6"},
	Lines + 4: {"e", "b87a00", "f0c04a"},
	Lines + 5: {"f", "3f8fc4", "a6d8f7"},
	Lines + 6: {"g", "1f2328", "e6edf3"},
	Lines + 7: {"h", "7a6a00", "e8e07a"},
}

// lineInks is how many lines have a colour of their own.
const lineInks = 8

// look is how a line is drawn: its dashes and the shape of its markers tell it from others, too, on grey paper.
type look struct {
	ink    Ink
	dash   []float64
	marker marker
}

// dashes and markers differ in number, so that forty lines differ.
var dashes = [][]float64{nil, {7, 3}, {2, 2.5}, {9, 3, 2, 3}, {4, 4}}

func lookOf(i int) look {
	return look{Lines + Ink(i%lineInks), dashes[i%len(dashes)], markers[i%len(markers)]}
}

// marker draws the sign of a line's points.
type marker func(d *Drawing, ink Ink, at Spot)

var markers = []marker{
	func(d *Drawing, ink Ink, at Spot) { d.Circle(Pen{Fill: ink}, at, 3.2) },
	func(d *Drawing, ink Ink, at Spot) { d.Area(Pen{Fill: ink}, corners(at, 4.2, 4, 45)...) },
	func(d *Drawing, ink Ink, at Spot) { d.Area(Pen{Fill: ink}, corners(at, 4.2, 3, -90)...) },
	func(d *Drawing, ink Ink, at Spot) { d.Area(Pen{Fill: ink}, corners(at, 4.4, 4, 0)...) },
	func(d *Drawing, ink Ink, at Spot) { d.Circle(Pen{Fill: Paper, Stroke: ink, Width: 1.4}, at, 3) },
	func(d *Drawing, ink Ink, at Spot) { cross(d, ink, at, 3) },
	func(d *Drawing, ink Ink, at Spot) {
		d.Area(Pen{Fill: Paper, Stroke: ink, Width: 1.4}, corners(at, 4, 4, 45)...)
	},
	func(d *Drawing, ink Ink, at Spot) {
		d.Area(Pen{Fill: Paper, Stroke: ink, Width: 1.4}, corners(at, 4.4, 3, 90)...)
	},
}

// target is the sign of a mark: a cross in a ring, unlike that of any line.
func target(d *Drawing, at Spot) {
	d.Circle(Pen{Stroke: Text, Width: 1.2}, at, 5)
	cross(d, Text, at, 2.6)
}

func cross(d *Drawing, ink Ink, at Spot, r float64) {
	p := Pen{Stroke: ink, Width: 1.6}
	d.Line(p, Spot{at.X - r, at.Y - r}, Spot{at.X + r, at.Y + r})
	d.Line(p, Spot{at.X - r, at.Y + r}, Spot{at.X + r, at.Y - r})
}

// corners are those of a regular shape around a place; the first lies in the direction of an angle in degrees.
func corners(at Spot, radius float64, n int, angle float64) []Spot {
	var all []Spot
	for i := range n {
		sin, cos := math.Sincos((angle + 360*float64(i)/float64(n)) * math.Pi / 180)
		all = append(all, Spot{at.X + radius*cos, at.Y + radius*sin})
	}
	return all
}
