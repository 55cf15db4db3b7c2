package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/chart"
)

// plotCosts draws what the algorithms of a collective cost over message sizes, by the numbers of the
// machine: all that are best somewhere. It returns a line that says so.
func plotCosts(args []string, place layout, environ []string, asked string) (string, error) {
	q, err := askedFor(args, place, environ)
	if err != nil {
		return "", err
	}
	path, err := plotPath(asked, q.op.String())
	if err != nil {
		return "", err
	}
	var best []string
	points := map[string][]chart.Point{}
	for bytes := min(8, q.bytes); bytes <= q.bytes; bytes *= 2 {
		costs := q.selector.Costs(q.of(bytes))
		if len(costs) == 0 {
			continue
		}
		if name := costs[0].Algorithm.Name; !slices.Contains(best, name) {
			best = append(best, name)
		}
		for _, c := range costs {
			points[c.Algorithm.Name] = append(points[c.Algorithm.Name], chart.Point{X: float64(bytes), Y: c.Nanos / 1e3})
		}
	}
	c := chart.Chart{
		Title: fmt.Sprintf("Cost of %s on %d ranks of %d nodes, by the numbers of the machine", q.op, q.ranks, place.nodes),
		X:     chart.Axis{Label: "message size", Unit: "bytes", Scale: chart.Sizes},
		Y:     chart.Axis{Label: "time", Unit: "us", Scale: chart.Log},
	}
	for _, name := range best {
		_, short, _ := strings.Cut(name, "/")
		c.Lines = append(c.Lines, chart.Line{Name: short, Points: points[name]})
	}
	if err := c.Save(path); err != nil {
		return "", err
	}
	return "drew " + path, nil
}
