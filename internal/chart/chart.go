package chart

import (
	"errors"
	"io"
)

// Point is one place of a line. Low and High bound the spread of the value; none is drawn if both equal Y, or 0.
type Point struct {
	X, Y      float64
	Low, High float64
}

// Line is points that belong together.
type Line struct {
	Name   string
	Points []Point
	Apart  bool // no line joins the points
}

// Mark is a value that the lines are held against: at one place, or everywhere.
type Mark struct {
	Text       string
	X, Y       float64
	Everywhere bool
}

// Chart is a diagram.
type Chart struct {
	Title  string
	X, Y   Axis
	Lines  []Line
	Marks  []Mark
	Marked string // what the marks are, for the legend
}

// ErrEmpty says that a chart has nothing that its axes can show.
var ErrEmpty = errors.New("there is nothing to draw")

// The measures of a chart.
const (
	wide       = 720
	plotHigh   = 300
	margin     = 18
	titleSize  = 15
	titleLine  = 20
	textSize   = 12
	legendLine = 20
	legendGap  = 22 // between entries
	sample     = 30 // of a line, in the legend
	tickLong   = 5
)

// Write draws the chart in a format.
func (c *Chart) Write(w io.Writer, format string) error {
	d, err := c.Draw()
	if err != nil {
		return err
	}
	return d.Write(w, format)
}

// Save draws the chart into a file, as [Drawing.Save] does.
func (c *Chart) Save(path string) error {
	d, err := c.Draw()
	if err != nil {
		return err
	}
	return d.Save(path)
}

// sheet is a chart on its drawing.
type sheet struct {
	*Drawing
	c    *Chart
	x, y ruler
	plot rect
}

// Draw makes the drawing.
func (c *Chart) Draw() (*Drawing, error) {
	s := &sheet{Drawing: &Drawing{Title: Spell(c.Title), Width: wide}, c: c, x: ruler{Axis: c.X}, y: ruler{Axis: c.Y}}
	if !s.see() {
		return nil, ErrEmpty
	}
	top := s.head()
	s.plot = rect{left: margin, top: top, right: wide - margin, bottom: top + plotHigh}
	s.y.from, s.y.to = s.plot.bottom, s.plot.top
	s.x.across()
	s.y.upwards()
	down := s.y.ticks(func(string) float64 { return textSize + 6 })
	for _, t := range down {
		s.plot.left = max(s.plot.left, margin+8+Width(t.label, textSize, false))
	}
	s.x.from, s.x.to = s.plot.left, s.plot.right
	s.axes(s.x.ticks(func(label string) float64 { return Width(label, textSize, false) + 5 }), down)
	for i := range c.Lines {
		s.line(i)
	}
	s.marks()
	s.Height = s.plot.bottom + 56
	return s.Drawing, nil
}

// see makes room for all points and marks; false: there is no point.
func (s *sheet) see() bool {
	for _, l := range s.c.Lines {
		for _, p := range s.shown(l) {
			s.x.see(p.X)
			for _, v := range []float64{p.Y, p.Low, p.High} {
				s.y.see(v)
			}
		}
	}
	if !s.x.seen {
		return false
	}
	for _, m := range s.c.Marks {
		if s.shows(m) {
			s.y.see(m.Y)
			if !m.Everywhere {
				s.x.see(m.X)
			}
		}
	}
	return true
}

// shown returns the points that the axes have a place for, each with a spread.
func (s *sheet) shown(l Line) []Point {
	var all []Point
	for _, p := range l.Points {
		if p.Low == 0 && p.High == 0 || !s.y.shows(p.Low) || !s.y.shows(p.High) {
			p.Low, p.High = p.Y, p.Y
		}
		if s.x.shows(p.X) && s.y.shows(p.Y) {
			all = append(all, p)
		}
	}
	return all
}

func (s *sheet) shows(m Mark) bool { return s.y.shows(m.Y) && (m.Everywhere || s.x.shows(m.X)) }

// head writes title and legend, and returns where the plot begins below them.
func (s *sheet) head() float64 {
	y := float64(margin)
	for _, text := range Wrap(s.Title, titleSize, wide-2*margin, true) {
		s.Word(Word{At: Spot{margin, y + titleSize*0.8}, Text: text, Size: titleSize, Bold: true})
		y += titleLine
	}
	y = s.legend(y + 4)
	s.Word(Word{At: Spot{margin, y + 18}, Text: s.y.title(), Ink: Soft})
	return y + 30
}

// legend explains the lines, in as many rows as it takes, and returns where it ends.
func (s *sheet) legend(y float64) float64 {
	x := float64(margin)
	entry := func(name string, draw func(from Spot)) {
		wide := sample + 8 + Width(name, textSize, false)
		if x > margin && x+wide > s.Width-margin {
			x, y = margin, y+legendLine
		}
		draw(Spot{x, y + legendLine/2})
		s.Word(Word{At: Spot{x + sample + 8, y + legendLine/2 + textSize*0.36}, Text: name})
		x += wide + legendGap
	}
	for i, l := range s.c.Lines {
		if len(s.shown(l)) == 0 {
			continue
		}
		look := lookOf(i)
		entry(Spell(l.Name), func(from Spot) {
			if !l.Apart {
				s.Line(Pen{Stroke: look.ink, Width: 1.8, Dash: look.dash}, from, Spot{from.X + sample, from.Y})
			}
			look.marker(s.Drawing, look.ink, Spot{from.X + sample/2, from.Y})
		})
	}
	var spots, lines bool
	for _, m := range s.c.Marks {
		spots, lines = spots || s.shows(m) && !m.Everywhere, lines || s.shows(m) && m.Everywhere
	}
	if spots || lines {
		entry(s.c.Marked, func(from Spot) {
			if lines {
				s.Line(everywhere, from, Spot{from.X + sample, from.Y})
			}
			if spots {
				target(s.Drawing, Spot{from.X + sample/2, from.Y})
			}
		})
	}
	return y + legendLine
}

