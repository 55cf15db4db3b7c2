package draw

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/chart"
	"github.com/weft-mpi/weft/internal/wire"
	"github.com/weft-mpi/weft/lab"
)

// The measures of a timeline.
const (
	lanesWide = 760 // with their names
	laneStep  = 104
	laneHigh  = 22
	headSize  = 15
	headLine  = 20
	ticks     = 8 // about
)

// frame places times and lanes on the drawing.
type frame struct {
	*chart.Drawing
	from, to  int64
	left, top float64 // where time begins, right of the lanes' names; where the first lane begins
	steps     bool    // not time, but steps of a scenario
	labels    *chart.Placer
}

func frameOf(t *lab.Timeline) *frame {
	f, any := &frame{steps: t.Steps}, false
	see := func(from, to int64) {
		if !any || from < f.from {
			f.from = from
		}
		if !any || to > f.to {
			f.to = to
		}
		any = true
	}
	for _, s := range t.Spans {
		see(s.From, s.To)
	}
	for _, a := range t.Arrows {
		see(a.Sent, a.Received)
	}
	if f.to <= f.from {
		f.to = f.from + 1
	}
	return f
}

func (f *frame) x(at int64) float64 {
	return f.left + (lanesWide-2*edge-f.left)*float64(at-f.from)/float64(f.to-f.from)
}

func (f *frame) laneY(rank int) float64 { return f.top + float64(rank*laneStep) }

// Timeline draws lanes and arrows as SVG. An arrow ends where its packet lands, if that is known, and else
// where the library on the other side sees it.
func Timeline(w io.Writer, t *lab.Timeline) error {
	f := frameOf(t)
	f.Drawing = &chart.Drawing{Title: t.Title, Width: lanesWide}
	f.top = edge + 24
	for _, text := range chart.Wrap(t.Title, headSize, lanesWide-2*edge, true) {
		f.Word(chart.Word{At: chart.Spot{X: edge, Y: f.top - 12}, Text: text, Size: headSize, Bold: true})
		f.top += headLine
	}
	for _, name := range append(t.Lanes, f.title()) {
		f.left = max(f.left, edge+12+chart.Width(name, 12, false))
	}
	bottom := f.laneY(max(len(t.Lanes)-1, 0)) + laneHigh
	f.axis(bottom + 20)
	f.lanes(t)
	f.labels = chart.NewPlacer(f.left-10, f.top-20, lanesWide-4, bottom+18)
	for _, a := range t.Arrows {
		f.labels.Avoid(f.ends(a))
	}
	for _, s := range t.Spans {
		f.labels.Take(f.x(s.From), f.laneY(s.Rank), f.x(s.To), f.laneY(s.Rank)+laneHigh)
	}
	for _, s := range t.Spans {
		f.span(s)
	}
	for _, a := range t.Arrows {
		f.arrow(a)
	}
	y := bottom + 66
	for _, text := range chart.Wrap(f.captionOf(t), small, lanesWide-f.left-edge, false) {
		f.Word(chart.Word{At: chart.Spot{X: f.left, Y: y}, Text: text, Size: small, Ink: chart.Soft})
		y += 15
	}
	f.Height = y
	return f.Write(w, "svg")
}

// lanes draws the names of the lanes and the lines below them.
func (f *frame) lanes(t *lab.Timeline) {
	for i, name := range t.Lanes {
		y := f.laneY(i) + laneHigh
		f.Word(chart.Word{At: chart.Spot{X: edge, Y: y - 7}, Text: name})
		f.Line(chart.Pen{Stroke: chart.Soft}, chart.Spot{X: f.left, Y: y}, chart.Spot{X: lanesWide - 2*edge, Y: y})
	}
}

// captionOf says what arrows mean, as far as there are such arrows.
func (f *frame) captionOf(t *lab.Timeline) string {
	text := "An arrow leads from where a packet leaves to where the other side's library sees it."
	if slices.ContainsFunc(t.Arrows, func(a lab.Arrow) bool { return a.Landed != 0 }) {
		text = "An arrow ends where a packet is in the other side's memory."
	}
	if slices.ContainsFunc(t.Arrows, f.waits) {
		text += " Dashes: it lies there until the library looks."
	}
	if slices.ContainsFunc(t.Arrows, func(a lab.Arrow) bool { return slices.Contains(payloads, a.What) }) {
		text += " Thick: the message itself."
	}
	return text
}

