package nbody

import (
	"math/bits"

	"github.com/weft-mpi/weft/apps/meter"
)

// rounds is how many looks for a cut a step has, for all halvings together.
const rounds = 20

// below is how many bodies of a rank lie below a cut, and how many it has.
type below struct{ bodies, all float64 }

// divide has the ranks share the bodies anew. A group of ranks, all of them at first, looks for the cut that halves its
// bodies, beginning with the last one, which it shifts by reach and more until it has passed it. Then every rank of the
// lower half and its partner in the upper one send each other what belongs there.
func (c *cluster) divide(reach float64) error {
	halvings := bits.Len(uint(c.Comm.Size())) - 1
	counts := make([]below, c.Comm.Size())
	for level := range halvings {
		n := rounds / halvings
		if level < rounds%halvings {
			n++
		}
		s := search{at: c.cuts[level], reach: reach}
		group := c.Comm.Size() >> level
		begin := c.Comm.Rank() / group * group
		for range n {
			mine := below{}
			c.Work(0, func() { mine = below{float64(c.split(level%3, s.at)), float64(len(c.bodies))} })
			if err := meter.Allgather(c.Comm, []below{mine}, counts); err != nil {
				return err
			}
			c.Work(0, func() { s.next(counts[begin : begin+group]) })
		}
		c.cuts[level] = s.at
		if err := c.trade(level%3, group/2, s.at); err != nil {
			return err
		}
	}
	return nil
}

// search is the search for a cut.
type search struct {
	at, reach float64
	low, high struct {
		known bool
		at    float64
	}
}

// next chooses another cut by what a group has counted for this one.
func (s *search) next(counts []below) {
	sum := below{}
	for _, b := range counts {
		sum.bodies, sum.all = sum.bodies+b.bodies, sum.all+b.all
	}
	side, step := &s.low, s.reach
	if 2*sum.bodies > sum.all {
		side, step = &s.high, -s.reach
	}
	side.known, side.at = true, s.at
	if s.low.known && s.high.known {
		s.at = (s.low.at + s.high.at) / 2
		return
	}
	s.at += step
	s.reach *= 2
}

// split brings the bodies below a cut to the front, and tells how many they are.
func (c *cluster) split(axis int, cut float64) (n int) {
	for i := range c.bodies {
		if c.bodies[i].at[axis] < cut {
			c.bodies[i], c.bodies[n] = c.bodies[n], c.bodies[i]
			n++
		}
	}
	return n
}

// trade gives the partner in the other half of a group the bodies that belong there, and takes those of its own.
func (c *cluster) trade(axis, half int, cut float64) error {
	me := c.Comm.Rank()
	keeps, n := me&half == 0, 0
	partner := me ^ half
	if c.Instead == nil {
		if n = c.split(axis, cut); !keeps { // its own come first then
			last := len(c.bodies) - n
			c.swapEnds(n)
			n = last
		}
	} else {
		n = len(c.bodies) - len(c.bodies)/moving
	}
	gives, gets := []int{len(c.bodies) - n}, []int{len(c.bodies) - n}
	if err := meter.Exchange(c.Comm, gives, gets, partner, tagLength); err != nil {
		return err
	}
	c.coming = sized(c.coming, gets[0])
	if err := exchange(c, c.bodies[n:], c.coming, partner); err != nil {
		return err
	}
	c.bodies = append(c.bodies[:n], c.coming...)
	return nil
}

// moving is which part of its bodies a rank gives away in each halving, where there are none to look at.
const moving = 64

// swapEnds brings the bodies behind the first n before these.
func (c *cluster) swapEnds(n int) {
	c.coming = append(c.coming[:0], c.bodies[:n]...)
	rest := copy(c.bodies, c.bodies[n:])
	copy(c.bodies[rest:], c.coming)
}

// Tags of messages.
const (
	tagLength = iota
	tagContent
)

// exchange sends out and receives in, as far as there is something.
func exchange[T any](c *cluster, out, in []T, peer int) error {
	if len(out) == 0 && len(in) == 0 {
		return nil
	}
	return meter.Exchange(c.Comm, out, in, peer, tagContent)
}

// sized is b with n elements, whatever is in them.
func sized[T any](b []T, n int) []T {
	if cap(b) < n {
		return make([]T, n, n+n/2)
	}
	return b[:n]
}
