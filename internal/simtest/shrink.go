package simtest

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/verbs/sim"
)

// Shrink looks for a smaller case that still fails: it leaves out items, faults, parts of storms
// and turns of windows, makes messages shorter and nodes more alike, as long as the run fails,
// until nothing can go or the time is over. It calls fails, which runs a case, many times.
func Shrink(c *Case, limit time.Duration, fails func(*Case) bool) *Case {
	s := &shrinker{best: c, fails: fails, until: time.Now().Add(limit)}
	for before := -1; before != s.size() && !s.late(); {
		before = s.size()
		s.dropItems()
		s.dropParts()
		s.dropTurns()
		s.dropFaults()
		s.soften()
	}
	s.fewerRanks()
	s.simplerNodes()
	return s.best
}

// shrinker makes a case smaller.
type shrinker struct {
	best  *Case
	fails func(*Case) bool
	until time.Time
}

func (s *shrinker) late() bool { return time.Now().After(s.until) }

// size is how much a case consists of.
func (s *shrinker) size() int {
	n := 10*len(s.best.Items) + 10*len(s.best.Faults)
	for _, it := range s.best.Items {
		if it.Storm != nil {
			n += len(it.Storm.Parts)
		}
		if it.Sided != nil {
			n += len(it.Sided.Turns)
		}
		n += it.bytes() / 64
	}
	return n
}

// try takes a smaller case over if it fails too.
func (s *shrinker) try(c Case) bool {
	if s.late() || !s.fails(&c) {
		return false
	}
	s.best = &c
	return true
}

// dropItems leaves out runs of items, long ones first.
func (s *shrinker) dropItems() {
	for n := max(1, len(s.best.Items)/2); n >= 1; n /= 2 {
		for at := 0; at < len(s.best.Items); {
			c := *s.best
			c.Items = slices.Delete(slices.Clone(c.Items), at, min(at+n, len(c.Items)))
			if !s.try(c) {
				at += n
			}
		}
	}
}

func (s *shrinker) dropFaults() {
	for at := 0; at < len(s.best.Faults); {
		c := *s.best
		c.Faults = slices.Delete(slices.Clone(c.Faults), at, at+1)
		if !s.try(c) {
			at++
		}
	}
}

// dropParts leaves out messages of storms.
func (s *shrinker) dropParts() {
	for i := range s.best.Items {
		for at := 0; s.best.Items[i].Storm != nil && at < len(s.best.Items[i].Storm.Parts); {
			storm := *s.best.Items[i].Storm
			storm.Parts = slices.Delete(slices.Clone(storm.Parts), at, at+1)
			if !s.try(s.with(i, Item{Storm: &storm})) {
				at++
			}
		}
	}
}

// dropTurns leaves out turns of windows, and makes them shorter.
func (s *shrinker) dropTurns() {
	for i := range s.best.Items {
		for at := 0; s.best.Items[i].Sided != nil && at < len(s.best.Items[i].Sided.Turns); {
			window := *s.best.Items[i].Sided
			window.Turns = slices.Delete(slices.Clone(window.Turns), at, at+1)
			if !s.try(s.with(i, Item{Sided: &window})) {
				at++
			}
		}
		if k := s.best.Items[i].Sided; k != nil && k.Count > 1 {
			shorter := *k
			shorter.Count = k.Count / 2
			s.try(s.with(i, Item{Sided: &shorter}))
		}
	}
}

// with is the best case with another item in one place.
func (s *shrinker) with(i int, it Item) Case {
	c := *s.best
	c.Items = slices.Clone(c.Items)
	c.Items[i] = it
	return c
}

// soften makes messages simpler and shorter.
func (s *shrinker) soften() {
	for i := range s.best.Items {
		if m := s.best.Items[i].Message; m != nil {
			for _, change := range []func(*Message){
				func(m *Message) { m.Bytes = 0 }, func(m *Message) { m.Bytes /= 2 }, func(m *Message) { m.Send = End{} },
				func(m *Message) { m.Recv = End{Lead: m.Recv.Lead} }, func(m *Message) { m.Style, m.Mode = Plain, Standard },
				func(m *Message) { m.AnyTag, m.AnyFrom, m.Room = false, false, 0 },
			} {
				was := *s.best.Items[i].Message
				softer := was
				if change(&softer); softer != was {
					s.try(s.with(i, Item{Message: &softer}))
				}
			}
		}
		if k := s.best.Items[i].Collective; k != nil && k.Count > 1 {
			fewer := *k
			fewer.Count = 1
			s.try(s.with(i, Item{Collective: &fewer}))
		}
	}
}

// fewerRanks leaves out the last ranks, with whatever they would have done.
func (s *shrinker) fewerRanks() {
	for s.best.Shape.Ranks > 2 {
		c := *s.best
		if c.Shape.Ranks--; c.Shape.Spots == nil {
			c.Shape.Nodes = min(c.Shape.Nodes, c.Shape.Ranks)
		} else {
			c.Shape.Spots = c.Shape.Spots[:c.Shape.Ranks]
		}
		c.Faults = slices.DeleteFunc(slices.Clone(c.Faults), func(f Fault) bool {
			return f.Rank >= c.Shape.Ranks || f.Node >= c.Shape.Nodes || f.Other >= c.Shape.Nodes
		})
		if !s.try(c) {
			return
		}
	}
}

// simplerNodes makes nodes alike as far as may be, has ranks lie side by side, and leaves out nodes
// without any.
func (s *shrinker) simplerNodes() {
	c := *s.best
	c.Shape.Each = nil
	s.try(c)
	for i := range s.best.Shape.Each {
		for _, change := range []func(*sim.Node){
			func(n *sim.Node) { *n = sim.Node{} }, func(n *sim.Node) { n.Cores = 0 }, func(n *sim.Node) { n.Denies = false },
			func(n *sim.Node) { n.Rates = nil }, func(n *sim.Node) { n.Rails, n.Rates = 0, nil },
		} {
			c := *s.best
			c.Shape.Each = slices.Clone(c.Shape.Each)
			if change(&c.Shape.Each[i]); !reflect.DeepEqual(c.Shape.Each[i], s.best.Shape.Each[i]) {
				s.try(c)
			}
		}
	}
	if s.best.Shape.Spots == nil {
		return
	}
	c = *s.best
	c.Shape.Spots = slices.Sorted(slices.Values(c.Shape.Spots))
	s.try(c)
	for node := s.best.Shape.Nodes - 1; node >= 0; node-- {
		if !slices.Contains(s.best.Shape.Spots, node) {
			s.try(s.best.without(node))
		}
	}
}

// without is a case without a node on which nobody is, and without the misfortunes of nodes.
func (c Case) without(node int) Case {
	c.Faults = slices.DeleteFunc(slices.Clone(c.Faults), func(f Fault) bool { return f.Node > 0 || f.Other > 0 })
	c.Shape.Nodes--
	c.Shape.Spots = slices.Clone(c.Shape.Spots)
	for i, at := range c.Shape.Spots {
		if at > node {
			c.Shape.Spots[i]--
		}
	}
	if node < len(c.Shape.Each) {
		c.Shape.Each = slices.Delete(slices.Clone(c.Shape.Each), node, node+1)
	}
	return c
}

// Symptom is the kind of a failure: its text without numbers and all but the first line. A smaller case
// must fail alike.
func Symptom(err error) string {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, first)
}
