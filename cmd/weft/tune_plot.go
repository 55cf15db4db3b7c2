package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/weft-mpi/weft/internal/chart"
	"github.com/weft-mpi/weft/internal/tuner"
)

// checkPlot settles the name of the figure.
func (o *tuneOptions) checkPlot() (err error) {
	if o.plot != "" && o.rules != "" {
		return errors.New("--plot draws what new rules gain, and --rules FILE measures none: leave one of them out")
	}
	o.plot, err = plotPath(o.plot, "tune")
	return err
}

// plotGains draws how many times faster the winners are than what was in force, a line per operation
// and place, if there is to be a figure.
func (o *tuneOptions) plotGains(winners []tuner.Winner) error {
	if o.plot == "" {
		return nil
	}
	c := chart.Chart{
		Title: "What the rules gain on " + o.where(),
		X:     chart.Axis{Label: "message size", Unit: "bytes", Scale: chart.Sizes},
		Y:     chart.Axis{Label: "time without the rules over time with them"},
		Marks: []chart.Mark{{Y: 1, Everywhere: true}}, Marked: "as it is chosen without rules",
	}
	for _, w := range winners {
		name := fmt.Sprintf("%s, %d ranks", w.Op, w.Ranks)
		if w.Spread > 0 {
			name += fmt.Sprintf(", %d apart", w.Spread)
		}
		if n := len(c.Lines); n == 0 || c.Lines[n-1].Name != name {
			c.Lines = append(c.Lines, chart.Line{Name: name})
		}
		last := &c.Lines[len(c.Lines)-1]
		last.Points = append(last.Points, chart.Point{X: float64(w.Bytes), Y: w.Gain()})
	}
	if err := c.Save(o.plot); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "weft tune: drew %s\n", o.plot)
	return nil
}
