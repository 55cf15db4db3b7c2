package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/weft-mpi/weft/internal/arrival"
	"github.com/weft-mpi/weft/internal/chart"
)

// plotArrivals draws a point per call: when it was, and how far apart its ranks came. Calls whose ranks
// came within a nanosecond of each other stand on the lower edge.
func plotArrivals(p *arrival.Profile, path string) error {
	points := map[string][]chart.Point{}
	var routines []string
	for i := range p.Calls {
		c := &p.Calls[i]
		if points[c.Routine] == nil {
			routines = append(routines, c.Routine)
		}
		at := float64(slices.Min(c.Arrive)) / 1e6
		points[c.Routine] = append(points[c.Routine], chart.Point{X: at, Y: max(c.Imbalance().Worst, 1) / 1e3})
	}
	if len(routines) == 0 {
		return fmt.Errorf("%s: the job made no collective call that all its ranks have recorded", path)
	}
	slices.Sort(routines)
	c := chart.Chart{
		Title: fmt.Sprintf("Arrivals of %d ranks at %d collective calls", p.Ranks, len(p.Calls)),
		X:     chart.Axis{Label: "time of the first arrival", Unit: "ms"},
		Y:     chart.Axis{Label: "from the first to the last arrival", Unit: "us", Scale: chart.Log},
	}
	for _, name := range routines {
		c.Lines = append(c.Lines, chart.Line{Name: name, Points: points[name], Apart: true})
	}
	if err := c.Save(path); err != nil {
		return err
	}
	_, err := fmt.Fprintf(os.Stderr, "drew %s\n", path)
	return err
}
