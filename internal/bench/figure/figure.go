// Package figure makes charts of benchmark results.
//
// It owns what is drawn against what: values over message sizes, or over shares or ranks where these vary. It must not
// know how a chart looks (internal/chart).
package figure

import (
	"slices"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/chart"
)

// Figure is one diagram.
type Figure struct {
	Name string // short, for a file's name
	chart.Chart
}

// New begins a figure of values over message sizes. Times are drawn on a logarithmic axis, all else from 0.
func New(name, title, unit string) Figure {
	y := chart.Axis{Label: map[string]string{"us": "time", "MB/s": "bandwidth", "MB": "memory", "%": "part of a transfer"}[unit], Unit: unit}
	if unit == "us" {
		y.Scale = chart.Log
	}
	return Figure{name, chart.Chart{Title: title, X: chart.Axis{Label: "message size", Unit: "bytes", Scale: chart.Sizes}, Y: y}}
}

// Add puts a value at the end of the line of that name.
func (f *Figure) Add(name string, at int, value float64) { f.add(name, at, value, value, value) }

// AddSummary puts a median with its quartiles at the end of the line of that name.
func (f *Figure) AddSummary(name string, at int, s bench.Summary) {
	f.add(name, at, s.Median, s.Q1, s.Q3)
}

func (f *Figure) add(name string, at int, value, low, high float64) {
	i := slices.IndexFunc(f.Lines, func(l chart.Line) bool { return l.Name == name })
	if i < 0 {
		i = len(f.Lines)
		f.Lines = append(f.Lines, chart.Line{Name: name})
	}
	f.Lines[i].Points = append(f.Lines[i].Points, chart.Point{X: float64(at), Y: value, Low: low, High: high})
}
