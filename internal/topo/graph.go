package topo

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// End is the other end of an edge: a place, and which of its edges in that direction it is. Its Place is
// Nowhere where there is no edge: at the border of a grid.
type End struct{ Place, Slot int }

// Graph says for every place from which places it receives and to which it sends, each in an order of its
// own. A place may be named several times, and a place may name itself. It does not change once made.
type Graph struct {
	in, out [][]End // by place and slot
	grid    Grid    // of a neighbourhood
	offsets [][]int // of a neighbourhood: to where the edges out of each place lead; nil in other graphs
	digest  uint64
}

// ErrGraph is the class of errors about neighbours that cannot be.
var ErrGraph = errors.New("bad neighbours")

// NewGraph makes a graph in which every place tells both from where it receives and to where it sends. The
// first edge between two places that one names is the first that the other names, and so on. All places that
// are named exist.
func NewGraph(sources, dests [][]int) (*Graph, error) {
	type pair struct{ from, to int }
	g := &Graph{in: make([][]End, len(sources)), out: make([][]End, len(dests))}
	left := map[pair][]int{} // slots of edges out that nobody has named at the other end
	for p, all := range dests {
		g.out[p] = make([]End, len(all))
		for slot, to := range all {
			left[pair{p, to}] = append(left[pair{p, to}], slot)
		}
	}
	var wrong []string
	for p, all := range sources {
		g.in[p] = make([]End, len(all))
		for slot, from := range all {
			waiting := left[pair{from, p}]
			if len(waiting) == 0 {
				wrong = append(wrong, fmt.Sprintf("rank %d names rank %d as a source, which does not name it as a destination%s", p, from, asOften(all[:slot], from)))
				continue
			}
			g.in[p][slot], g.out[from][waiting[0]] = End{from, waiting[0]}, End{p, slot}
			left[pair{from, p}] = waiting[1:]
		}
	}
	for p, all := range dests {
		for slot, to := range all {
			if waiting := left[pair{p, to}]; len(waiting) > 0 && waiting[0] == slot {
				wrong = append(wrong, fmt.Sprintf("rank %d names rank %d as a destination, which does not name it as a source%s", p, to, asOften(all[:slot], to)))
				left[pair{p, to}] = nil
			}
		}
	}
	if len(wrong) > 0 {
		return nil, fmt.Errorf("%w: %s", ErrGraph, some(wrong))
	}
	g.digest = g.sum()
	return g, nil
}

// asOften says that a place is named more often than the other end does.
func asOften(before []int, place int) string {
	if slices.Contains(before, place) {
		return " as often"
	}
	return ""
}

// some are the first of several texts.
func some(all []string) string {
	const most = 3
	if len(all) > most {
		return strings.Join(all[:most], "; ") + fmt.Sprintf("; and %d more", len(all)-most)
	}
	return strings.Join(all, "; ")
}

// Neighbors is the graph of a grid in which every place has edges to and from both sides along each
// dimension: of every dimension first the side below, then that above. What a place sends below comes to
// the place there from above, also where both sides are the same place.
func (g Grid) Neighbors() *Graph {
	var offsets [][]int
	for d := range g.Sizes {
		for _, by := range []int{-1, 1} {
			offset := make([]int, len(g.Sizes))
			offset[d] = by
			offsets = append(offsets, offset)
		}
	}
	return g.neighborhood(offsets, func(slot int) int { return slot ^ 1 })
}

// Neighborhood is the graph of a grid in which every place has edges to the places at some offsets from it,
// and from those to which it lies at these offsets, in their order.
func (g Grid) Neighborhood(offsets [][]int) (*Graph, error) {
	own := make([][]int, len(offsets))
	for i, offset := range offsets {
		if len(offset) != len(g.Sizes) {
			return nil, fmt.Errorf("%w: offset %d has %d numbers in %d dimensions", ErrGrid, i, len(offset), len(g.Sizes))
		}
		own[i] = slices.Clone(offset)
		for d, n := range g.Sizes {
			if g.Periodic[d] {
				own[i][d] %= n // so that sums do not overflow
			} else {
				own[i][d] = max(-n, min(own[i][d], n))
			}
		}
	}
	return g.neighborhood(own, func(slot int) int { return slot }), nil
}

// neighborhood makes the graph. arrives tells in which slot the edge of an offset comes in.
func (g Grid) neighborhood(offsets [][]int, arrives func(slot int) int) *Graph {
	n := g.Len()
	h := &Graph{in: make([][]End, n), out: make([][]End, n), grid: g, offsets: offsets}
	if h.offsets == nil {
		h.offsets = [][]int{}
	}
	both := make([]End, 2*n*len(offsets))
	for p := range n {
		h.in[p], both = both[:len(offsets):len(offsets)], both[len(offsets):]
		h.out[p], both = both[:len(offsets):len(offsets)], both[len(offsets):]
		for slot, offset := range offsets {
			h.out[p][slot] = End{g.Beside(p, offset, 1), arrives(slot)}
			h.in[p][arrives(slot)] = End{g.Beside(p, offset, -1), slot}
		}
	}
	h.digest = h.sum()
	return h
}

// Beside is the place at so many times an offset from another.
func (g Grid) Beside(place int, offset []int, times int) int {
	at := g.Coords(place)
	for d := range at {
		at[d] += times * offset[d]
	}
	return g.Place(at)
}

// Len is how many places there are.
func (g *Graph) Len() int { return len(g.in) }

// In are the edges that lead to a place: from where. The slice is only read, as Out's is.
func (g *Graph) In(place int) []End { return g.in[place] }

// Out are the edges that lead from a place: to where.
func (g *Graph) Out(place int) []End { return g.out[place] }

// Offsets are those of a neighbourhood in a grid: the same for all places, each from one place to the
// one that its edge leads to. Nil in other graphs.
func (g *Graph) Offsets() (grid Grid, offsets [][]int) { return g.grid, g.offsets }

// Digest is a number by which graphs are told apart.
func (g *Graph) Digest() uint64 { return g.digest }

// Degree is the largest number of edges that lead to or from a place.
func (g *Graph) Degree() (most int) {
	for p := range g.in {
		most = max(most, len(g.in[p]), len(g.out[p]))
	}
	return most
}

// Edges is how many edges there are.
func (g *Graph) Edges() (n int) {
	for _, ends := range g.out {
		for _, end := range ends {
			if end.Place != Nowhere {
				n++
			}
		}
	}
	return n
}

// Secluded tells whether a place has no slot for an edge in either direction: it cannot know how much is
// sent along those of others.
func (g *Graph) Secluded() bool {
	for p := range g.in {
		if len(g.in[p])+len(g.out[p]) == 0 {
			return true
		}
	}
	return false
}

func (g *Graph) sum() uint64 {
	h := fnv.New64a()
	var b []byte
	for _, ends := range slices.Concat(g.in, g.out) {
		b = append(b[:0], byte(len(ends)), byte(len(ends)>>8))
		for _, end := range ends {
			for _, n := range [...]int{end.Place, end.Slot} {
				b = append(b, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
			}
		}
		h.Write(b)
	}
	for _, offset := range g.offsets {
		for _, by := range offset {
			h.Write([]byte{1, byte(by), byte(by >> 8), byte(by >> 16), byte(by >> 24)})
		}
	}
	return h.Sum64()
}
