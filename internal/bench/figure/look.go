package figure

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// look is how one line is drawn. Marker shape, filling, dashes and brightness all differ between looks, so any
// one of them is enough to tell lines apart: on grey paper, or by eyes that do not see red and green.
type look struct {
	colour color.Color
	shape  draw.GlyphDrawer
	dashes []vg.Length
}

var looks = []look{
	{color.RGBA{R: 0x00, G: 0x3f, B: 0x7f, A: 0xff}, draw.CircleGlyph{}, nil},
	{color.RGBA{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}, draw.BoxGlyph{}, []vg.Length{vg.Points(6), vg.Points(3)}},
	{color.RGBA{R: 0x56, G: 0xa0, B: 0x8f, A: 0xff}, draw.TriangleGlyph{}, []vg.Length{vg.Points(2), vg.Points(2)}},
	{color.RGBA{R: 0xa0, G: 0xa0, B: 0xa0, A: 0xff}, draw.PlusGlyph{}, []vg.Length{vg.Points(8), vg.Points(2), vg.Points(2), vg.Points(2)}},
	{color.RGBA{R: 0x8f, G: 0x2d, B: 0x56, A: 0xff}, draw.RingGlyph{}, []vg.Length{vg.Points(4), vg.Points(4)}},
	{color.RGBA{R: 0xe6, G: 0xb4, B: 0x00, A: 0xff}, draw.CrossGlyph{}, []vg.Length{vg.Points(10), vg.Points(4)}},
	{color.RGBA{R: 0x30, G: 0x30, B: 0x30, A: 0xff}, draw.SquareGlyph{}, []vg.Length{vg.Points(1), vg.Points(3)}},
}

func (l look) line() draw.LineStyle {
	return draw.LineStyle{Color: l.colour, Width: vg.Points(1.2), Dashes: l.dashes}
}

func (l look) glyph() draw.GlyphStyle {
	return draw.GlyphStyle{Color: l.colour, Radius: vg.Points(3), Shape: l.shape}
}

func grid() *plotter.Grid {
	g := plotter.NewGrid()
	pale := color.Gray{Y: 0xdd}
	g.Horizontal.Color, g.Vertical.Color = pale, pale
	return g
}

// sizeTicks labels every fourth power of two: 0, 1, 4, 16 ... 4M.
type sizeTicks struct{}

// Ticks returns the ticks from low to high.
func (sizeTicks) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	if low <= zeroPosition {
		ticks = append(ticks, plot.Tick{Value: zeroPosition, Label: "0"})
	}
	for size, i := 1, 0; float64(size) <= high && i < 31; size, i = size*2, i+1 {
		if float64(size) < low {
			continue
		}
		tick := plot.Tick{Value: float64(size)}
		if i%2 == 0 {
			tick.Label = shortSize(size)
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

func shortSize(size int) string {
	switch {
	case size >= 1<<20:
		return fmt.Sprintf("%dM", size>>20)
	case size >= 1<<10:
		return fmt.Sprintf("%dK", size>>10)
	}
	return fmt.Sprint(size)
}

// decadeTicks labels the powers of ten and marks the multiples between; within less than a decade it labels the
// multiples too.
type decadeTicks struct{}

// Ticks returns the ticks from low to high, which must be positive.
func (decadeTicks) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	narrow := high/low < 10
	for decade := math.Pow(10, math.Floor(math.Log10(low))); decade <= high; decade *= 10 {
		for m := 1; m < 10; m++ {
			v := decade * float64(m)
			if v < low || v > high {
				continue
			}
			tick := plot.Tick{Value: v}
			if m == 1 || narrow {
				tick.Label = fmt.Sprintf("%g", float64(m)*math.Round(decade*1e6)/1e6)
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks
}
