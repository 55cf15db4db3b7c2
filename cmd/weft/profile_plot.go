package main

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/weft-mpi/weft/internal/arrival"
	"github.com/weft-mpi/weft/internal/bench/figure"
)

// plotArrivals draws a point per call: when it was, and how far apart its ranks came. Calls whose ranks came within a nanosecond
// of each other stand on the lower edge.
func plotArrivals(p *arrival.Profile, path string) error {
	points := map[string]plotter.XYs{}
	var routines []string
	for i := range p.Calls {
		c := &p.Calls[i]
		if points[c.Routine] == nil {
			routines = append(routines, c.Routine)
		}
		at := float64(slices.Min(c.Arrive)) / 1e6
		points[c.Routine] = append(points[c.Routine], plotter.XY{X: at, Y: max(c.Imbalance().Worst, 1) / 1e3})
	}
	if len(routines) == 0 {
		return fmt.Errorf("%s: the job made no collective call that all its ranks have recorded", path)
	}
	slices.Sort(routines)
	pl := plot.New()
	pl.Title.Text = fmt.Sprintf("Arrivals of %d ranks at %d collective calls", p.Ranks, len(p.Calls))
	pl.X.Label.Text = "time of the first arrival (ms)"
	pl.Y.Label.Text = "from the first to the last arrival (us)"
	figure.DecadeAxis(&pl.Y)
	pl.Add(figure.Grid())
	pl.Legend.Top = true
	for i, name := range routines {
		marks, err := plotter.NewScatter(points[name])
		if err != nil {
			return err
		}
		_, marks.GlyphStyle = figure.Style(i)
		pl.Add(marks)
		pl.Legend.Add(name, marks)
	}
	return figure.Save(pl, path)
}
