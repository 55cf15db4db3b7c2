package draw

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/weft-mpi/weft/lab"
)

// The measures of a timeline, in pixels.
const (
	lanesLeft = 90
	lanesWide = 860
	laneTop   = 46
	laneStep  = 120
	laneHigh  = 22
	ticks     = 6 // about
)

func escape(s string) string { return html.EscapeString(s) }

// frame places times on the drawing.
type frame struct{ from, to int64 }

func frameOf(t *lab.Timeline) frame {
	f, any := frame{}, false
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
	return lanesLeft + lanesWide*float64(at-f.from)/float64(f.to-f.from)
}

func laneY(rank int) float64 { return laneTop + float64(rank*laneStep) }

// Timeline draws lanes and arrows as SVG. Colours are those of the text around it, so that it suits dark pages too.
func Timeline(w io.Writer, t *lab.Timeline) error {
	f := frameOf(t)
	high := laneTop + max(len(t.Lanes)-1, 0)*laneStep + laneHigh + 48
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="timeline" role="img" aria-label="%s" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13" fill="currentColor" stroke="none">`,
		escape(t.Title), lanesLeft+lanesWide+30, high)
	fmt.Fprintf(&b, "\n<text x=\"%d\" y=\"20\" font-weight=\"bold\">%s</text>\n", lanesLeft, escape(t.Title))
	for i, name := range t.Lanes {
		y := laneY(i) + laneHigh/2
		fmt.Fprintf(&b, "<text x=\"4\" y=\"%.1f\">%s</text><line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"currentColor\" stroke-opacity=\"0.4\"/>\n",
			y+4, escape(name), lanesLeft, lanesLeft+lanesWide, y, y)
	}
	for _, s := range t.Spans {
		f.span(&b, s)
	}
	for i, a := range t.Arrows {
		f.arrow(&b, i, a)
	}
	f.axis(&b, float64(high-22))
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// shades tell what a rank does: hatching is left to print, so brightness differs.
var shades = map[string]string{"compute": "0.45", "wait": "0.12", "blocking call": "0.12", "call": "0.75"}

func (f frame) span(b *strings.Builder, s lab.Span) {
	opacity, ok := shades[s.What]
	if !ok {
		opacity = "0.25"
	}
	x, wide := f.x(s.From), max(f.x(s.To)-f.x(s.From), 1.5)
	fmt.Fprintf(b, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill-opacity=\"%s\" stroke=\"currentColor\" stroke-width=\"0.7\"><title>%s, %s</title></rect>\n",
		x, laneY(s.Rank), wide, laneHigh, opacity, escape(s.What), micros(s.To-s.From))
	if wide > float64(8*len(s.What)) {
		fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"11\" text-anchor=\"middle\">%s</text>\n", x+wide/2, laneY(s.Rank)+15, escape(s.What))
	}
}

// arrow draws a packet from lane to lane. Labels of packets that leave one after the other stand at different heights.
func (f frame) arrow(b *strings.Builder, i int, a lab.Arrow) {
	y1, y2, point := laneY(a.From)+laneHigh, laneY(a.To), -8.0
	if a.To < a.From {
		y1, y2, point = laneY(a.From), laneY(a.To)+laneHigh, 8.0
	}
	x1, x2 := f.x(a.Sent), f.x(a.Received)
	fmt.Fprintf(b, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"currentColor\" stroke-width=\"1.3\"/>", x1, y1, x2, y2)
	fmt.Fprintf(b, "<path d=\"M%.1f %.1f l-4 %.1f h8 z\"/>", x2, y2, point)
	share := 0.3 + 0.2*float64(i%3)
	fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"11\">%s</text>\n", x1+(x2-x1)*share+5, y1+(y2-y1)*share+4, escape(labelOf(a)))
}

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
		fmt.Fprintf(b, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"currentColor\"/><text x=\"%.1f\" y=\"%.1f\" font-size=\"11\" text-anchor=\"middle\">%s</text>\n",
			x, x, y-6, y-1, x, y+12, micros(at))
	}
}

func micros(nano int64) string { return fmt.Sprintf("%.4g us", float64(nano)/1e3) }

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
		all = append(all, entry{s.From, fmt.Sprintf("%s: %s for %s", lane(s.Rank), s.What, micros(s.To-s.From))})
	}
	for _, a := range t.Arrows {
		all = append(all, entry{a.Sent, fmt.Sprintf("%s --- %s --> %s, there after %s", lane(a.From), labelOf(a), lane(a.To), micros(a.Received-a.Sent))})
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
		fmt.Fprintf(&b, "%12s  %s\n", micros(all[first].at-f.from), all[first].text)
		all = append(all[:first], all[first+1:]...)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
