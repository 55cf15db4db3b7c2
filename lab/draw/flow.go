package draw

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/chart"
	"github.com/weft-mpi/weft/lab"
)

// The measures of a flow.
const (
	edge       = 18
	flowTop    = 46
	flowColumn = 165 // from state to state
	flowRow    = 34  // from move to move
	boxWide    = 124
	boxHigh    = 26
	small      = 11.5
)

// Flow draws a state machine as SVG: every state is a column, in the order in which moves lead to them, and
// every move an arrow in a row of its own, with its event and what is done.
func Flow(w io.Writer, f *lab.Flow) error {
	columns := columnsOf(f)
	d := &chart.Drawing{Title: f.Title, Width: float64(2*edge + flowColumn*len(columns)), Height: float64(flowTop + boxHigh + flowRow*(len(f.Moves)+1))}
	for i := range columns {
		x := middleOf(i)
		d.Line(chart.Pen{Stroke: chart.Rule}, chart.Spot{X: x, Y: flowTop + boxHigh}, chart.Spot{X: x, Y: d.Height - 12})
	}
	for i, m := range sortedMoves(f, columns) {
		y := float64(flowTop + boxHigh + flowRow*(i+1))
		end := drawMove(d, m, middleOf(slices.Index(columns, m.From)), middleOf(slices.Index(columns, m.To)), y)
		d.Width = max(d.Width, end+edge)
	}
	for i, name := range columns {
		x := middleOf(i)
		d.Box(chart.Pen{Fill: chart.Paper}, chart.Spot{X: x - boxWide/2, Y: flowTop}, boxWide, boxHigh, 6, "")
		d.Box(chart.Pen{Fill: chart.Data, Stroke: chart.Soft, Faint: true}, chart.Spot{X: x - boxWide/2, Y: flowTop}, boxWide, boxHigh, 6, "")
		d.Word(chart.Word{At: chart.Spot{X: x, Y: flowTop + 17.5}, Text: name, Anchor: chart.Middle})
	}
	d.Word(chart.Word{At: chart.Spot{X: edge, Y: 28}, Text: f.Title, Size: 15, Bold: true})
	d.Width = max(d.Width, 2*edge+chart.Width(f.Title, 15, true))
	return d.Write(w, "svg")
}

func middleOf(column int) float64 { return float64(edge + boxWide/2 + flowColumn*column) }

// columnsOf lists the states: those of one kind of request together, in the order of how many moves lead there at most.
func columnsOf(f *lab.Flow) []string {
	depth, _ := f.Depths()
	return slices.SortedFunc(maps.Keys(depth), func(a, b string) int {
		kindA, _, _ := strings.Cut(a, " ")
		kindB, _, _ := strings.Cut(b, " ")
		return cmp.Or(cmp.Compare(kindA, kindB), depth[a]-depth[b], cmp.Compare(a, b))
	})
}

// sortedMoves lists the moves by where they begin.
func sortedMoves(f *lab.Flow, columns []string) []lab.FlowMove {
	moves := slices.Clone(f.Moves)
	slices.SortStableFunc(moves, func(a, b lab.FlowMove) int {
		return cmp.Or(slices.Index(columns, a.From)-slices.Index(columns, b.From), slices.Index(columns, a.To)-slices.Index(columns, b.To))
	})
	return moves
}

// drawMove draws an arrow from column to column, with its text above it, and returns where the text ends. What is done
// stands in another colour.
func drawMove(d *chart.Drawing, m lab.FlowMove, x1, x2, y float64) float64 {
	d.Circle(chart.Pen{Fill: chart.Text}, chart.Spot{X: x1, Y: y}, 3)
	drawArrow(d, chart.Pen{Stroke: chart.Text, Width: 1.3}, chart.Spot{X: x1, Y: y}, chart.Spot{X: x2, Y: y})
	event, x := m.Event, min(x1, x2)+8
	if m.Does != "" {
		event += ":"
	}
	end := x + chart.Width(event, small, false)
	if m.Does != "" {
		end += 4 + chart.Width(m.Does, small, false)
	}
	d.Box(chart.Pen{Fill: chart.Paper}, chart.Spot{X: x - 2, Y: y - 15}, end-x+2, 13, 0, "") // over the columns' lines
	d.Word(chart.Word{At: chart.Spot{X: x, Y: y - 5}, Text: event, Size: small})
	if m.Does != "" {
		d.Word(chart.Word{At: chart.Spot{X: x + 4 + chart.Width(event, small, false), Y: y - 5}, Text: m.Does, Size: small, Ink: chart.Data})
	}
	return end
}
