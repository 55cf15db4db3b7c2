package nbody

import "math"

// point is a body, or several that are so far away that they count as one.
type point struct {
	at   vec
	mass float64
}

// leafMost is how many points a cell has that is not cut into eight.
const leafMost = 8

// deepest is after how many cuts a cell stays whole: then its points lie in one place.
const deepest = 60

// cell is a cube with what is in it.
type cell struct {
	point             // all of it, at the centre of its mass
	size      float64 // of an edge
	opened    float64 // for whoever is not further away, squared
	low, high int32   // its points
	parts     [8]int32
	cut       bool // into parts; 0 is an empty one
}

// tree has points in the order of space. Cell 0 is all of them.
type tree struct {
	points, spare []point
	cells         []cell
}

// plant makes a tree of points, whose order it changes.
func (t *tree) plant(points []point) {
	t.points, t.spare, t.cells = points, sized(t.spare, len(points)), t.cells[:0]
	b := empty()
	for i := range points {
		b.take(points[i].at)
	}
	half := 0.
	middle := vec{}
	for x := range middle {
		if len(points) > 0 {
			middle[x] = (b.low[x] + b.high[x]) / 2
			half = max(half, (b.high[x]-b.low[x])/2)
		}
	}
	t.grow(0, len(points), middle, half, 0)
}

// grow makes the cell of points low to high, and tells its number.
func (t *tree) grow(low, high int, middle vec, half float64, depth int) int32 {
	n := int32(len(t.cells))
	t.cells = append(t.cells, cell{size: 2 * half, low: int32(low), high: int32(high),
		cut: high-low > leafMost && depth < deepest})
	sum := point{}
	if !t.cells[n].cut {
		for _, p := range t.points[low:high] {
			sum.mass, sum.at = sum.mass+p.mass, sum.at.plus(p.mass, p.at)
		}
		t.cells[n].close(sum, middle)
		return n
	}
	ends := t.sort(low, high, middle)
	for octant, end := range ends {
		if end > low {
			corner := middle
			for x := range corner {
				corner[x] += half * (float64(octant>>x&1) - .5)
			}
			part := t.grow(low, end, corner, half/2, depth+1)
			t.cells[n].parts[octant] = part
			sum.mass, sum.at = sum.mass+t.cells[part].mass, sum.at.plus(t.cells[part].mass, t.cells[part].at)
		}
		low = end
	}
	t.cells[n].close(sum, middle)
	return n
}

// close notes what is in a cell, as a sum of places by mass, and for whom it has to be opened: for all within it, too.
func (c *cell) close(sum point, middle vec) {
	if sum.mass > 0 {
		sum.at = vec{}.plus(1/sum.mass, sum.at)
	}
	c.point, c.opened = sum, opens(c.size, sum.at.plus(-1, middle))
}

// opens is the square of the distance from a centre of mass within which a cell of that size has to be
// opened, where its middle lies off.
func opens(size float64, off vec) float64 {
	d := size/opening + math.Sqrt(off.times(off))
	return d * d
}

// sort brings points in the order of octants about a middle, and tells where each octant ends.
func (t *tree) sort(low, high int, middle vec) (ends [8]int) {
	octant := func(p *point) (o int) {
		for x := range middle {
			if p.at[x] >= middle[x] {
				o |= 1 << x
			}
		}
		return o
	}
	from := t.spare[low:high]
	copy(from, t.points[low:high])
	for i := range from {
		ends[octant(&from[i])]++
	}
	at, next := low, [8]int{}
	for o, n := range ends {
		next[o] = at
		at += n
		ends[o] = at
	}
	for i := range from {
		o := octant(&from[i])
		t.points[next[o]] = from[i]
		next[o]++
	}
	return ends
}

// pull is the force of all points on a unit of mass, its potential, and of how many pairs it was made. A body does not
// pull itself: at its own place the force is zero, and of the potential its part is taken off.
func (t *tree) pull(at vec) (force vec, potential float64, pairs int) {
	var stack [8 * deepest]int32
	for n := 1; n > 0; {
		n--
		c := &t.cells[stack[n]]
		away := c.at.plus(-1, at)
		if c.cut && away.times(away) <= c.opened {
			for _, p := range c.parts {
				if p > 0 {
					stack[n] = p
					n++
				}
			}
			continue
		}
		near := t.points[c.low:c.high]
		if c.cut {
			near = []point{c.point}
		}
		f, p := attraction(at, near)
		force, potential, pairs = force.plus(1, f), potential+p, pairs+len(near)
	}
	return force, potential, pairs
}

// attraction is the force of points on a unit of mass, and its potential.
func attraction(at vec, points []point) (force vec, potential float64) {
	for i := range points {
		p := &points[i]
		away := p.at.plus(-1, at)
		near := 1 / math.Sqrt(away.times(away)+softening*softening)
		force = force.plus(p.mass*near*near*near, away)
		potential -= p.mass * near
	}
	return force, potential
}

// box is where bodies are.
type box struct{ low, high vec }

// empty is the box of no bodies.
func empty() box {
	far := math.Inf(1)
	return box{vec{far, far, far}, vec{-far, -far, -far}}
}

// take makes the box large enough.
func (b *box) take(at vec) {
	for x := range at {
		b.low[x], b.high[x] = min(b.low[x], at[x]), max(b.high[x], at[x])
	}
}

// away is the square of how far a place is from the box.
func (b *box) away(at vec) (sum float64) {
	for x := range at {
		d := max(b.low[x]-at[x], at[x]-b.high[x], 0)
		sum += d * d
	}
	return sum
}

// opened is what cell.opened is, of a box with that centre of mass.
func (b *box) opened(at vec) float64 {
	edge := 0.
	for x := range b.low {
		edge = max(edge, b.high[x]-b.low[x])
	}
	return opens(edge, at.plus(-.5, b.low).plus(-.5, b.high))
}
