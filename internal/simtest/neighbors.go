package simtest

import (
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/topo"
	"github.com/weft-mpi/weft/mpi"
)

// Neighbours, as a naive model has them: for each rank where its edges come from and lead to, found by looking
// at all of them.

// far is the other end of an edge: a rank and the number of the edge there; rank -1 at the border of a grid.
type far struct{ rank, slot int }

// nearby are the neighbours of all ranks of a group.
type nearby struct{ in, out [][]far }

// betweenNeighbors lists what a program may call where ranks have neighbours.
var betweenNeighbors = []string{"neighborallgather", "neighborallgatherv", "neighboralltoall", "neighboralltoallv", "neighboralltoalllayout"}

// hasNeighbors tells whether the communicator to be made has neighbours.
func (m *Make) hasNeighbors() bool { return m.How == "graph" || m.How == "grid" || m.How == "hood" }

// nearby finds the neighbours of n ranks; nil if the description makes no sense.
func (m *Make) nearby(n int) *nearby {
	k := &nearby{in: make([][]far, n), out: make([][]far, n)}
	if m.How == "graph" {
		for _, e := range m.Edges {
			if min(e[0], e[1]) < 0 || max(e[0], e[1]) >= n {
				return nil
			}
			k.out[e[0]] = append(k.out[e[0]], far{e[1], len(k.in[e[1]])})
			k.in[e[1]] = append(k.in[e[1]], far{e[0], len(k.out[e[0]]) - 1})
		}
		return k
	}
	places := 1
	for _, size := range m.Sizes {
		places *= size
	}
	if places != n || len(m.Rings) != len(m.Sizes) || slices.ContainsFunc(m.offsets(), func(o []int) bool { return len(o) != len(m.Sizes) }) {
		return nil
	}
	for r := range n {
		for slot, offset := range m.offsets() {
			to := m.beside(r, offset)
			k.out[r] = append(k.out[r], far{to, m.arrives(slot)})
			k.in[r] = append(k.in[r], far{-1, 0})
		}
	}
	for r := range n {
		for slot, end := range k.out[r] {
			if end.rank >= 0 {
				k.in[end.rank][end.slot] = far{r, slot}
			}
		}
	}
	return k
}

// offsets are where neighbours are in a grid.
func (m *Make) offsets() (all [][]int) {
	if m.How == "hood" {
		return m.Offsets
	}
	for d := range m.Sizes {
		for _, by := range []int{-1, 1} {
			offset := make([]int, len(m.Sizes))
			offset[d] = by
			all = append(all, offset)
		}
	}
	return all
}

// arrives is where what is sent along an edge comes in: in a grid, what goes below comes from above.
func (m *Make) arrives(slot int) int {
	if m.How == "grid" {
		return slot ^ 1
	}
	return slot
}

// beside is the rank at an offset from another, -1 beyond the border.
func (m *Make) beside(rank int, offset []int) int {
	at, one := 0, 1
	for d := len(m.Sizes) - 1; d >= 0; d-- {
		n := m.Sizes[d]
		x := rank/one%n + offset[d]
		if m.Rings[d] {
			x = (x%n + n) % n
		}
		if x < 0 || x >= n {
			return -1
		}
		at += x * one
		one *= n
	}
	return at
}

// graph is what the library makes of it, for the choice of algorithms.
func (m *Make) graph(n int) *topo.Graph {
	g := topo.Grid{Sizes: m.Sizes, Periodic: m.Rings}
	var made *topo.Graph
	var err error
	switch m.How {
	case "grid":
		return g.Neighbors()
	case "hood":
		made, err = g.Neighborhood(m.Offsets)
	default:
		sources, dests := make([][]int, n), make([][]int, n)
		for _, e := range m.Edges {
			sources[e[1]], dests[e[0]] = append(sources[e[1]], e[0]), append(dests[e[0]], e[1])
		}
		made, err = topo.NewGraph(sources, dests)
	}
	if err != nil {
		return nil
	}
	return made
}

