package main

import (
	"bufio"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
)

// shades are the letters of a picture, from cold to hot.
const shades = " .:-=+*#%@"

const (
	lettersAcross = 64
	lettersDown   = 24
)

// drawLetters shows the plate with one letter per group of points.
func drawLetters(out io.Writer, plate []float64, size int) error {
	w := bufio.NewWriter(out)
	across, down := min(size, lettersAcross), min(size, lettersDown)
	for y := range down {
		row := plate[y*size/down*(size+2):]
		for x := range across {
			w.WriteByte(shades[shade(row[1+x*size/across], len(shades))])
		}
		w.WriteByte('\n')
	}
	return w.Flush()
}

// shade maps a temperature to one of n steps.
func shade(t float64, n int) int { return max(0, min(n-1, int(t/hot*float64(n)))) }

// colours go from cold to hot in steps that look equally large, also on grey paper and to people who see
// fewer colours. They are nine of those of the map inferno, by Nathaniel Smith and Stéfan van der Walt
// (matplotlib, public domain).
var colours = [...]color.RGBA{
	{0x00, 0x00, 0x04, 255}, {0x21, 0x0c, 0x4a, 255}, {0x57, 0x10, 0x6e, 255}, {0x8a, 0x22, 0x6a, 255}, {0xbc, 0x37, 0x54, 255},
	{0xe4, 0x5a, 0x31, 255}, {0xf9, 0x8e, 0x09, 255}, {0xf9, 0xcb, 0x35, 255}, {0xfc, 0xff, 0xa4, 255},
}

// colour maps a temperature to a colour, by a straight line between the two next to it.
func colour(t float64) color.RGBA {
	at := max(0, min(1, t/hot)) * float64(len(colours)-1)
	i := min(int(at), len(colours)-2)
	from, to, part := colours[i], colours[i+1], at-float64(i)
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + part*(float64(b)-float64(a)) + 0.5) }
	return color.RGBA{mix(from.R, to.R), mix(from.G, to.G), mix(from.B, to.B), 255}
}

// writePNG writes the plate as a picture, dark for cold and bright for hot, one pixel per point.
func writePNG(path string, plate []float64, size int) error {
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			img.Set(x, y, colour(plate[y*(size+2)+1+x]))
		}
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, img), f.Close())
}
