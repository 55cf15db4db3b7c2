package chart

import (
	"math"
	"strconv"
	"strings"
)

// Scale is how an axis is divided.
type Scale uint8

// The scales of an axis.
const (
	Linear Scale = iota // evenly; values begin at 0
	Log                 // by powers of ten
	Sizes               // by powers of two: 1 B, 4 B ... 1 MB; nothing stands left of all others
)

// Axis is what one direction of a chart means.
type Axis struct {
	Label, Unit string // the unit bytes makes ticks such as 4 KB
	Scale       Scale
}

func (a Axis) title() string {
	if a.Unit == "" || a.inBytes() {
		return a.Label
	}
	return Spell(a.Label + " (" + a.Unit + ")")
}

func (a Axis) inBytes() bool { return a.Scale == Sizes && a.Unit == "bytes" }

// shows tells whether the axis has a place for a value.
func (a Axis) shows(v float64) bool {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return false
	case a.Scale == Log:
		return v > 0
	case a.Scale == Sizes:
		return v >= 0
	}
	return true
}

// ruler is an axis with its values and its place on a drawing.
type ruler struct {
	Axis
	least      float64 // of the values above 0
	low, high  float64 // what is shown: values, or their logarithms
	from, to   float64 // where: of low and of high
	seen, zero bool    // there is a value, there is a 0
}

// see makes room for a value, which the axis shows.
func (r *ruler) see(v float64) {
	if v > 0 && (r.least == 0 || v < r.least) {
		r.least = v
	}
	if !r.seen {
		r.low, r.high = v, v
	}
	r.low, r.high = min(r.low, v), max(r.high, v)
	r.seen, r.zero = true, r.zero || v == 0
}

// zeroGap is how many steps below the least size nothing stands, on an axis of sizes.
const zeroGap = 2

// level is where a value is between low and high.
func (r *ruler) level(v float64) float64 {
	switch r.Scale {
	case Log:
		return math.Log10(v)
	case Sizes:
		if v == 0 {
			if r.least == 0 {
				return 0
			}
			return math.Floor(math.Log2(r.least)) - zeroGap
		}
		return math.Log2(v)
	}
	return v
}

// at is where a value is on the drawing.
func (r *ruler) at(v float64) float64 {
	return r.from + (r.level(v)-r.low)/(r.high-r.low)*(r.to-r.from)
}

// across settles what is shown, for an axis from left to right: all values, with some room at both ends.
func (r *ruler) across() {
	r.low, r.high = r.level(r.low), r.level(r.high)
	room := (r.high - r.low) * 0.03
	switch {
	case r.low < r.high:
	case r.Scale == Linear:
		room = max(math.Abs(r.low)*0.1, 0.5)
	default:
		room = 1
	}
	r.low, r.high = r.low-room, r.high+room
}

// upwards settles what is shown, for an axis from below upwards: from one tick to another, and always 0 if
// it is linear.
func (r *ruler) upwards() {
	switch r.Scale {
	case Linear:
		low, high := min(r.low, 0), max(r.high, 0)
		if low == high {
			high = 1
		}
		step := stepOf(high-low, mostTicks)
		r.low, r.high = math.Floor(low/step+1e-9)*step, math.Ceil(high/step-1e-9)*step
	case Log:
		low, high := roundDown(r.low), roundUp(r.high)
		if low == high {
			low, high = roundDown(low*0.99), roundUp(high*1.01)
		}
		r.low, r.high = math.Log10(low), math.Log10(high)
	default:
		r.across()
	}
}

// mostTicks is about how many ticks an even axis has at most.
const mostTicks = 8

// multiples are those of a power of ten that ticks prefer.
var multiples = []float64{1, 2, 5, 10}

func roundDown(v float64) float64 {
	decade := math.Pow(10, math.Floor(math.Log10(v)+1e-9))
	best := decade
	for _, m := range multiples {
		if m*decade <= v*(1+1e-9) {
			best = m * decade
		}
	}
	return best
}

func roundUp(v float64) float64 {
	decade := math.Pow(10, math.Floor(math.Log10(v)+1e-9))
	for _, m := range multiples {
		if m*decade >= v*(1-1e-9) {
			return m * decade
		}
	}
	return 10 * decade
}

// stepOf is the distance of ticks of which there are about n.
func stepOf(span float64, n int) float64 { return roundUp(span / float64(n)) }

// tick is one place on an axis. Only those with a label have a line of the grid.
type tick struct {
	value float64
	label string
}

