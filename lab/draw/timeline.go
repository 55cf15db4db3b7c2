package draw

import (
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/wire"
	"github.com/weft-mpi/weft/lab"
)

// The measures of a timeline, in pixels.
const (
	lanesWide = 860
	laneTop   = 56
	laneStep  = 120
	laneHigh  = 22
	letter    = 7 // about, of the lanes' names
	ticks     = 6 // about
)

func escape(s string) string { return html.EscapeString(s) }

// frame places times on the drawing.
type frame struct {
	from, to int64
	left     float64 // where time begins: right of the lanes' names
	steps    bool    // not time, but steps of a scenario
}

func frameOf(t *lab.Timeline) frame {
	f, any := frame{left: 30, steps: t.Steps}, false
	for _, name := range t.Lanes {
		f.left = max(f.left, float64(letter*len(name)+14))
	}
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

func (f frame) x(at int64) float64 {
	return f.left + lanesWide*float64(at-f.from)/float64(f.to-f.from)
}

func laneY(rank int) float64 { return laneTop + float64(rank*laneStep) }

// Timeline draws lanes and arrows as SVG. Colours are those of the text around it, and two that suit light and dark pages.
// An arrow ends where its packet lands, if that is known, and else where the library on the other side sees it.
func Timeline(w io.Writer, t *lab.Timeline) error {
	f := frameOf(t)
	bottom := laneTop + max(len(t.Lanes)-1, 0)*laneStep + laneHigh
	wide, high := f.left+lanesWide+40, bottom+62
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="timeline" role="img" aria-label="%s" viewBox="0 0 %.0f %d" font-family="sans-serif" font-size="13" fill="currentColor" stroke="none">`,
		escape(t.Title), wide, high)
	fmt.Fprintf(&b, "\n<text x=\"4\" y=\"20\" font-weight=\"bold\">%s</text>\n", escape(t.Title))
	f.axis(&b, float64(bottom+26))
	for i, name := range t.Lanes {
		y := laneY(i) + laneHigh
		fmt.Fprintf(&b, "<text x=\"4\" y=\"%.1f\">%s</text><line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"currentColor\" stroke-opacity=\"0.5\"/>\n",
			y-6, escape(name), f.left, f.left+lanesWide, y, y)
	}
	for _, s := range t.Spans {
		f.span(&b, s)
	}
	for _, a := range t.Arrows {
		f.arrow(&b, a)
	}
	fmt.Fprintf(&b, "<text x=\"%.1f\" y=\"%d\" font-size=\"11\" fill-opacity=\"0.7\">%s</text>\n", f.left, high-8, captionOf(t))
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// captionOf says what arrows mean.
func captionOf(t *lab.Timeline) string {
	if slices.ContainsFunc(t.Arrows, func(a lab.Arrow) bool { return a.Landed != 0 }) {
		return "an arrow ends where a packet is in the other side's memory; dashes: it lies there until the library looks; thick: the message itself"
	}
	return "an arrow leads from where a packet leaves to where the other side's library sees it; thick: the message itself"
}

// The colours of the drawing beside the text's own.
const (
	busyColour = "#e08a2c" // a program that computes
	dataColour = "#2a7fd4" // the bytes of a message
)

// faint are the times in which a rank only waits for others.
var faint = []string{"wait", "Wait", "blocking call", "Send", "Recv"}

// span draws what a rank did. A bar too narrow for its name has it above.
func (f frame) span(b *strings.Builder, s lab.Span) {
	fill, opacity := "currentColor", "0.6"
	switch {
	case s.What == "compute":
		fill, opacity = busyColour, "0.55"
	case slices.Contains(faint, s.What):
		opacity = "0.15"
	}
	x, wide, y := f.x(s.From), max(f.x(s.To)-f.x(s.From), 2.5), laneY(s.Rank)
	fmt.Fprintf(b, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\" fill-opacity=\"%s\" stroke=\"currentColor\" stroke-width=\"0.7\"><title>%s, %s</title></rect>\n",
		x, y, wide, laneHigh, fill, opacity, escape(s.What), f.micros(s.To-s.From))
	if wide > float64(letter*len(s.What)) {
		fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"11\" text-anchor=\"middle\">%s</text>\n", x+wide/2, y+15, escape(s.What))
	} else {
		fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"11\">%s</text>\n", x, y-4, escape(s.What))
	}
}

// arrow draws a packet from lane to lane, with its name along it if the arrow is not too steep.
func (f frame) arrow(b *strings.Builder, a lab.Arrow) {
	y1, y2 := laneY(a.From)+laneHigh, laneY(a.To)
	if a.To < a.From {
		y1, y2 = laneY(a.From), laneY(a.To)+laneHigh
	}
	ends := a.Received
	if a.Landed != 0 {
		ends = a.Landed
	}
	x1, x2 := f.x(a.Sent), f.x(ends)
	colour, width, share := "currentColor", 1.3, 0.6
	if slices.Contains(payloads, a.What) {
		colour, width, share = dataColour, 3.5, 0.4
	}
	f.lies(b, a, x2, y2+math.Copysign(5, y1-y2))
	long := math.Hypot(x2-x1, y2-y1)
	ux, uy := (x2-x1)/long, (y2-y1)/long
	fmt.Fprintf(b, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"/>", x1, y1, x2-6*ux, y2-6*uy, colour, width)
	fmt.Fprintf(b, "<path fill=\"%s\" d=\"M%.1f %.1f L%.1f %.1f L%.1f %.1f z\"/>", colour,
		x2, y2, x2-10*ux-4.5*uy, y2-10*uy+4.5*ux, x2-10*ux+4.5*uy, y2-10*uy-4.5*ux)
	x, y, angle := x1+share*(x2-x1), y1+share*(y2-y1), math.Atan2(y2-y1, x2-x1)*180/math.Pi
	if math.Abs(angle) <= steep {
		fmt.Fprintf(b, "<text transform=\"translate(%.1f %.1f) rotate(%.1f)\" y=\"-5\" font-size=\"11\" text-anchor=\"middle\">%s</text>\n", x, y, angle, escape(labelOf(a)))
		return
	}
	anchor := "start"
	if x > f.left+lanesWide-50 {
		anchor, x = "end", x-10
	}
	fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"11\" text-anchor=\"%s\">%s</text>\n", x+5, y+4, anchor, escape(labelOf(a)))
}

// lies draws the time in which a packet lies in memory and the library does not look. The end of a transfer is seen by
// whoever began it, so there is nothing to wait for.
func (f frame) lies(b *strings.Builder, a lab.Arrow, from, y float64) {
	if seen := f.x(a.Received); a.Landed != 0 && seen-from > 4 && !slices.Contains(payloads, a.What) {
		fmt.Fprintf(b, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"currentColor\" stroke-width=\"1.3\" stroke-dasharray=\"3 3\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>", from, seen, y, y, seen, y)
		fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"10\" text-anchor=\"end\" fill-opacity=\"0.8\">seen</text>\n", seen-6, y+math.Copysign(10, y-laneY(a.To)-laneHigh/2)+3)
	}
}

// steep is the angle in degrees above which a name stands beside its arrow.
const steep = 55

// payloads are the arrows that carry a long message.
var payloads = []string{"read", "write", wire.Data.String()}

func labelOf(a lab.Arrow) string {
	if a.Bytes > 0 {
		return fmt.Sprintf("%s %s", a.What, bytesText(a.Bytes))
	}
	return a.What
}

func bytesText(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}

func (f frame) axis(b *strings.Builder, y float64) {
	step := int64(1)
	for (f.to-f.from)/step > ticks {
		switch {
		case (f.to-f.from)/(2*step) <= ticks:
			step *= 2
		case (f.to-f.from)/(5*step) <= ticks:
			step *= 5
		default:
			step *= 10
		}
	}
	for at := int64(0); at <= f.to-f.from; at += step {
		x := f.x(f.from + at)
		fmt.Fprintf(b, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%.1f\" stroke=\"currentColor\" stroke-opacity=\"0.12\"/><text x=\"%.1f\" y=\"%.1f\" font-size=\"11\" text-anchor=\"middle\">%s</text>\n",
			x, x, laneTop-12, y-1, x, y+12, f.micros(at))
	}
}

func (f frame) micros(nano int64) string {
	if f.steps {
		return fmt.Sprintf("step %d", nano/1000)
	}
	return fmt.Sprintf("%.4g us", float64(nano)/1e3)
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
