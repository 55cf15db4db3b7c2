package chart

import (
	"regexp"
	"strings"
)

// helvetica are the widths of the letters from space to tilde, in thousandths of their size (Adobe's metrics of the
// typeface, which Arial and Liberation Sans share).
var helvetica = [...]int{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, // space to /
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // 0 to ?
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // @ to O
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // P to _
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // ` to o
	556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, // p to ~
}

// advance is how wide a text is in letters of a size, in the fonts that a drawing names.
func advance(text string, size float64) float64 {
	sum := 0
	for _, r := range text {
		switch i := int(r) - ' '; {
		case i >= 0 && i < len(helvetica):
			sum += helvetica[i]
		default:
			sum += 600
		}
	}
	return float64(sum) * size / 1000
}

// How much wider letters may be, if a reader has other fonts: DejaVu's are the widest that are common.
const (
	wider     = 1.14
	widerBold = 1.3
)

// Width is how much room a text takes in letters of a size.
func Width(text string, size float64, bold bool) float64 {
	if bold {
		return widerBold * advance(text, size)
	}
	return wider * advance(text, size)
}

// Wrap breaks a text into lines that are at most so wide, where it can.
func Wrap(text string, size, width float64, bold bool) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch longer := line + " " + word; {
		case line == "":
			line = word
		case Width(longer, size, bold) <= width:
			line = longer
		default:
			lines = append(lines, line)
			line = word
		}
	}
	if line == "" {
		return lines
	}
	return append(lines, line)
}

// micro matches microseconds as results write them, which use ASCII alone.
var micro = regexp.MustCompile(`([0-9] ?|\()us\b`)

// Spell writes a text of a result for people: us is µs.
func Spell(text string) string { return micro.ReplaceAllString(text, "${1}µs") }

// rect is an area.
type rect struct{ left, top, right, bottom float64 }

func (r rect) width() float64  { return r.right - r.left }
func (r rect) height() float64 { return r.bottom - r.top }

func (r rect) meets(s rect) bool {
	return r.left < s.right && s.left < r.right && r.top < s.bottom && s.top < r.bottom
}

func (r rect) holds(s rect) bool {
	return s.left >= r.left && s.right <= r.right && s.top >= r.top && s.bottom <= r.bottom
}

// area is what a level word covers.
func (w Word) area() rect {
	wide := Width(w.Text, w.size(), w.Bold)
	left := w.At.X - wide*float64(w.Anchor)/2
	return rect{left, w.At.Y - 0.8*w.size(), left + wide, w.At.Y + 0.25*w.size()}
}

// Placer finds places for labels: inside an area, not on each other, and if possible not on lines.
type Placer struct {
	inside rect
	taken  []rect
	lines  [][2]Spot
}

// NewPlacer makes one for an area.
func NewPlacer(left, top, right, bottom float64) *Placer {
	return &Placer{inside: rect{left, top, right, bottom}}
}

// Avoid keeps labels from covering a line.
func (p *Placer) Avoid(spots ...Spot) {
	for i := 1; i < len(spots); i++ {
		p.lines = append(p.lines, [2]Spot{spots[i-1], spots[i]})
	}
}

// Take keeps labels from covering an area.
func (p *Placer) Take(left, top, right, bottom float64) {
	p.taken = append(p.taken, rect{left, top, right, bottom})
}

// Choose returns the best of several places for a level word, the first of those that are equally good, and keeps it. It
// tells whether the place is free; lines may cross it.
func (p *Placer) Choose(candidates ...Word) (best Word, free bool) {
	least := -1
	for _, w := range candidates {
		if c := p.cost(w.area()); least < 0 || c < least {
			best, least = w, c
		}
	}
	if free = least < onAnother; free {
		p.taken = append(p.taken, best.area())
	}
	return best, free
}

// onAnother is the cost of standing on another word or outside of the area, more than that of all lines that cross one.
const onAnother = 1 << 20

// cost tells how bad a place is.
func (p *Placer) cost(area rect) int {
	cost := 0
	if !p.inside.holds(area) {
		cost += onAnother
	}
	for _, t := range p.taken {
		if t.meets(area) {
			cost += onAnother
		}
	}
	near := rect{area.left - 2, area.top - 2, area.right + 2, area.bottom + 2} // lines have a width
	for _, l := range p.lines {
		if crosses(l, near) {
			cost++
		}
	}
	return cost
}

// crosses tells whether a line touches an area, by cutting off what is outside of each side.
func crosses(l [2]Spot, area rect) bool {
	from, to := 0.0, 1.0
	clip := func(at, step, low, high float64) bool {
		if step == 0 {
			return at >= low && at <= high
		}
		a, b := (low-at)/step, (high-at)/step
		from, to = max(from, min(a, b)), min(to, max(a, b))
		return from <= to
	}
	return clip(l[0].X, l[1].X-l[0].X, area.left, area.right) && clip(l[0].Y, l[1].Y-l[0].Y, area.top, area.bottom)
}
