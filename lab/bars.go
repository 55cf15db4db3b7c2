package lab

import (
	"fmt"
	"math"
	"strings"
)

// number writes a value with three significant digits at least.
func number(v float64, unit string) string {
	text := "none"
	switch a := math.Abs(v); {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return text
	case a >= 100 || v == math.Trunc(v):
		text = fmt.Sprintf("%.0f", v)
	case a >= 10:
		text = fmt.Sprintf("%.1f", v)
	default:
		text = fmt.Sprintf("%.3g", v)
	}
	if unit != "" {
		text += " " + unit
	}
	return text
}

// missing makes a check fail that has no value, and says so.
func missing(c Check, values ...float64) (Check, bool) {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			c.Pass, c.Ours, c.Why = false, "none", "the experiment has no such value"
			return c, true
		}
	}
	return c, false
}

// Within: ours differs from the document's value by at most that many per cent.
func Within(bar string, paper, ours, percent float64, unit string) Check {
	c := Check{Bar: fmt.Sprintf("%s within %g%%", bar, percent), Paper: number(paper, unit), Ours: number(ours, unit), Width: percent}
	if c, gone := missing(c, ours); gone {
		return c
	}
	off := 100 * (ours/paper - 1)
	c.Pass = math.Abs(off) <= percent
	c.Why = fmt.Sprintf("%+.1f%%", off)
	return c
}

// AtLeast: ours is not below the bar.
func AtLeast(bar string, least, ours float64, unit string) Check {
	c := Check{Bar: bar, Paper: "at least " + number(least, unit), Ours: number(ours, unit), OneSided: true}
	if c, gone := missing(c, ours); gone {
		return c
	}
	if c.Pass = ours >= least; !c.Pass {
		c.Why = "too low by " + number(least-ours, unit)
	}
	return c
}

// AtMost: ours is not above the bar.
func AtMost(bar string, most, ours float64, unit string) Check {
	c := Check{Bar: bar, Paper: "at most " + number(most, unit), Ours: number(ours, unit), OneSided: true}
	if c, gone := missing(c, ours); gone {
		return c
	}
	if c.Pass = ours <= most; !c.Pass {
		c.Why = "too high by " + number(ours-most, unit)
	}
	return c
}

// Between: ours lies in a range, its ends included.
func Between(bar string, low, high, ours float64, unit string) Check {
	c := Check{Bar: bar, Paper: number(low, "") + " to " + number(high, unit), Ours: number(ours, unit),
		Width: width(low, high)}
	if c, gone := missing(c, ours); gone {
		return c
	}
	switch c.Pass = ours >= low && ours <= high; {
	case ours < low:
		c.Why = "too low by " + number(low-ours, unit)
	case ours > high:
		c.Why = "too high by " + number(ours-high, unit)
	}
	return c
}

// width is how far the ends of a range are from its middle, in per cent of that; 100 if it holds both signs.
func width(low, high float64) float64 {
	if low*high <= 0 {
		return 100
	}
	return 100 * (high - low) / math.Abs(high+low)
}

// Exactly: ours is the number of the document.
func Exactly(bar string, paper, ours float64, unit string) Check {
	c := Check{Bar: bar, Paper: number(paper, unit), Ours: number(ours, unit), Pass: paper == ours}
	if c, gone := missing(c, ours); gone {
		return c
	}
	return c
}

// Holds: something that is true or not, with the document's words and ours.
func Holds(bar, paper, ours string, pass bool) Check {
	return Check{Bar: bar, Paper: paper, Ours: ours, Pass: pass}
}

// Rising: the line never falls by more than slack per cent from one place to the next.
func Rising(bar string, s *Series, slack float64) Check { return monotone(bar, s, slack, "rises", 1) }

// Falling: the line never rises by more than slack per cent from one place to the next.
func Falling(bar string, s *Series, slack float64) Check { return monotone(bar, s, slack, "falls", -1) }

func monotone(bar string, s *Series, slack float64, word string, sign float64) Check {
	c := Check{Bar: bar, Paper: word, Ours: fmt.Sprintf("%s over %d places", word, len(s.Points)), Pass: true}
	if len(s.Points) < 2 {
		c, _ = missing(c, math.NaN())
		return c
	}
	for i := 1; i < len(s.Points); i++ {
		a, b := s.Points[i-1], s.Points[i]
		if sign*(b.Y-a.Y) < -math.Abs(a.Y)*slack/100 {
			c.Pass, c.Ours = false, fmt.Sprintf("%s at %s, %s at %s", number(a.Y, ""), place(a.X), number(b.Y, ""), place(b.X))
			return c
		}
	}
	return c
}

