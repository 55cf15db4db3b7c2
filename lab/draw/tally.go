package draw

import (
	"io"

	"github.com/weft-mpi/weft/internal/chart"
	"github.com/weft-mpi/weft/lab"
)

// The measures of a picture of counts.
const (
	tallyWide  = 500
	tallyName  = 36 // room for a document's number
	tallyHead  = 34
	tallyRow   = 36
	tallyBar   = 12
	tallyGap   = 12 // between columns
	tallyLabel = 60 // least width of a column: its words
)

// Tallies draws the counts of documents as SVG: a row for each, a column for each kind. All bars have one
// scale; what was missed is an empty piece at the end.
func Tallies(w io.Writer, documents []lab.Tally) error {
	d := &chart.Drawing{Title: "Checks kept and missed, by document and kind", Width: tallyWide, Height: float64(tallyHead + tallyRow*len(documents) + 8)}
	scale := tallyScale(documents)
	x := float64(edge + tallyName)
	for _, kind := range lab.Kinds() {
		head := chart.Word{At: chart.Spot{X: x, Y: 22}, Text: string(kind), Ink: chart.Soft}
		if kind == lab.Prediction {
			head.Ink, head.Bold = chart.Text, true
		}
		d.Word(head)
		for i, t := range documents {
			drawCount(d, t.Counts[kind], chart.Spot{X: x, Y: float64(tallyHead + tallyRow*i)}, scale, kind == lab.Prediction)
		}
		x += tallyColumn(documents, kind, scale) + tallyGap
	}
	for i, t := range documents {
		d.Word(chart.Word{At: chart.Spot{X: edge, Y: float64(tallyHead + tallyRow*i + 25)}, Text: t.Document, Bold: true})
	}
	return d.Write(w, "svg")
}

// tallyColumn is how wide the column of a kind is: its longest bar, or its words.
func tallyColumn(documents []lab.Tally, kind lab.Kind, scale float64) float64 {
	wide := float64(tallyLabel)
	for _, t := range documents {
		wide = max(wide, float64(t.Counts[kind].All)*scale)
	}
	return wide
}

// tallyScale is the greatest length of one check with which the columns have room side by side.
func tallyScale(documents []lab.Tally) float64 {
	for scale := 8.0; scale > 0.01; scale *= 0.97 {
		room := float64(tallyWide - 2*edge - tallyName)
		for i, kind := range lab.Kinds() {
			room -= tallyColumn(documents, kind, scale)
			if i > 0 {
				room -= tallyGap
			}
		}
		if room >= 0 {
			return scale
		}
	}
	return 0.01
}

// drawCount draws one cell: the numbers above, the bar below.
func drawCount(d *chart.Drawing, c lab.Count, at chart.Spot, scale float64, strong bool) {
	ink := chart.Soft
	if strong {
		ink = chart.Text
	}
	d.Word(chart.Word{At: chart.Spot{X: at.X, Y: at.Y + 12}, Text: c.String(), Ink: ink})
	if c.All == 0 {
		return
	}
	fill := chart.Soft
	if strong {
		fill = chart.Data
	}
	kept, all := float64(c.Kept)*scale, float64(c.All)*scale
	bar := chart.Spot{X: at.X, Y: at.Y + 16}
	d.Box(chart.Pen{Fill: fill}, bar, kept, tallyBar, 0, c.String())
	if c.Kept < c.All {
		d.Box(chart.Pen{Fill: chart.Lines + 1, Stroke: chart.Lines + 1, Faint: true}, chart.Spot{X: at.X + kept, Y: bar.Y}, all-kept, tallyBar, 0, c.String())
	}
}
