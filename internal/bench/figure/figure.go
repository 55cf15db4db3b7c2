// Package figure draws benchmark results as SVG, PNG or PDF for papers and documentation.
//
// It owns the look: a base-two axis of message sizes with a tick at every fourth power, or a linear one of something
// else; logarithmic time, linear bandwidth, and line styles that stay apart in grey print. It promises a file that is whole or not there.
// It must not know where numbers come from: it draws lines of points.
package figure

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// Point is one place of a line: a message size, or the number on the axis of a figure that is drawn across something
// else. Low and High bound the spread; both equal to Value means none is drawn.
type Point struct {
	Size             int
	Value, Low, High float64
}

// Line is one implementation.
type Line struct {
	Name   string
	Points []Point
}

// Figure is one diagram.
type Figure struct {
	Name   string // short, for a file's name
	Title  string
	Across string // what the linear axis shows; empty: message sizes in powers of two
	Unit   string // of the values
	Log    bool   // logarithmic values
	Lines  []Line
}

// Formats lists the file extensions that Save knows.
var Formats = []string{".svg", ".png", ".pdf"}

// CheckPath says whether a figure can be written under that name, before hours of measuring go into it.
func CheckPath(path string) error {
	if ext := strings.ToLower(filepath.Ext(path)); !slices.Contains(Formats, ext) {
		return fmt.Errorf("figure %q: the name must end in one of %s", path, strings.Join(Formats, " "))
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("figure %q: there is no directory %s", path, filepath.Dir(path))
	}
	return nil
}

// Width and height of a figure: one column of a paper, twice enlarged for the screen.
const (
	width  = 16 * vg.Centimeter
	height = 11 * vg.Centimeter
)

// Save draws the figure into path; the extension chooses the format. The file appears whole or not at all.
func (f Figure) Save(path string) error {
	p, err := f.plot()
	if err != nil {
		return fmt.Errorf("figure %q: %w", path, err)
	}
	return Save(p, path)
}

// Save is [Figure.Save] for a diagram of the caller's own.
func Save(p *plot.Plot, path string) error {
	if err := CheckPath(path); err != nil {
		return err
	}
	to, err := p.WriterTo(width, height, strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), "."))
	if err != nil {
		return fmt.Errorf("figure %q: %w", path, err)
	}
	return writeWhole(path, to)
}

func writeWhole(path string, from io.WriterTo) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".figure-*")
	if err != nil {
		return fmt.Errorf("figure %q: %w", path, err)
	}
	defer os.Remove(file.Name()) // gone already when the rename succeeded
	_, err = from.WriteTo(file)
	err = errors.Join(err, file.Chmod(0o644), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("figure %q: %w", path, err)
	}
	return nil
}

func (f Figure) plot() (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = f.Title
	p.X.Label.Text = f.Across
	p.Y.Label.Text = map[string]string{"us": "time", "MB/s": "bandwidth", "MB": "memory", "%": "part of a transfer"}[f.Unit] + " (" + f.Unit + ")"
	if f.Across == "" {
		p.X.Label.Text = "message size (bytes)"
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, sizeTicks{}
	}
	if f.Log {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, decadeTicks{}
	} else {
		p.Y.Min = 0
	}
	p.Add(grid())
	p.Legend.Top = true
	p.Legend.Left = true
	drawn := 0
	for i, line := range f.Lines {
		points := f.drawable(line.Points)
		if len(points.XYs) == 0 {
			continue
		}
		drawn += len(points.XYs)
		if err := addLine(p, line.Name, points, looks[i%len(looks)]); err != nil {
			return nil, err
		}
	}
	if drawn == 0 {
		return nil, errors.New("there is nothing to draw")
	}
	if !f.Log {
		p.Y.Min = 0
	}
	return p, nil
}

// spread is a line as the plotters want it.
type spread struct {
	plotter.XYs
	plotter.YErrors
}

// drawable leaves out what a logarithmic axis cannot show and puts size 0 half a step left of 1 byte.
func (f Figure) drawable(points []Point) spread {
	var s spread
	for _, p := range points {
		if f.Log && (p.Value <= 0 || p.Low <= 0) {
			continue
		}
		s.XYs = append(s.XYs, plotter.XY{X: f.position(p.Size), Y: p.Value})
		s.YErrors = append(s.YErrors, struct{ Low, High float64 }{p.Value - p.Low, p.High - p.Value})
	}
	return s
}

const zeroPosition = 0.5

func (f Figure) position(at int) float64 {
	if at == 0 && f.Across == "" {
		return zeroPosition
	}
	return float64(at)
}

func addLine(p *plot.Plot, name string, points spread, l look) error {
	line, marks, err := plotter.NewLinePoints(points.XYs)
	if err != nil {
		return err
	}
	line.LineStyle = l.line()
	marks.GlyphStyle = l.glyph()
	bars, err := plotter.NewYErrorBars(points)
	if err != nil {
		return err
	}
	bars.LineStyle.Color = l.colour
	bars.LineStyle.Width = vg.Points(0.7)
	bars.CapWidth = vg.Points(4)
	p.Add(line, bars, marks)
	p.Legend.Add(name, line, marks)
	return nil
}
