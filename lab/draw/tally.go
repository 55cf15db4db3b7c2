package draw

import (
	"io"

	"github.com/weft-mpi/weft/internal/chart"
	"github.com/weft-mpi/weft/lab"
)

// The measures of a picture of counts.
const (
	tallyWide  = 620
	tallyName  = 52 // room for a document's number
	tallyHead  = 40
	tallyRow   = 34
	tallyBar   = 12
	tallyGap   = 14 // between columns
	tallyLabel = 62 // least width of a column: its words
)

// Tallies draws the counts of documents as SVG: a row for each, a column for each kind. All bars have one scale; what was missed is
// an empty piece at the end.
func Tallies(w io.Writer, documents []lab.Tally) error {
	d := &chart.Drawing{Title: "Checks kept and missed, by document and kind", Width: tallyWide, Height: float64(tallyHead + tallyRow*len(documents) + 8)}
	most, sum := map[lab.Kind]int{}, 0
	for _, kind := range lab.Kinds() {
		for _, t := range documents {
			most[kind] = max(most[kind], t.Counts[kind].All)
		}
		sum += most[kind]
	}
	kinds := lab.Kinds()
	room := float64(tallyWide - edge - tallyName - len(kinds)*tallyGap)
	scale := (room - float64(tallyLabel*len(kinds))) / float64(max(sum, 1))
	x := float64(edge + tallyName)
	for _, kind := range kinds {
		head := chart.Word{At: chart.Spot{X: x, Y: 24}, Text: string(kind), Size: small, Ink: chart.Soft}
		if kind == lab.Prediction {
			head.Ink, head.Bold = chart.Text, true
		}
		d.Word(head)
		for i, t := range documents {
			drawCount(d, t.Counts[kind], chart.Spot{X: x, Y: float64(tallyHead + tallyRow*i)}, scale, kind == lab.Prediction)
		}
		x += tallyLabel + float64(most[kind])*scale + tallyGap
	}
	for i, t := range documents {
		d.Word(chart.Word{At: chart.Spot{X: edge, Y: float64(tallyHead + tallyRow*i + 24)}, Text: t.Document, Bold: true})
	}
	return d.Write(w, "svg")
}

// drawCount draws one cell: the numbers above, the bar below.
func drawCount(d *chart.Drawing, c lab.Count, at chart.Spot, scale float64, strong bool) {
	ink := chart.Soft
	if strong {
		ink = chart.Text
	}
	d.Word(chart.Word{At: chart.Spot{X: at.X, Y: at.Y + 11}, Text: c.String(), Size: small, Ink: ink})
	if c.All == 0 {
		return
	}
	fill := chart.Soft
	if strong {
		fill = chart.Data
	}
	kept, all := float64(c.Kept)*scale, float64(c.All)*scale
	bar := chart.Spot{X: at.X, Y: at.Y + 15}
	d.Box(chart.Pen{Fill: fill}, bar, kept, tallyBar, 0, c.String())
	if c.Kept < c.All {
		d.Box(chart.Pen{Fill: chart.Lines + 1, Stroke: chart.Lines + 1, Faint: true}, chart.Spot{X: at.X + kept, Y: bar.Y}, all-kept, tallyBar, 0, c.String())
	}
}