// span draws what a rank did: it computes, or it is in a call of the library. A bar too narrow for its name
// has it beside.
func (f *frame) span(s lab.Span) {
	pen := chart.Pen{Fill: chart.Rule, Stroke: chart.Soft, Width: 0.7}
	if s.What == "compute" {
		pen = chart.Pen{Fill: chart.Busy, Stroke: chart.Busy, Width: 0.7, Faint: true}
	}
	x, wide, y := f.x(s.From), max(f.x(s.To)-f.x(s.From), 2.5), f.laneY(s.Rank)
	f.Box(pen, chart.Spot{X: x, Y: y}, wide, laneHigh, 0, s.What+", "+f.micros(s.To-s.From))
	word := chart.Word{Text: s.What, Size: small}
	if wide > chart.Width(s.What, small, false)+4 {
		word.At, word.Anchor = chart.Spot{X: x + wide/2, Y: y + 15}, chart.Middle
		f.Word(word)
		return
	}
	f.label(around(word, chart.Spot{X: x, Y: y}, wide)...)
}

// label writes a word at the best of several places, or leaves it out where it would stand on another one.
func (f *frame) label(places ...chart.Word) {
	if w, free := f.labels.Choose(places...); free {
		f.Word(w)
	}
}

// around lists places for a word near a bar: above it, below it, further up.
func around(w chart.Word, at chart.Spot, wide float64) []chart.Word {
	var all []chart.Word
	for _, dy := range []float64{-5, laneHigh + 13, -18, laneHigh + 26} {
		for _, x := range []struct {
			at     float64
			anchor chart.Anchor
		}{{at.X, chart.Start}, {at.X + wide, chart.End}, {at.X + wide/2, chart.Middle}, {at.X + wide + 6, chart.Start}, {at.X - 6, chart.End}} {
			w.At, w.Anchor = chart.Spot{X: x.at, Y: at.Y + dy}, x.anchor
			all = append(all, w)
		}
	}
	return all
}

// ends are where an arrow begins and where it ends.
func (f *frame) ends(a lab.Arrow) (from, to chart.Spot) {
	y1, y2 := f.laneY(a.From)+laneHigh, f.laneY(a.To)
	if a.To < a.From {
		y1, y2 = f.laneY(a.From), f.laneY(a.To)+laneHigh
	}
	ends := a.Received
	if a.Landed != 0 {
		ends = a.Landed
	}
	return chart.Spot{X: f.x(a.Sent), Y: y1}, chart.Spot{X: f.x(ends), Y: y2}
}

// arrow draws a packet from lane to lane, with its name beside it.
func (f *frame) arrow(a lab.Arrow) {
	from, to := f.ends(a)
	f.lies(a, to.X, to.Y+math.Copysign(5, from.Y-to.Y))
	pen := chart.Pen{Stroke: chart.Text, Width: 1.3}
	if slices.Contains(payloads, a.What) {
		pen = chart.Pen{Stroke: chart.Data, Width: 3.5}
	}
	drawArrow(f.Drawing, pen, from, to)
	var places []chart.Word
	for _, share := range []float64{0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8} {
		x, y := from.X+share*(to.X-from.X), from.Y+share*(to.Y-from.Y)
		word := func(dx, dy float64, anchor chart.Anchor) {
			places = append(places, chart.Word{At: chart.Spot{X: x + dx, Y: y + dy}, Text: labelOf(a), Size: small, Anchor: anchor})
		}
		for _, away := range []float64{7, 13} {
			word(away, 4, chart.Start)
			word(-away, 4, chart.End)
			word(0, -away, chart.Middle)
			word(0, -away-6, chart.Middle)
			word(0, away+8, chart.Middle)
		}
	}
	f.label(places...)
}

// drawArrow draws a line with a head at its end.
func drawArrow(d *chart.Drawing, pen chart.Pen, from, to chart.Spot) {
	long := math.Hypot(to.X-from.X, to.Y-from.Y)
	if long == 0 {
		return // from a state to itself
	}
	ux, uy := (to.X-from.X)/long, (to.Y-from.Y)/long
	d.Line(pen, from, chart.Spot{X: to.X - 6*ux, Y: to.Y - 6*uy})
	d.Area(chart.Pen{Fill: pen.Stroke}, to, chart.Spot{X: to.X - 10*ux - 4.5*uy, Y: to.Y - 10*uy + 4.5*ux}, chart.Spot{X: to.X - 10*ux + 4.5*uy, Y: to.Y - 10*uy - 4.5*ux})
}

