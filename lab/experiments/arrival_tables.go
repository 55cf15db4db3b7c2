package experiments

import (
	"fmt"
	"math"

	"github.com/weft-mpi/weft/lab"
)

// tell adds what stands behind the lines: times when all come together, both schemes of those of which the
// better is drawn, and what ranks have counted.
func (o *findings) tell(r *lab.Result) {
	own := o.bySize(r, "When all come together, us", "line")
	for _, line := range o.lines {
		own(line.name, func(size int) float64 { return o.own[line.name].At(float64(size)) })
	}
	if o.way(direct) == nil {
		return
	}
	schemes := o.bySize(r, "Both schemes of Direct and PAP_Direct, us", "algorithm, condition")
	held := o.bySize(r, "Sends that waited for a rank which had not arrived, and held up another send, per call of all ranks", "algorithm, condition")
	early := o.bySize(r, "KB copied out of node memory while more was to come, per call of all ranks", "algorithm, condition")
	both := append(o.way(direct), o.way(papDirect)...)
	for _, way := range both {
		schemes(schemeNames[way]+", all together", func(size int) float64 { return o.own[way].At(float64(size)) })
	}
	for _, c := range o.order {
		for _, way := range both {
			name := fmt.Sprintf("%s, %s", schemeNames[way], c)
			schemes(name, func(size int) float64 { return o.ways[c][way].At(float64(size)) })
			held(name, func(size int) float64 { return o.waits(c, way, size).blocked })
		}
		for _, way := range append(o.way(shmDirect), o.way(papShm)...) {
			early(fmt.Sprintf("%s, %s", way, c), func(size int) float64 {
				if math.IsNaN(o.ways[c][way].At(float64(size))) {
					return math.NaN()
				}
				return o.waits(c, way, size).early / 1024
			})
		}
	}
}

// schemeNames are what people call the ways of Direct.
var schemeNames = map[string]string{
	"direct@1": "Direct, copied", "direct_zero": "Direct, zero-copy", "pap_copy": "PAP_Direct, copied", "pap_direct": "PAP_Direct, zero-copy",
}

// way returns the algorithms of a line, none if the study does not have it.
func (s study) way(line string) (ways []string) {
	for _, l := range s.lines {
		for _, a := range l.ways {
			if l.name == line {
				ways = append(ways, a.way)
			}
		}
	}
	return ways
}

// waits are what was counted.
func (o *findings) waits(c condition, way string, size int) waits {
	if w := o.tally[counted{c, way, size}]; w != nil {
		return *w
	}
	return waits{}
}

// bySize begins a table with a column per size, and returns what adds a row. Where there is no value it has a dash.
func (o *findings) bySize(r *lab.Result, title, first string) func(name string, value func(size int) float64) {
	t := r.AddTable(title, first)
	for _, size := range o.sizes {
		t.Head = append(t.Head, sizeName(size))
	}
	return func(name string, value func(size int) float64) {
		row := []string{name}
		for _, size := range o.sizes {
			text := "-"
			if v := value(size); !math.IsNaN(v) {
				text = fmt.Sprintf("%.1f", v)
			}
			row = append(row, text)
		}
		t.Add(row...)
	}
}

// newBoundTable begins the table of results beside their bounds.
func newBoundTable(r *lab.Result) *lab.Table {
	return r.AddTable("Beside the bound", "line", "processes", "condition", "size", "time us", "bound us", "time over bound", "of these arrivals us", "time over that", "and own time us")
}

// addBounds shows lines beside the arithmetic bound, that of the arrivals which were drawn, and the latter
// with the time that the last rank needs for itself.
func (o *findings) addBounds(r *lab.Result, ranks int, lines ...string) {
	o.fillBounds(newBoundTable(r), ranks, lines...)
}

func (o *findings) fillBounds(t *lab.Table, ranks int, lines ...string) {
	for _, name := range lines {
		for _, c := range o.order {
			for _, p := range o.panels[c].Line(name).Points {
				bound, drawn := c.bound(ranks, o.times[int(p.X)]), o.floors[c].At(p.X)
				t.Add(name, fmt.Sprint(ranks), c.String(), sizeName(int(p.X)), fmt.Sprintf("%.1f", p.Y), fmt.Sprintf("%.1f", bound), fmt.Sprintf("%.2f", p.Y/bound),
					fmt.Sprintf("%.1f", drawn), fmt.Sprintf("%.2f", p.Y/drawn), fmt.Sprintf("%.1f", drawn+o.own[name].At(p.X)))
			}
		}
	}
}
