package mg

import "math/bits"

// level is a rank's box on the grid of a level. Around its points lies one layer of others' points, so m is 2 more
// than the points of a side. A field has the first axis fastest.
type level struct {
	m    [3]int
	from [3]int    // the place of the first point in the whole grid
	u, r []float64 // the solution, or a correction to it; the residual
	idle bool      // the box has no points
	// The ranks whose boxes lie next to this one, below and above. Where ranks are idle, others are near.
	near [3][2]int
	// Where neighbours along an axis are idle on the next coarser level, this rank gives them what they need
	// of it when they wake up; where it is idle itself, it takes.
	give, take [3]bool
	surface    [4][]float64 // what is sent below and above, and received
}

// boxes is how many ranks there are along each axis.
func boxes(ranks int) [3]int {
	log := bits.Len(uint(ranks)) - 1
	x := log / 3
	y := (log - x) / 2
	return [3]int{1 << x, 1 << y, 1 << (log - x - y)}
}

// points is the number of points of a box along an axis of n points, and the first.
func points(n, ranks, at int) (count, first int) {
	first = at * n / ranks
	return (at+1)*n/ranks - first, first
}

// makeLevels makes a rank's boxes on grids of 2, 4, 8 .. 2^top points a side.
func makeLevels(rank, ranks, top int) []*level {
	p := boxes(ranks)
	at := [3]int{rank % p[0], rank / p[0] % p[1], rank / p[0] / p[1]}
	all, step := make([]*level, top), [3]int{1, 1, 1}
	for k := top - 1; k >= 0; k-- {
		l, n := &level{}, 2<<k
		for ax := range 3 {
			count, first := points(n, p[ax], at[ax])
			beside, _ := points(n, p[ax], (at[ax]+step[ax])%p[ax])
			l.m[ax], l.from[ax] = count+2, first
			l.idle = l.idle || count == 0
			if count == 0 || beside == 0 {
				step[ax] *= 2
			}
			if k+1 < top && count+beside == 1 {
				all[k+1].give[ax], all[k+1].take[ax] = count == 1, count == 0
			}
			for way, by := range []int{-step[ax], step[ax]} {
				other := at
				other[ax] = ((at[ax]+by)%p[ax] + p[ax]) % p[ax]
				l.near[ax][way] = other[0] + p[0]*(other[1]+p[1]*other[2])
			}
		}
		size := l.m[0] * l.m[1] * l.m[2]
		l.u, l.r = make([]float64, size), make([]float64, size)
		for i := range l.surface {
			l.surface[i] = make([]float64, 2*max(l.m[0]*l.m[1], l.m[0]*l.m[2], l.m[1]*l.m[2]))
		}
		all[k] = l
	}
	return all
}

// line is where the line of points with these second and third places begins.
func (l *level) line(second, third int) int { return l.m[0] * (second + l.m[1]*third) }

// each calls f for the line of every inner second and third place, with where it begins and its length.
func (l *level) each(f func(line, length int)) {
	for third := 1; third < l.m[2]-1; third++ {
		for second := 1; second < l.m[1]-1; second++ {
			f(l.line(second, third), l.m[0])
		}
	}
}

// inner is the number of points of the box, without its border.
func (l *level) inner() float64 { return float64((l.m[0] - 2) * (l.m[1] - 2) * (l.m[2] - 2)) }

// bounds is a part of a box: from low to high along each axis, without the latter.
type bounds struct{ low, high [3]int }

// slab is layers of the box along an axis. Along earlier axes it is as wide as the box with its border, along
// later ones without: so corners get their values, axis by axis. A full one has the border everywhere.
func (l *level) slab(ax, from, to int, full bool) bounds {
	b := bounds{high: l.m}
	for later := ax + 1; later < 3 && !full; later++ {
		b.low[later], b.high[later] = 1, l.m[later]-1
	}
	b.low[ax], b.high[ax] = from, to
	return b
}

// pack copies part of a field to buf, and returns what it filled of it.
func (l *level) pack(field []float64, b bounds, buf []float64) []float64 {
	n := 0
	for third := b.low[2]; third < b.high[2]; third++ {
		for second := b.low[1]; second < b.high[1]; second++ {
			line := l.line(second, third)
			n += copy(buf[n:], field[line+b.low[0]:line+b.high[0]])
		}
	}
	return buf[:n]
}

// unpack is the reverse of pack.
func (l *level) unpack(field []float64, b bounds, buf []float64) {
	n := 0
	for third := b.low[2]; third < b.high[2]; third++ {
		for second := b.low[1]; second < b.high[1]; second++ {
			line := l.line(second, third)
			n += copy(field[line+b.low[0]:line+b.high[0]], buf[n:])
		}
	}
}

// size is the number of points in a part of a box.
func (b bounds) size() int {
	return (b.high[0] - b.low[0]) * (b.high[1] - b.low[1]) * (b.high[2] - b.low[2])
}
