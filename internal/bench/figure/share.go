package figure

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// Style is how the i-th line of a diagram and its markers are drawn, for those who make diagrams of their own.
func Style(i int) (draw.LineStyle, draw.GlyphStyle) {
	l := looks[i%len(looks)]
	return l.line(), l.glyph()
}

// Grid returns the pale lines behind a diagram.
func Grid() *plotter.Grid { return grid() }

// SizeAxis makes an axis one of message sizes in powers of two.
func SizeAxis(a *plot.Axis) { a.Scale, a.Tick.Marker = plot.LogScale{}, sizeTicks{} }

// DecadeAxis makes an axis logarithmic.
func DecadeAxis(a *plot.Axis) { a.Scale, a.Tick.Marker = plot.LogScale{}, decadeTicks{} }
