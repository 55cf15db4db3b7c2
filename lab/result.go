package lab

import (
	"math"
	"slices"
)

// Result is what an experiment found out, how it was held against the document, and how to make it again.
type Result struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Platform []string `json:"platform"` // "host", "sim:ne020", ...
	Command  string   `json:"command"`
	Version  string   `json:"version"`
	Seed     uint64   `json:"seed"`
	Settings []string `json:"settings,omitempty"` // name=value, beyond those of the experiment
	Quick    bool     `json:"quick,omitempty"`
	Facts    []Fact   `json:"facts,omitempty"` // about the host or the model
	Panels   []*Panel `json:"panels,omitempty"`
	Tables   []*Table `json:"tables,omitempty"`
	Scalars  []Scalar `json:"scalars,omitempty"`
	Checks   []Check  `json:"checks,omitempty"`
	Notes    []string `json:"notes,omitempty"`

	Timeline *Timeline `json:"timeline,omitempty"` // of a run that shows the point, for a page
	Flow     *Flow     `json:"flow,omitempty"`     // a state machine, for figures that are flow charts
}

// Fact is something that a reader must know to judge a number.
type Fact struct{ Name, Text string }

// Scalar is a single number.
type Scalar struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"`
}

// Table is rows of text, for figures that are no diagrams of numbers.
type Table struct {
	Title string     `json:"title"`
	Head  []string   `json:"head"`
	Rows  [][]string `json:"rows"`
}

// Scale is how an axis is divided.
type Scale string

// The scales of an axis.
const (
	Linear Scale = ""      // evenly
	Log    Scale = "log"   // by powers of ten
	Sizes  Scale = "sizes" // by powers of two: 1, 64, 1K ... 1M
)

// Axis is one axis of a panel.
type Axis struct {
	Label string `json:"label"`
	Unit  string `json:"unit,omitempty"`
	Scale Scale  `json:"scale,omitempty"`
}

// The axes that most figures have.
var (
	Bytes        = Axis{Label: "message size", Unit: "bytes", Scale: Sizes}
	Microseconds = Axis{Label: "time", Unit: "us", Scale: Log}
	Megabytes    = Axis{Label: "bandwidth", Unit: "MB/s"}
	Percent      = Axis{Label: "part", Unit: "%"}
)

// Panel is one diagram of a figure.
type Panel struct {
	Title  string    `json:"title"`
	X      Axis      `json:"x"`
	Y      Axis      `json:"y"`
	Series []*Series `json:"series"`
	Marks  []Mark    `json:"marks,omitempty"`
}

// Series is one line of a panel.
type Series struct {
	Name   string  `json:"name"`
	Points []Point `json:"points"`
}

// Point is one place of a line.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Mark is something that the document states: a value at place X, or everywhere.
type Mark struct {
	Text       string  `json:"text"`
	X          float64 `json:"x,omitempty"`
	Y          float64 `json:"y"`
	Everywhere bool    `json:"everywhere,omitempty"`
}

// AddPanel adds a diagram.
func (r *Result) AddPanel(title string, x, y Axis) *Panel {
	p := &Panel{Title: title, X: x, Y: y}
	r.Panels = append(r.Panels, p)
	return p
}

// AddTable adds a table.
func (r *Result) AddTable(title string, head ...string) *Table {
	t := &Table{Title: title, Head: head}
	r.Tables = append(r.Tables, t)
	return t
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Note adds a number by itself.
func (r *Result) Note(name string, value float64, unit string) {
	r.Scalars = append(r.Scalars, Scalar{name, value, unit})
}

// Hold adds the outcome of bars of one kind.
func (r *Result) Hold(kind Kind, checks ...Check) {
	for _, c := range checks {
		c.Kind = kind
		r.Checks = append(r.Checks, c)
	}
}

// Count counts the bars by kind.
func (r *Result) Count() Counts {
	counts := Counts{}
	for _, c := range r.Checks {
		counts.add(c)
	}
	return counts
}

// Missed lists the bars that were not kept.
func (r *Result) Missed() []Check {
	return slices.DeleteFunc(slices.Clone(r.Checks), func(c Check) bool { return c.Pass })
}

// Line returns the line of that name, which it adds if there is none.
func (p *Panel) Line(name string) *Series {
	if i := slices.IndexFunc(p.Series, func(s *Series) bool { return s.Name == name }); i >= 0 {
		return p.Series[i]
	}
	s := &Series{Name: name}
	p.Series = append(p.Series, s)
	return s
}

// Claim marks a value that the document states for all places.
func (p *Panel) Claim(text string, y float64) {
	p.Marks = append(p.Marks, Mark{Text: text, Y: y, Everywhere: true})
}

// ClaimAt marks a value that the document states for one place.
func (p *Panel) ClaimAt(text string, x, y float64) {
	p.Marks = append(p.Marks, Mark{Text: text, X: x, Y: y})
}

// Add adds a point.
func (s *Series) Add(x, y float64) { s.Points = append(s.Points, Point{x, y}) }

// At is the value at a place; not a number if there is none, which no bar takes for a value.
func (s *Series) At(x float64) float64 {
	for _, p := range s.Points {
		if p.X == x {
			return p.Y
		}
	}
	return math.NaN()
}

// Max is the greatest value and its place.
func (s *Series) Max() (x, y float64) { return s.extreme(func(a, b float64) bool { return a > b }) }

// Min is the least value and its place.
func (s *Series) Min() (x, y float64) { return s.extreme(func(a, b float64) bool { return a < b }) }

func (s *Series) extreme(better func(a, b float64) bool) (x, y float64) {
	x, y = math.NaN(), math.NaN()
	for _, p := range s.Points {
		if math.IsNaN(y) || better(p.Y, y) {
			x, y = p.X, p.Y
		}
	}
	return x, y
}

// Mean is the mean value.
func (s *Series) Mean() float64 {
	sum := 0.0
	for _, p := range s.Points {
		sum += p.Y
	}
	return sum / float64(len(s.Points))
}

// Between returns the part of the line from one place to another, both included.
func (s *Series) Between(low, high float64) *Series {
	part := &Series{Name: s.Name}
	for _, p := range s.Points {
		if p.X >= low && p.X <= high {
			part.Points = append(part.Points, p)
		}
	}
	return part
}

// Over returns s divided by t, at the places that both have.
func (s *Series) Over(t *Series) *Series {
	q := &Series{Name: s.Name + " / " + t.Name}
	for _, p := range s.Points {
		if y := t.At(p.X); !math.IsNaN(y) && y != 0 {
			q.Add(p.X, p.Y/y)
		}
	}
	return q
}

// Minus returns s less t, at the places that both have.
func (s *Series) Minus(t *Series) *Series {
	d := &Series{Name: s.Name + " - " + t.Name}
	for _, p := range s.Points {
		if y := t.At(p.X); !math.IsNaN(y) {
			d.Add(p.X, p.Y-y)
		}
	}
	return d
}
