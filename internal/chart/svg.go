package chart

import (
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// fonts are as wide as those that layouts reckon with.
const fonts = "Helvetica, Arial, 'Liberation Sans', sans-serif"

// writeSVG writes an element that can stand by itself or in a page. Its colours follow what the reader prefers.
func (d *Drawing) writeSVG(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" width=\"%[1]s\" height=\"%[2]s\" viewBox=\"0 0 %[1]s %[2]s\" role=\"img\" aria-label=\"%[3]s\" font-family=\"%[4]s\">\n",
		num(d.Width), num(d.Height), html.EscapeString(d.Title), fonts)
	d.style(&b)
	fmt.Fprintf(&b, "<rect class=\"f-paper\" width=\"%s\" height=\"%s\" rx=\"6\"/>\n", num(d.Width), num(d.Height))
	for _, p := range d.parts {
		p.svg(&b)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// style names the colours of the inks that are used. An ink has the same name in all drawings, so one page
// can hold many.
func (d *Drawing) style(b *strings.Builder) {
	used := []use{{Paper, false}}
	for _, p := range d.parts {
		for _, u := range p.inks() {
			if !slices.Contains(used, u) {
				used = append(used, u)
			}
		}
	}
	slices.SortFunc(used, func(a, b use) int {
		if a.ink != b.ink {
			return int(a.ink) - int(b.ink)
		}
		return strings.Compare(a.class(), b.class())
	})
	rules := func(colour func(shades) string) {
		for _, u := range used {
			fmt.Fprintf(b, ".%s{%s:#%s}", u.class(), u.property(), colour(inks[u.ink]))
		}
	}
	b.WriteString("<style>\n")
	rules(func(s shades) string { return s.light })
	b.WriteString("\n@media (prefers-color-scheme: dark) {")
	rules(func(s shades) string { return s.dark })
	b.WriteString("}\n</style>\n")
}

func (u use) class() string {
	if u.stroke {
		return "s-" + inks[u.ink].name
	}
	return "f-" + inks[u.ink].name
}

func (u use) property() string {
	if u.stroke {
		return "stroke"
	}
	return "fill"
}

// num writes a length to a tenth of a point.
func num(v float64) string {
	v = math.Round(v*10) / 10
	if v == 0 {
		return "0" // not -0
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// attributes are those of a pen.
func (p Pen) attributes(b *strings.Builder) {
	var classes []string
	for _, u := range p.inks() {
		classes = append(classes, u.class())
	}
	fmt.Fprintf(b, " class=\"%s\"", strings.Join(classes, " "))
	switch {
	case p.Fill == None:
		b.WriteString(` fill="none"`)
	case p.Faint:
		b.WriteString(` fill-opacity="` + strconv.FormatFloat(faint, 'f', -1, 64) + `"`)
	}
	if p.Stroke != None && p.Width != 0 {
		fmt.Fprintf(b, " stroke-width=\"%s\"", num(p.Width))
	}
	if p.Dash != nil {
		var lengths []string
		for _, l := range p.Dash {
			lengths = append(lengths, num(l))
		}
		fmt.Fprintf(b, " stroke-dasharray=\"%s\"", strings.Join(lengths, " "))
	}
}

// faint is how much of a faint filling is seen.
const faint = 0.3

func (p path) svg(b *strings.Builder) {
	b.WriteString("<path")
	p.pen.attributes(b)
	b.WriteString(` d="`)
	for i, s := range p.spots {
		b.WriteString("ML"[min(i, 1):][:1] + num(s.X) + " " + num(s.Y))
	}
	if p.closed {
		b.WriteString("z")
	}
	b.WriteString("\"/>\n")
}

func (c circle) svg(b *strings.Builder) {
	b.WriteString("<circle")
	c.pen.attributes(b)
	fmt.Fprintf(b, " cx=\"%s\" cy=\"%s\" r=\"%s\"/>\n", num(c.centre.X), num(c.centre.Y), num(c.radius))
}

func (x box) svg(b *strings.Builder) {
	b.WriteString("<rect")
	x.pen.attributes(b)
	fmt.Fprintf(b, " x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"", num(x.area.left), num(x.area.top), num(x.area.width()), num(x.area.height()))
	if x.round > 0 {
		fmt.Fprintf(b, " rx=\"%s\"", num(x.round))
	}
	if x.tip == "" {
		b.WriteString("/>\n")
		return
	}
	fmt.Fprintf(b, "><title>%s</title></rect>\n", html.EscapeString(x.tip))
}

func (w Word) svg(b *strings.Builder) {
	fmt.Fprintf(b, "<text class=\"%s\" font-size=\"%s\"", use{w.ink(), false}.class(), num(w.size()))
	if w.Angle == 0 {
		fmt.Fprintf(b, " x=\"%s\" y=\"%s\"", num(w.At.X), num(w.At.Y))
	} else {
		fmt.Fprintf(b, " transform=\"translate(%s %s) rotate(%s)\"", num(w.At.X), num(w.At.Y), num(w.Angle))
	}
	if w.Anchor != Start {
		b.WriteString(` text-anchor="` + map[Anchor]string{Middle: "middle", End: "end"}[w.Anchor] + `"`)
	}
	if w.Bold {
		b.WriteString(` font-weight="bold"`)
	}
	b.WriteString(">" + html.EscapeString(w.Text) + "</text>\n")
}