// ticks returns the ticks; room is what a label needs along the axis.
func (r *ruler) ticks(room func(label string) float64) []tick {
	switch {
	case r.Scale == Sizes:
		return r.sizeTicks(room)
	case r.Scale == Log && r.high-r.low > math.Log10(5):
		return r.decadeTicks(room)
	case r.Scale == Log:
		return r.evenTicks(math.Pow(10, r.low), math.Pow(10, r.high), room)
	}
	return r.evenTicks(r.low, r.high, room)
}

// evenTicks are at the same distance from each other.
func (r *ruler) evenTicks(low, high float64, room func(string) float64) []tick {
	var all []tick
	for _, n := range []int{mostTicks, 6, 4, 3, 2, 1} {
		step := stepOf(high-low, n)
		if r.whole() {
			step = max(step, 1)
		}
		all = evenly(low, high, step)
		if r.fits(all, room) {
			break
		}
	}
	return all
}

// evenly returns the multiples of a step from low to high.
func evenly(low, high, step float64) (all []tick) {
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	for i := math.Ceil(low/step - 1e-9); i*step <= high+step*1e-9; i++ {
		all = append(all, tick{i * step, number(i*step, decimals)})
	}
	return all
}

// Ticks calls at for about n round values from low to high, with their texts.
func Ticks(low, high float64, n int, at func(value float64, text string)) {
	for _, t := range evenly(low, high, stepOf(high-low, n)) {
		at(t.value, t.label)
	}
}

// whole tells whether values are counted, not measured, so that ticks between numbers make no sense.
func (r *ruler) whole() bool { return r.Unit == "" }

// decadeTicks are multiples of powers of ten: as many labels as there is room for, and short ticks for the others.
func (r *ruler) decadeTicks(room func(string) float64) []tick {
	first, last := math.Floor(r.low-1e-9), math.Ceil(r.high+1e-9)
	var all []tick
	for _, labelled := range []struct {
		multiples string
		decades   int
	}{{"125", 1}, {"13", 1}, {"1", 1}, {"1", 2}, {"1", 3}, {"1", 6}} {
		all = nil
		for d := first; d <= last; d++ {
			for m := 1.0; m < 10; m++ {
				t := tick{value: m * math.Pow(10, d)}
				if l := math.Log10(t.value); l < r.low-1e-9 || l > r.high+1e-9 {
					continue
				}
				if strings.Contains(labelled.multiples, number(m, 0)) && int(d)%labelled.decades == 0 {
					t.label = number(t.value, max(0, -int(d)))
				}
				all = append(all, t)
			}
		}
		if r.fits(all, room) {
			break
		}
	}
	return all
}

// sizeTicks are the powers of two, with as many labels as there is room for.
func (r *ruler) sizeTicks(room func(string) float64) []tick {
	var all []tick
	for _, every := range []int{1, 2, 4, 5, 10, 20} {
		all = nil
		first := math.Ceil(r.low)
		if r.zero {
			all = append(all, tick{0, r.size(0)})
			first = r.level(0) + zeroGap
		}
		for p := first; p <= r.high; p++ {
			t := tick{value: math.Pow(2, p)}
			if int(p)%every == 0 {
				t.label = r.size(t.value)
			}
			all = append(all, t)
		}
		if r.fits(all, room) {
			break
		}
	}
	return all
}

func (r *ruler) size(v float64) string {
	if !r.inBytes() {
		return number(v, 0)
	}
	return SizeText(int(v))
}

// SizeText writes a number of bytes, such as 4 KB.
func SizeText(n int) string {
	unit := "B"
	for _, larger := range []string{"KB", "MB", "GB"} {
		if n < 1<<10 || n%(1<<10) != 0 {
			break
		}
		n, unit = n>>10, larger
	}
	return strconv.Itoa(n) + " " + unit
}

// fits tells whether no label comes too near to another.
func (r *ruler) fits(all []tick, room func(string) float64) bool {
	last, need := math.Inf(-1), 0.0
	for _, t := range all {
		if t.label == "" {
			continue
		}
		at := math.Abs(r.at(t.value) - r.from)
		if at-last < (need+room(t.label))/2 {
			return false
		}
		last, need = at, room(t.label)
	}
	return true
}

// number writes a value with so many decimals, and with commas between thousands from 10,000 on.
func number(v float64, decimals int) string {
	if v == 0 {
		return "0" // not -0
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if math.Abs(v) < 10_000 {
		return text
	}
	whole, part, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if part != "" {
		whole += "." + part
	}
	return whole
}