// axes draws grid, ticks and titles.
func (s *sheet) axes(across, down []tick) {
	grid := Pen{Stroke: Rule}
	for _, t := range down {
		if y := s.y.at(t.value); t.label != "" {
			s.Line(grid, Spot{s.plot.left, y}, Spot{s.plot.right, y})
			s.Word(Word{At: Spot{s.plot.left - 8, y + textSize*0.35}, Text: t.label, Anchor: End})
		} else {
			s.Line(grid, Spot{s.plot.left, y}, Spot{s.plot.left + tickLong, y})
		}
	}
	for _, t := range across {
		x, long := s.x.at(t.value), float64(tickLong)
		if t.label == "" {
			long = 3
		} else {
			s.Line(grid, Spot{x, s.plot.top}, Spot{x, s.plot.bottom})
			s.Word(Word{At: Spot{x, s.plot.bottom + 20}, Text: t.label, Anchor: Middle})
		}
		s.Line(Pen{Stroke: Soft}, Spot{x, s.plot.bottom}, Spot{x, s.plot.bottom + long})
	}
	s.Line(Pen{Stroke: Soft}, Spot{s.plot.left, s.plot.bottom}, Spot{s.plot.right, s.plot.bottom})
	s.Word(Word{At: Spot{(s.plot.left + s.plot.right) / 2, s.plot.bottom + 42}, Text: s.x.title(), Ink: Soft, Anchor: Middle})
}

// nearest is how near markers of a line come to each other; a line of many points has fewer.
const nearest = 9

// line draws the i-th line, with the spread of its points.
func (s *sheet) line(i int) {
	l, look := s.c.Lines[i], lookOf(i)
	var spots []Spot
	for _, p := range s.shown(l) {
		at := Spot{s.x.at(p.X), s.y.at(p.Y)}
		spots = append(spots, at)
		if p.Low < p.High {
			s.spread(look.ink, at.X, s.y.at(p.Low), s.y.at(p.High))
		}
	}
	if !l.Apart && len(spots) > 1 {
		s.Line(Pen{Stroke: look.ink, Width: 1.8, Dash: look.dash}, spots...)
	}
	last := Spot{-nearest, 0}
	for _, at := range spots {
		if l.Apart || max(at.X-last.X, last.X-at.X) >= nearest || max(at.Y-last.Y, last.Y-at.Y) >= nearest {
			look.marker(s.Drawing, look.ink, at)
			last = at
		}
	}
}

// spread draws from where to where values go. Less than what the marker covers is not drawn.
func (s *sheet) spread(ink Ink, x, low, high float64) {
	if low-high < 8 {
		return
	}
	pen := Pen{Stroke: ink}
	s.Line(pen, Spot{x, low}, Spot{x, high})
	for _, y := range []float64{low, high} {
		s.Line(pen, Spot{x - 3, y}, Spot{x + 3, y})
	}
}

// marks draws the marks: signs at places, thin lines where they hold everywhere, and their texts where there is room.
func (s *sheet) marks() {
	p := NewPlacer(s.plot.left, s.plot.top-8, s.plot.right, s.plot.bottom)
	for _, l := range s.c.Lines {
		var spots []Spot
		for _, pt := range s.shown(l) {
			spots = append(spots, Spot{s.x.at(pt.X), s.y.at(pt.Y)})
		}
		if !l.Apart {
			p.Avoid(spots...)
		}
	}
	for _, m := range s.c.Marks {
		if s.shows(m) && !m.Everywhere {
			at := Spot{s.x.at(m.X), s.y.at(m.Y)}
			p.Take(at.X-6, at.Y-6, at.X+6, at.Y+6)
		}
	}
	for _, m := range s.c.Marks {
		if s.shows(m) {
			s.mark(p, m)
		}
	}
}

// everywhere is the pen of a mark that holds everywhere.
var everywhere = Pen{Stroke: Soft, Width: 1.4, Dash: []float64{1.5, 3}}

func (s *sheet) mark(p *Placer, m Mark) {
	at := Spot{s.plot.left + 6, s.y.at(m.Y)}
	if m.Everywhere {
		s.Line(everywhere, Spot{s.plot.left, at.Y}, Spot{s.plot.right, at.Y})
	} else {
		at.X = s.x.at(m.X)
		target(s.Drawing, at)
	}
	if m.Text == "" {
		return
	}
	var places []Word
	word := func(dx, dy float64, a Anchor) {
		places = append(places, Word{At: Spot{at.X + dx, at.Y + dy}, Text: Spell(m.Text), Size: 10.5, Ink: Soft, Anchor: a})
	}
	if m.Everywhere {
		for x := 0.0; x < s.plot.width(); x += s.plot.width() / 12 {
			word(x, -4, Start)
			word(x, 12, Start)
		}
	} else {
		for _, dy := range []float64{-5, 4, 13, -16, 24, -28, 36} {
			word(9, dy, Start)
			word(-9, dy, End)
		}
	}
	if w, free := p.Choose(places...); free {
		s.Word(w)
	}
}
