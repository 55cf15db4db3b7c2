package coll

import (
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
)

// The multi-connection, multi-core allgathers. The ranks of every node are cut
// into groups; a group has a master on each node. A master puts the blocks of
// its group's ranks on its node into its send buffer, exchanges them with the
// masters of its group on the other nodes, writes all blocks of the group into
// the memory of the node in one go, and everybody copies them out.

// groupGather is such an allgather(v) while the plan of one rank is made.
type groupGather struct {
	image
	b      *plan.Builder
	c      Case
	l      layout
	r      *room
	parts  [][][]int // by group and node: ranks
	memory plan.Span
	me     int // own node
}

// groups cuts the ranks of every node into so many groups of neighbours.
func (l layout) groups(number int) [][][]int {
	parts := make([][][]int, number)
	for _, ranks := range l.ranks {
		offs := split(len(ranks), 1, number)
		for g := range parts {
			parts[g] = append(parts[g], ranks[offs[g]:offs[g+1]])
		}
	}
	return parts
}

// allgatherGrouped runs with so many groups. The masters of a group exchange
// over all connections at once, or in a ring over one.
func allgatherGrouped(b *plan.Builder, c Case, groups int, ring bool) {
	l := c.layout()
	g := groupGather{b: b, c: c, l: l, r: newRoom(b, c, l), parts: l.groups(groups), me: l.node[c.Rank]}
	var inTurn [][]int
	for _, nodes := range g.parts {
		inTurn = append(inTurn, nodes...)
	}
	g.image = c.image(inTurn)
	g.memory = g.r.space(g.end)
	put, done := g.r.flags(1), g.r.flags(groups)
	own := plan.None
	if group := g.ownGroup(); len(g.parts[group][g.me]) > 1 {
		own = g.r.put(g.block(g.memory, c.Rank), c.source(), put)
	}
	written := make([]int, groups)
	for group := range groups {
		if g.master(group, g.me) == c.Rank {
			written[group] = g.serve(group, put, own, ring)
			b.Set(done+group, written[group])
		}
	}
	for group, nodes := range g.parts {
		ready := g.r.await(g.master(group, g.me), done+group, written[group])
		g.copyOut(b, c, g.memory, slices.Concat(nodes...), ready, own)
	}
	g.r.close()
}

// ownGroup returns the group this rank is in.
func (g *groupGather) ownGroup() int {
	for group, nodes := range g.parts {
		for _, rank := range nodes[g.me] {
			if rank == g.c.Rank {
				return group
			}
		}
	}
	panic("coll: a rank without a group")
}

// master returns the master of a group on a node: its first rank there, or,
// if it has none, another rank of the node.
func (g *groupGather) master(group, node int) int {
	if part := g.parts[group][node]; len(part) > 0 {
		return part[0]
	}
	ranks := g.l.ranks[node]
	return ranks[group%len(ranks)]
}

// serve is a master's work for its group. It returns the step after which the
// group's blocks are in the memory of the node.
func (g *groupGather) serve(group, put, own int, ring bool) (written int) {
	nodes := g.parts[group]
	first, length := g.extent(nodes)
	buffer := g.b.Tmp(length)
	at := func(node int) plan.Span { // in the buffer
		if len(nodes[node]) == 0 {
			return plan.Span{}
		}
		s := g.part(g.memory, nodes[node])
		return buffer.Sub(s.Off-first, s.Len)
	}
	ready := plan.None
	switch mine := nodes[g.me]; {
	case len(mine) == 1:
		ready = g.b.Copy(at(g.me), g.c.source())
	case len(mine) > 1:
		here := append(g.r.awaitAll(mine, put), own)
		ready = g.b.Copy(at(g.me), g.part(g.memory, mine), here...)
	}
	var have []int
	if ring {
		have = g.ring(group, at, ready)
	} else {
		have = g.connect(group, at, ready)
	}
	return g.b.Copy(plan.Span{Buf: plan.Node, Off: first, Len: length}, buffer, append(have, ready)...)
}

// extent returns where the blocks of a group begin in the memory of the node,
// and their length.
func (g *groupGather) extent(nodes [][]int) (first, length int) {
	first = -1
	for _, ranks := range nodes {
		if len(ranks) == 0 {
			continue
		}
		s := g.part(g.memory, ranks)
		if first < 0 {
			first = s.Off
		}
		length += s.Len
	}
	return max(first, 0), length
}

// connect exchanges with the masters of all other nodes at once.
func (g *groupGather) connect(group int, at func(int) plan.Span, ready int) (have []int) {
	n := len(g.l.ranks)
	for d := 1; d < n; d++ {
		from := (g.me - d + n) % n
		if piece := at(from); piece.Len > 0 {
			g.c.travel(g.b, piece.Len, 0)
			have = append(have, g.b.Recv(g.master(group, from), piece))
		}
	}
	for d := 1; d < n; d++ {
		if piece := at(g.me); piece.Len > 0 {
			g.c.travel(g.b, piece.Len, group+d)
			g.b.Send(g.master(group, (g.me+d)%n), piece, ready)
		}
	}
	return have
}

// ring passes on what came last, in n-1 consecutive steps.
func (g *groupGather) ring(group int, at func(int) plan.Span, ready int) (have []int) {
	n := len(g.l.ranks)
	last, passOn := ready, inOrder(g.b)
	for d := 0; d < n-1; d++ {
		if leaving := at((g.me - d + n) % n); leaving.Len > 0 {
			g.c.travel(g.b, leaving.Len, group)
			g.b.Send(g.master(group, (g.me+1)%n), leaving, passOn.after(last))
		}
		last = plan.None
		if coming := at((g.me - d - 1 + n) % n); coming.Len > 0 {
			g.c.travel(g.b, coming.Len, 0)
			last = g.b.Recv(g.master(group, (g.me-1+n)%n), coming)
			have = append(have, last)
		}
	}
	return have
}

func groupsFit(c Case) bool { return imageFits(c) && c.MostLocal()+1 <= FlagMax }
