package draw

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/lab"
)

// The measures of a flow, in pixels.
const (
	flowLeft   = 20
	flowTop    = 40
	flowColumn = 165 // from state to state
	flowRow    = 34  // from move to move
	boxWide    = 120
	boxHigh    = 26
)

// Flow draws a state machine as SVG: every state is a column, in the order in which moves lead to them, and every move an
// arrow in a row of its own, with its event and what is done.
func Flow(w io.Writer, f *lab.Flow) error {
	columns := columnsOf(f)
	wide, high := 2*flowLeft+flowColumn*len(columns), flowTop+boxHigh+flowRow*(len(f.Moves)+1)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="timeline" role="img" aria-label="%s" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13" fill="currentColor" stroke="none">`,
		escape(f.Title), wide, high)
	fmt.Fprintf(&b, "\n<text x=\"%d\" y=\"20\" font-weight=\"bold\">%s</text>\n", flowLeft, escape(f.Title))
	for i, name := range columns {
		x := middleOf(i)
		fmt.Fprintf(&b, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"%s\" fill-opacity=\"0.25\" stroke=\"currentColor\"/><text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>",
			x-boxWide/2, flowTop, boxWide, boxHigh, dataColour, x, flowTop+18, escape(name))
		fmt.Fprintf(&b, "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"currentColor\" stroke-opacity=\"0.3\"/>\n", x, x, flowTop+boxHigh, high-10)
	}
	for i, m := range sortedMoves(f, columns) {
		drawMove(&b, m, middleOf(slices.Index(columns, m.From)), middleOf(slices.Index(columns, m.To)), flowTop+boxHigh+flowRow*(i+1))
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func middleOf(column int) int { return flowLeft + boxWide/2 + 4 + flowColumn*column }

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

// drawMove draws an arrow from column to column, with its text above it. What is done stands in another colour.
func drawMove(b *strings.Builder, m lab.FlowMove, x1, x2, y int) {
	back, left := 9, min(x1, x2)
	if x2 < x1 {
		back = -back
	}
	fmt.Fprintf(b, "<circle cx=\"%d\" cy=\"%d\" r=\"3\"/><line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"currentColor\" stroke-width=\"1.3\"/><path d=\"M%d %d l%d -4.5 v9 z\"/>",
		x1, y, x1, x2-back, y, y, x2, y, -back)
	fmt.Fprintf(b, "<text x=\"%d\" y=\"%d\" font-size=\"11\">%s", left+8, y-5, escape(m.Event))
	if m.Does != "" {
		fmt.Fprintf(b, ": <tspan fill=\"%s\">%s</tspan>", dataColour, escape(m.Does))
	}
	b.WriteString("</text>\n")
}
