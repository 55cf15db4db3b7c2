package chart

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// pdfPage is the contents of the one page of a PDF (ISO 32000-1), which counts lengths from the lower edge.
type pdfPage struct {
	b      strings.Builder
	height float64
}

// writePDF writes a file of one page, as large as the drawing, in the colours of light pages. Fonts are two
// of those that every reader of PDF has.
func (d *Drawing) writePDF(w io.Writer) error {
	page := &pdfPage{height: d.Height}
	for _, p := range d.parts {
		p.pdf(page)
	}
	font := func(name string) string {
		return "<< /Type /Font /Subtype /Type1 /BaseFont /" + name + " /Encoding /WinAnsiEncoding >>"
	}
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %s %s] /Contents 4 0 R /Resources << /Font << /Plain 5 0 R /Bold 6 0 R >> /ExtGState << /Full << /ca 1 >> /Faint << /ca %g >> >> >> >>",
			num(d.Width), num(d.Height), faint),
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", page.b.Len(), page.b.String()),
		font("Helvetica"),
		font("Helvetica-Bold"),
		"<< /Title (" + pdfText(d.Title) + ") >>",
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var offsets []int
	for i, text := range objects {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, text)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, len(objects), table)
	_, err := w.Write(b.Bytes())
	return err
}

// op writes an operator after its numbers.
func (p *pdfPage) op(name string, numbers ...float64) {
	for _, v := range numbers {
		p.b.WriteString(strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64) + " ")
	}
	p.b.WriteString(name + "\n")
}

// colour sets the colour that fills, or that strokes.
func (p *pdfPage) colour(ink Ink, operator string) {
	v, _ := strconv.ParseUint(inks[ink].light, 16, 32) // the table's own digits
	p.op(operator, float64(v>>16)/255, float64(v>>8&0xff)/255, float64(v&0xff)/255)
}

// pen sets colours, width and dashes, and returns the operator that paints with them.
func (p *pdfPage) pen(pen Pen) string {
	if pen.Fill != None {
		p.b.WriteString(map[bool]string{true: "/Faint gs\n", false: "/Full gs\n"}[pen.Faint])
		p.colour(pen.Fill, "rg")
	}
	if pen.Stroke == None {
		return "f"
	}
	p.colour(pen.Stroke, "RG")
	width := pen.Width
	if width == 0 {
		width = 1
	}
	p.op("w", width)
	p.b.WriteString("[")
	for _, l := range pen.Dash {
		p.b.WriteString(num(l) + " ")
	}
	p.b.WriteString("] 0 d\n")
	if pen.Fill == None {
		return "S"
	}
	return "B"
}

func (x path) pdf(p *pdfPage) {
	paint := p.pen(x.pen)
	for i, s := range x.spots {
		p.op("ml"[min(i, 1):][:1], s.X, p.height-s.Y)
	}
	if x.closed {
		p.op("h")
	}
	p.op(paint)
}

// pdf draws a circle as four curves.
func (c circle) pdf(p *pdfPage) {
	const k = 0.5523 // a curve with such handles is a quarter of a circle, but for a thousandth
	paint := p.pen(c.pen)
	x, y, r := c.centre.X, p.height-c.centre.Y, c.radius
	p.op("m", x+r, y)
	p.op("c", x+r, y+k*r, x+k*r, y+r, x, y+r)
	p.op("c", x-k*r, y+r, x-r, y+k*r, x-r, y)
	p.op("c", x-r, y-k*r, x-k*r, y-r, x, y-r)
	p.op("c", x+k*r, y-r, x+r, y-k*r, x+r, y)
	p.op(paint)
}

func (x box) pdf(p *pdfPage) {
	paint := p.pen(x.pen)
	p.op("re", x.area.left, p.height-x.area.bottom, x.area.width(), x.area.height())
	p.op(paint)
}

func (w Word) pdf(p *pdfPage) {
	font := "/Plain"
	if w.Bold {
		font = "/Bold"
	}
	p.b.WriteString("/Full gs\n")
	p.colour(w.ink(), "rg")
	back := advance(w.Text, w.size()) * float64(w.Anchor) / 2
	sin, cos := math.Sincos(-w.Angle * math.Pi / 180)
	p.b.WriteString("BT " + font + " ")
	p.op("Tf", w.size())
	p.op("Tm", cos, sin, -sin, cos, w.At.X-back*cos, p.height-w.At.Y-back*sin)
	p.b.WriteString("(" + pdfText(w.Text) + ") Tj ET\n")
}

// pdfText is a text in the fonts' encoding, in which letters above ASCII have the numbers of Latin-1.
func pdfText(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '(' || r == ')' || r == '\\':
			b.WriteString(`\` + string(r))
		case r >= ' ' && r <= '~':
			b.WriteRune(r)
		case r >= 0xa0 && r <= 0xff:
			fmt.Fprintf(&b, "\\%03o", r)
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
}