// waits tells whether a packet lies in memory for long enough to be drawn. The end of a transfer is seen by
// whoever began it, so there is nothing to wait for.
func (f *frame) waits(a lab.Arrow) bool {
	return a.Landed != 0 && f.x(a.Received)-f.x(a.Landed) > 4 && !slices.Contains(payloads, a.What)
}

// lies draws the time in which a packet lies in memory and the library does not look.
func (f *frame) lies(a lab.Arrow, from, y float64) {
	seen := f.x(a.Received)
	if !f.waits(a) {
		return
	}
	f.Line(chart.Pen{Stroke: chart.Text, Width: 1.3, Dash: []float64{3, 3}}, chart.Spot{X: from, Y: y}, chart.Spot{X: seen, Y: y})
	f.Circle(chart.Pen{Fill: chart.Text}, chart.Spot{X: seen, Y: y}, 3)
	f.labels.Avoid(chart.Spot{X: from, Y: y}, chart.Spot{X: seen, Y: y})
	word := chart.Word{Text: "seen", Size: small, Ink: chart.Soft}
	f.label(around(word, chart.Spot{X: seen - 3, Y: y - laneHigh/2}, 6)...)
}

// payloads are the arrows that carry a long message.
var payloads = []string{"read", "write", wire.Data.String()}

func labelOf(a lab.Arrow) string {
	if a.Bytes > 0 {
		return a.What + " " + chart.SizeText(a.Bytes)
	}
	return a.What
}

// axis draws the ticks of time, or of steps, below the lanes.
func (f *frame) axis(y float64) {
	chart.Ticks(0, float64(f.to-f.from)/1e3, ticks, func(v float64, text string) {
		x := f.x(f.from + int64(v*1e3))
		f.Line(chart.Pen{Stroke: chart.Rule}, chart.Spot{X: x, Y: f.top - 12}, chart.Spot{X: x, Y: y})
		f.Word(chart.Word{At: chart.Spot{X: x, Y: y + 14}, Text: text, Size: small, Anchor: chart.Middle})
	})
	f.Word(chart.Word{At: chart.Spot{X: f.left - 12, Y: y + 14}, Text: f.title(), Size: small, Ink: chart.Soft, Anchor: chart.End})
}

// title is what the axis counts.
func (f *frame) title() string {
	if f.steps {
		return "step"
	}
	return "time (µs)"
}

func (f *frame) micros(nano int64) string {
	if f.steps {
		return fmt.Sprintf("step %d", nano/1000)
	}
	return fmt.Sprintf("%.4g µs", float64(nano)/1e3)
}

// Story writes a timeline as lines of text, in the order of time.
func Story(w io.Writer, t *lab.Timeline) error {
	f := frameOf(t)
	type entry struct {
		at   int64
		text string
	}
	var all []entry
	lane := func(i int) string {
		if i >= 0 && i < len(t.Lanes) {
			return t.Lanes[i]
		}
		return fmt.Sprint("rank ", i)
	}
	for _, s := range t.Spans {
		all = append(all, entry{s.From, fmt.Sprintf("%s: %s for %s", lane(s.Rank), s.What, f.micros(s.To-s.From))})
	}
	for _, a := range t.Arrows {
		text := fmt.Sprintf("%s --- %s --> %s, ", lane(a.From), labelOf(a), lane(a.To))
		if a.Landed != 0 {
			text += fmt.Sprintf("there after %s, ", f.micros(a.Landed-a.Sent))
		}
		all = append(all, entry{a.Sent, text + "seen after " + f.micros(a.Received-a.Sent)})
	}
	var b strings.Builder
	fmt.Fprintln(&b, t.Title)
	for len(all) > 0 {
		first := 0
		for i, e := range all {
			if e.at < all[first].at {
				first = i
			}
		}
		fmt.Fprintf(&b, "%12s  %s\n", f.micros(all[first].at-f.from), all[first].text)
		all = append(all[:first], all[first+1:]...)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