// Flat: the line's values lie within that many per cent of its first one.
func Flat(bar string, s *Series, percent float64) Check {
	c := Check{Bar: bar, Paper: fmt.Sprintf("flat within %g%%", percent), Pass: true, Width: percent}
	if len(s.Points) < 2 || s.Points[0].Y == 0 {
		c, _ = missing(c, math.NaN())
		return c
	}
	worst, at := 0.0, s.Points[0].X
	for _, p := range s.Points[1:] {
		if off := 100 * (p.Y/s.Points[0].Y - 1); math.Abs(off) > math.Abs(worst) {
			worst, at = off, p.X
		}
	}
	c.Ours = fmt.Sprintf("%+.1f%% at %s", worst, place(at))
	c.Pass = math.Abs(worst) <= percent
	return c
}

// PeakAt: the greatest value of the line is at a place between low and high.
func PeakAt(bar string, s *Series, low, high float64) Check {
	x, y := s.Max()
	c := Check{Bar: bar, Paper: "peak at " + span(low, high), Ours: number(y, "") + " at " + place(x), Pass: x >= low && x <= high}
	if c, gone := missing(c, y); gone {
		return c
	}
	return c
}

// LeastAt: the least value of the line is at a place between low and high.
func LeastAt(bar string, s *Series, low, high float64) Check {
	x, y := s.Min()
	c := Check{Bar: bar, Paper: "least at " + span(low, high), Ours: number(y, "") + " at " + place(x), Pass: x >= low && x <= high}
	if c, gone := missing(c, y); gone {
		return c
	}
	return c
}

// RatioAt: one line divided by another, at a place, is not below the bar.
func RatioAt(bar string, over, under *Series, x, least float64) Check {
	return AtLeast(bar, least, over.At(x)/under.At(x), "times")
}

// Crossing: the first line is below the second up to somewhere between low and high, and above it from there on. The
// place is that of the first point at which it is above.
func Crossing(bar string, a, b *Series, low, high float64) Check {
	c := Check{Bar: bar, Paper: "crossing at " + span(low, high), Ours: "none"}
	crossed := math.NaN()
	d := a.Minus(b)
	for _, p := range d.Points {
		switch {
		case p.Y > 0 && math.IsNaN(crossed):
			crossed = p.X
		case p.Y < 0 && !math.IsNaN(crossed):
			c.Why = fmt.Sprintf("%s is below again at %s", a.Name, place(p.X))
			c.Ours = place(crossed)
			return c
		}
	}
	if math.IsNaN(crossed) || len(d.Points) == 0 || d.Points[0].X == crossed {
		c.Why = "the lines do not cross"
		return c
	}
	c.Ours = place(crossed)
	c.Pass = crossed >= low && crossed <= high
	return c
}

// Lowest: of several values the one of that name is the least.
func Lowest(bar, name string, values []Scalar) Check {
	c := Check{Bar: bar, Paper: name}
	best := Scalar{Value: math.NaN()}
	var all []string
	for _, v := range values {
		if c, gone := missing(c, v.Value); gone {
			return c
		}
		if math.IsNaN(best.Value) || v.Value < best.Value {
			best = v
		}
		all = append(all, v.Name+" "+number(v.Value, v.Unit))
	}
	c.Ours, c.Pass = strings.Join(all, ", "), len(values) > 0 && best.Name == name
	return c
}

// Share: at least that part (0 to 1) of the places satisfies a condition.
func Share(bar string, least float64, s *Series, holds func(y float64) bool) Check {
	n := 0
	for _, p := range s.Points {
		if holds(p.Y) {
			n++
		}
	}
	c := Check{Bar: bar, Paper: fmt.Sprintf("at least %.0f%% of places", 100*least), Ours: fmt.Sprintf("%d of %d", n, len(s.Points)), OneSided: true}
	c.Pass = len(s.Points) > 0 && float64(n) >= least*float64(len(s.Points))
	return c
}

func span(low, high float64) string {
	if low == high {
		return place(low)
	}
	return place(low) + " to " + place(high)
}

// place writes a place of an axis: sizes as people say them, other numbers as they are.
func place(x float64) string {
	switch {
	case x >= 1<<20 && math.Mod(x, 1<<20) == 0:
		return fmt.Sprintf("%.0fM", x/(1<<20))
	case x >= 1<<10 && math.Mod(x, 1<<10) == 0:
		return fmt.Sprintf("%.0fK", x/(1<<10))
	}
	return number(x, "")
}