// makeNear makes a communicator with neighbours.
func (a *actor) makeNear(parent *mpi.Comm, m *Make, me int) (*mpi.Comm, error) {
	if m.Anew {
		if err := m.tryAnew(parent, me); err != nil {
			return nil, fmt.Errorf("with ranks numbered anew: %w", err)
		}
	}
	return m.near(parent, me, false)
}

// tryAnew makes it with ranks numbered anew, has each tell its neighbours its number, and frees it.
func (m *Make) tryAnew(parent *mpi.Comm, me int) error {
	c, err := m.near(parent, me, true)
	if err != nil {
		return err
	}
	if err := checkNear(c, m.nearby(c.Size())); err != nil {
		return err
	}
	sources, _ := c.Neighbors()
	heard := make([]int, len(sources))
	if err := mpi.NeighborAllgather(c, []int{c.Rank()}, heard); err != nil {
		return err
	}
	for i, rank := range sources {
		if rank != mpi.ProcNull && heard[i] != rank {
			return fmt.Errorf("neighbour %d, rank %d, says that it is rank %d", i, rank, heard[i])
		}
	}
	return c.Free()
}

// near makes it for one rank.
func (m *Make) near(parent *mpi.Comm, me int, reorder bool) (*mpi.Comm, error) {
	if m.How == "graph" {
		var sources, dests []int
		var own []mpi.Edge
		for i, e := range m.Edges {
			if e[1] == me {
				sources = append(sources, e[0])
			}
			if e[0] == me {
				dests = append(dests, e[1])
			}
			if me == 0 {
				own = append(own, mpi.Edge{From: e[0], To: e[1], Weight: i})
			}
		}
		if m.ID%2 == 0 {
			return parent.GraphOf(own, reorder)
		}
		return parent.Graph(sources, dests, nil, reorder)
	}
	cart, err := parent.Cart(m.Sizes, m.Rings, reorder)
	if err != nil {
		return nil, err
	}
	if m.How == "grid" {
		return cart.Comm, nil
	}
	hood, err := cart.Neighborhood(m.Offsets...)
	if err != nil {
		return nil, err
	}
	return hood.Comm, cart.Free()
}

// checkNear compares the neighbours that a communicator says this rank has with those of the model.
func checkNear(c *mpi.Comm, k *nearby) error {
	sources, dests := c.Neighbors()
	for _, side := range []struct {
		said []int
		are  []far
	}{{sources, k.in[c.Rank()]}, {dests, k.out[c.Rank()]}} {
		if !slices.EqualFunc(side.said, side.are, func(rank int, f far) bool { return rank == f.rank || rank == mpi.ProcNull && f.rank < 0 }) {
			return fmt.Errorf("the new communicator has the neighbours %v, should be %v", side.said, side.are)
		}
	}
	return nil
}

// prepareNear does for calls between neighbours; false if there is no such call.
func (p *part[T]) prepareNear() bool {
	k, count := p.comm.near, p.Count
	if k == nil {
		return false
	}
	in, out := k.in[p.me], k.out[p.me]
	length := func(r, slot int) int { // of the blocks in calls where they differ
		if p.Op == "neighborallgatherv" {
			return p.count(r)
		}
		return p.share(r, slot)
	}
	p.in, p.out = make([]int, len(in)), make([]int, len(out))
	for slot, end := range in {
		if end.rank >= 0 {
			p.in[slot] = length(end.rank, end.slot)
		}
	}
	var even, uneven []T
	for slot := range out {
		p.out[slot] = length(p.me, slot)
		even = append(even, p.along(p.me, slot, count)...)
		uneven = append(uneven, p.along(p.me, slot, p.out[slot])...)
	}
	switch p.Op {
	case "neighborallgather":
		p.gives(p.values(p.me, 0, count))
		p.gets(p.fromNear(in, func(end far) []T { return p.values(end.rank, 0, count) }, count))
	case "neighborallgatherv":
		p.gives(p.values(p.me, 0, p.count(p.me)))
		p.gets(p.fromNear(in, func(end far) []T { return p.values(end.rank, 0, p.count(end.rank)) }, 0))
	case "neighboralltoall":
		p.gives(even)
		p.gets(p.fromNear(in, func(end far) []T { return p.along(end.rank, end.slot, count) }, count))
	case "neighboralltoallv":
		p.gives(uneven)
		p.gets(p.fromNear(in, func(end far) []T { return p.along(end.rank, end.slot, p.share(end.rank, end.slot)) }, 0))
	case "neighboralltoalllayout":
		p.nearColumns(in, len(out))
	default:
		return false
	}
	return true
}

