package comm

import (
	"fmt"
	"slices"
	"sync"

	"github.com/weft-mpi/weft/internal/agree"
)

// Undefined is the rank of a process in a group that it is not in, and the color of a process that wants no
// part of a split.
const Undefined = -32766

// Group is an ordered set of processes. It is immutable.
type Group struct {
	procs []int
	ranks map[int]int // nil if process i is rank i

	once  sync.Once
	alike *agree.Shared // what the ranks know alike, once somebody has asked
}

// NewGroup makes a group of distinct processes; the slice becomes the group's.
func NewGroup(procs []int) *Group {
	g := &Group{procs: procs}
	for i, p := range procs {
		if i != p {
			g.ranks = make(map[int]int, len(procs))
			break
		}
	}
	if g.ranks != nil {
		for i, p := range procs {
			g.ranks[p] = i
		}
	}
	return g
}

// Size is how many processes are in the group.
func (g *Group) Size() int { return len(g.procs) }

// Process returns the process of a rank.
func (g *Group) Process(rank int) int { return g.procs[rank] }

// Processes returns all, by rank. The caller must not change the slice.
func (g *Group) Processes() []int { return g.procs }

// Rank returns the rank of a process, or Undefined.
func (g *Group) Rank(proc int) int {
	if g.ranks == nil {
		if proc < 0 || proc >= len(g.procs) {
			return Undefined
		}
		return proc
	}
	if r, ok := g.ranks[proc]; ok {
		return r
	}
	return Undefined
}

// Incl returns the group of the given ranks, in that order.
func (g *Group) Incl(ranks ...int) (*Group, error) {
	procs := make([]int, 0, len(ranks))
	for _, r := range ranks {
		if r < 0 || r >= g.Size() {
			return nil, fmt.Errorf("%w: rank %d in a group of %d", ErrRank, r, g.Size())
		}
		if slices.Contains(procs, g.procs[r]) {
			return nil, fmt.Errorf("%w: rank %d is named twice", ErrGroup, r)
		}
		procs = append(procs, g.procs[r])
	}
	return NewGroup(procs), nil
}

// Excl returns the group without the given ranks.
func (g *Group) Excl(ranks ...int) (*Group, error) {
	if _, err := g.Incl(ranks...); err != nil {
		return nil, err
	}
	var procs []int
	for r, p := range g.procs {
		if !slices.Contains(ranks, r) {
			procs = append(procs, p)
		}
	}
	return NewGroup(procs), nil
}

// Union returns g's processes followed by those only h has.
func (g *Group) Union(h *Group) *Group {
	procs := slices.Clone(g.procs)
	for _, p := range h.procs {
		if g.Rank(p) == Undefined {
			procs = append(procs, p)
		}
	}
	return NewGroup(procs)
}

// Intersection returns the processes of g that h has too, in g's order.
func (g *Group) Intersection(h *Group) *Group { return g.filter(h, true) }

// Difference returns the processes of g that h does not have, in g's order.
func (g *Group) Difference(h *Group) *Group { return g.filter(h, false) }

func (g *Group) filter(h *Group, in bool) *Group {
	var procs []int
	for _, p := range g.procs {
		if (h.Rank(p) != Undefined) == in {
			procs = append(procs, p)
		}
	}
	return NewGroup(procs)
}

// Translate returns the ranks in h of the given ranks of g; Undefined where h lacks the process.
func (g *Group) Translate(ranks []int, h *Group) ([]int, error) {
	out := make([]int, len(ranks))
	for i, r := range ranks {
		if r < 0 || r >= g.Size() {
			return nil, fmt.Errorf("%w: rank %d in a group of %d", ErrRank, r, g.Size())
		}
		out[i] = h.Rank(g.procs[r])
	}
	return out, nil
}

// Relation is how much two groups or communicators have in common.
type Relation int

// The relations, closest first.
const (
	Identical Relation = iota // the same
	Congruent                 // communicators with the same ranks, whose messages do not meet
	Similar                   // the same processes in another order
	Unequal
)

// Compare compares groups: they are never congruent.
func (g *Group) Compare(h *Group) Relation {
	switch {
	case slices.Equal(g.procs, h.procs):
		return Identical
	case len(g.procs) == len(h.procs) && g.Intersection(h).Size() == g.Size():
		return Similar
	}
	return Unequal
}

// Compare compares communicators of this process; of two groups, both.
func (c *Comm) Compare(d *Comm) Relation {
	if c.core == d.core || c.in == d.in {
		return Identical
	}
	own, other := c.Group().Compare(d.Group()), Identical
	if a, b := c.Remote(), d.Remote(); a != nil && b != nil {
		other = a.Compare(b)
	} else if a != nil || b != nil {
		return Unequal
	}
	return max(own, other, Congruent)
}

// Range is ranks from First to Last, each Stride behind the one before; a negative stride counts down.
type Range struct{ First, Last, Stride int }

// within lists those of ranges.
func (g *Group) within(ranges []Range) (all []int, err error) {
	for _, r := range ranges {
		if r.Stride == 0 {
			return nil, fmt.Errorf("%w: a range from %d to %d with stride 0", ErrGroup, r.First, r.Last)
		}
		for _, end := range []int{r.First, r.Last} {
			if end < 0 || end >= g.Size() {
				return nil, fmt.Errorf("%w: rank %d in a group of %d", ErrRank, end, g.Size())
			}
		}
		for rank := r.First; (rank <= r.Last) == (r.Stride > 0) || rank == r.Last; rank += r.Stride {
			all = append(all, rank)
		}
	}
	return all, nil
}

// RangeIncl is Incl of the ranks in ranges.
func (g *Group) RangeIncl(ranges ...Range) (*Group, error) {
	ranks, err := g.within(ranges)
	if err != nil {
		return nil, err
	}
	return g.Incl(ranks...)
}

// RangeExcl is Excl of the ranks in ranges.
func (g *Group) RangeExcl(ranges ...Range) (*Group, error) {
	ranks, err := g.within(ranges)
	if err != nil {
		return nil, err
	}
	return g.Excl(ranks...)
}
