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

// writePNG writes the plate as a picture, blue for cold and red for hot, one pixel per point.
func writePNG(path string, plate []float64, size int) error {
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			s := uint8(shade(plate[y*(size+2)+1+x], 256))
			img.Set(x, y, color.RGBA{R: s, B: 255 - s, A: 255})
		}
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, img), f.Close())
}
