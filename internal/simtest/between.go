package simtest

import (
	"github.com/weft-mpi/weft/mpi"
)

// Communicators between two groups. Here their ranks are counted through, those of the first group before those
// of the second; what calls say and return are ranks of the other group.

// groupOf are the ranks of a rank's own group, and those of the other one: from, and behind the last.
func (g *group) groupOf(rank int) (own, other [2]int) {
	own, other = [2]int{0, g.first}, [2]int{g.first, len(g.members)}
	if rank >= g.first {
		own, other = other, own
	}
	return own, other
}

// called is what calls call a rank; wildcards and nobody stay what they are.
func (g *group) called(rank int) int {
	if rank >= g.first {
		return rank - g.first
	}
	return rank
}

// heard is the rank that calls of rank me call so.
func (g *group) heard(me, rank int) int {
	if rank < 0 || g.first == 0 {
		return rank
	}
	_, other := g.groupOf(me)
	return rank + other[0]
}

// reaches tells whether messages go from one rank to another.
func (g *group) reaches(from, to int) bool { return g.first == 0 || (from < g.first) != (to < g.first) }

// size is how many ranks the communicator has for rank me, and how many there are in the other group.
func (g *group) size(me int) (own, remote int) {
	if g.first == 0 {
		return len(g.members), 0
	}
	o, other := g.groupOf(me)
	return o[1] - o[0], other[1] - other[0]
}

// between lists what a program may call between two groups.
var between = []string{"barrier", "bcast", "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv",
	"alltoall", "alltoallv", "alltoalllayout", "reduce", "allreduce", "reducescatter", "reducescatterv"}

// prepareBetween does for calls between two groups.
func (p *part[T]) prepareBetween() bool {
	own, other := p.comm.groupOf(p.me)
	p.root = mpi.ProcNull
	receives := p.Root >= other[0] && p.Root < other[1] // or sends: we are not in the root's group
	if receives {
		p.root = p.comm.called(p.Root)
	} else if p.me == p.Root {
		p.root = mpi.Root
	}
	me, ours, theirs, count := p.comm.called(p.me), own[1]-own[0], other[1]-other[0], p.Count
	each := func(of func(r int) []T) []T { return p.each(other[0], other[1], of) }
	half := func(r int) int { // the groups have blocks of different lengths
		if r >= p.comm.first {
			return count / 2
		}
		return count
	}
	switch p.Op {
	case "barrier":
	case "allgather":
		p.gives(p.values(p.me, 0, half(p.me)))
		p.gets(each(func(r int) []T { return p.values(r, 0, half(r)) }))
	case "alltoall":
		p.gives(p.values(p.me, 0, theirs*half(p.me)))
		p.gets(each(func(r int) []T { return p.values(r, me*half(r), half(r)) }))
	case "alltoalllayout":
		p.columns(other[0], other[1])
	case "alltoallv":
		p.blocks(other[0], other[1], own[0])
	case "allreduce":
		p.gives(p.values(p.me, 0, count))
		p.gets(p.folded(other[0], other[1], 0, count))
	case "reducescatter":
		p.gives(p.values(p.me, 0, ours*theirs*count))
		p.gets(p.folded(other[0], other[1], me*theirs*count, theirs*count))
	case "bcast", "gather", "scatter", "reduce":
		p.prepareRooted(other, receives)
	default:
		return p.prepareUnevenBetween(own, other, p.me == p.Root, receives)
	}
	return true
}

// prepareRooted does for those between a root and the ranks of the other group.
func (p *part[T]) prepareRooted(other [2]int, receives bool) {
	count, leads, theirs, me := p.Count, p.me == p.Root, other[1]-other[0], p.comm.called(p.me)
	switch p.Op {
	case "bcast":
		p.gets(make([]T, count))
		if leads || receives {
			p.gets(p.values(p.Root, 0, count))
		}
		if leads {
			copy(p.recv, p.want)
		}
	case "gather":
		p.gives(p.values(p.me, 0, count))
		if leads {
			p.gets(p.each(other[0], other[1], func(r int) []T { return p.values(r, 0, count) }))
		}
	case "scatter":
		if p.gets(make([]T, count)); leads {
			p.gives(p.values(p.me, 0, theirs*count))
		} else if receives {
			p.gets(p.values(p.Root, me*count, count))
		}
	case "reduce":
		if p.gives(p.values(p.me, 0, count)); leads {
			p.gets(p.folded(other[0], other[1], 0, count))
		}
	}
}

// prepareUnevenBetween does for those in which ranks have different numbers of elements.
func (p *part[T]) prepareUnevenBetween(own, other [2]int, leads, receives bool) bool {
	counts, total := p.counts(other[0], other[1], p.count)
	_, before := p.counts(own[0], p.me, p.count)
	switch p.Op {
	case "gatherv":
		p.gives(p.values(p.me, 0, p.count(p.me)))
		if p.in = counts; leads {
			p.gets(p.each(other[0], other[1], func(r int) []T { return p.values(r, 0, p.count(r)) }))
		}
	case "scatterv":
		if p.out = counts; leads {
			p.gives(p.values(p.me, 0, total))
		}
		if p.gets(make([]T, p.count(p.me))); receives {
			p.gets(p.values(p.Root, before, p.count(p.me)))
		}
	case "allgatherv":
		p.in = counts
		p.gives(p.values(p.me, 0, p.count(p.me)))
		p.gets(p.each(other[0], other[1], func(r int) []T { return p.values(r, 0, p.count(r)) }))
	case "reducescatterv": // both groups have as many in all
		m := own[1] - own[0]
		upTo := func(i int) int { return p.Count * i * i / (m * m) }
		p.in, _ = p.counts(0, m, func(i int) int { return upTo(i+1) - upTo(i) })
		me := p.comm.called(p.me)
		p.gives(p.values(p.me, 0, p.Count))
		p.gets(p.folded(other[0], other[1], upTo(me), p.in[me]))
	default:
		return false
	}
	return true
}

// makeInter makes a communicator between two groups of a communicator's ranks: those of color 0 and those of color 1.
func (a *actor) makeInter(parent *mpi.Comm, m *Make, me int) (*mpi.Comm, error) {
	color := m.Colors[me]
	if color < 0 || color > 1 {
		color = mpi.Undefined
	}
	local, err := parent.Split(color, m.Keys[me])
	if err != nil || local == nil {
		return nil, err
	}
	var sides [2][]int
	for r, color := range m.Colors {
		if color == 0 || color == 1 {
			sides[color] = append(sides[color], r)
		}
	}
	ours, theirs := sides[color], sides[1-color]
	leader := ours[m.Leads[color]%len(ours)]
	of, err := parent.Group().Translate([]int{leader}, local.Group())
	if err != nil {
		return nil, err
	}
	both, err := local.Intercomm(of[0], parent, theirs[m.Leads[1-color]%len(theirs)], m.ID)
	if err != nil {
		return nil, err
	}
	return both, local.Free()
}