// nearColumns is a column of a matrix, of some length, for each edge out, and one from each edge in;
// what would come from nowhere has a column that stays as it is.
func (p *part[T]) nearColumns(in []far, outs int) {
	p.gives(p.values(p.me, 1<<30, outs*p.Count))
	p.gets(make([]T, len(in)*p.Count))
	p.outAt, p.inAt = make([]mpi.Layout, outs), make([]mpi.Layout, len(in))
	for i := range outs {
		var places []int
		p.outAt[i], places = p.column(i, i, outs, p.out[i])
		for k, v := range p.along(p.me, i, len(places)) {
			p.send[places[k]], p.own[places[k]] = v, v
		}
	}
	for i, end := range in {
		var places []int
		if end.rank < 0 {
			p.inAt[i], _ = p.column(i+1, i, len(in), p.Count)
			continue
		}
		p.inAt[i], places = p.column(i+1, i, len(in), p.in[i])
		for k, v := range p.along(end.rank, end.slot, len(places)) {
			p.want[places[k]] = v
		}
	}
}

// along is what rank r sends along an edge.
func (p *part[T]) along(r, slot, n int) []T { return p.values(r, slot<<20, n) }

// fromNear puts together what comes along edges; nothing, of some length, comes along those from nowhere.
func (p *part[T]) fromNear(in []far, of func(far) []T, nothing int) (v []T) {
	v = []T{}
	for _, end := range in {
		if end.rank < 0 {
			v = append(v, make([]T, nothing)...)
		} else {
			v = append(v, of(end)...)
		}
	}
	return v
}

// near makes a program in which ranks talk to neighbours: in graphs by lot, grids and neighbourhoods.
func (g *generator) near() (all []Item) {
	for range 1 + g.rng.IntN(2) {
		m := g.makeNear(one(g, g.comms...), one(g, "graph", "grid", "hood"))
		m.Anew = g.chance(25)
		all = append(all, Item{Make: m})
		for range 2 + g.rng.IntN(5) {
			k := g.betweenNeighbors(m.ID, one(g, betweenNeighbors...))
			if g.chance(30) && k.Op != "neighboralltoalllayout" {
				k.Turns = 1 + g.rng.IntN(3)
			}
			all = append(all, Item{Collective: k})
		}
	}
	return all
}

// betweenNeighbors makes a call of a communicator's ranks to their neighbours.
func (g *generator) betweenNeighbors(id int, op string) *Collective {
	k := g.collective()
	k.Comm, k.Op, k.Root, k.InPlace = id, op, 0, false
	return k
}

// makeNear makes a communicator whose ranks have neighbours.
func (g *generator) makeNear(parent made, how string) *Make {
	g.nextID++
	m := &Make{ID: g.nextID, Parent: parent.id, How: how}
	if how == "graph" {
		for range g.rng.IntN(4*parent.size + 1) {
			m.Edges = append(m.Edges, [2]int{g.rng.IntN(parent.size), g.rng.IntN(parent.size)})
		}
		return m
	}
	left := parent.size
	for range g.rng.IntN(3) {
		var factors []int
		for f := 1; f <= left; f++ {
			if left%f == 0 {
				factors = append(factors, f)
			}
		}
		m.Sizes = append(m.Sizes, one(g, factors...))
		left /= m.Sizes[len(m.Sizes)-1]
	}
	m.Sizes = append(m.Sizes, left)
	for range m.Sizes {
		m.Rings = append(m.Rings, g.chance(60))
	}
	for range g.rng.IntN(9) {
		offset := make([]int, len(m.Sizes))
		for d := range offset {
			offset[d] = g.rng.IntN(5) - 2
		}
		m.Offsets = append(m.Offsets, offset)
	}
	if how == "grid" {
		m.Offsets = nil
	}
	return m
}
