package coll

import (
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
)

// The SMP-aware gathers. Each node but the root's puts its blocks together in
// its memory; its first rank sends them on, straight to the root or up a
// binomial tree of nodes that counts from the root's. On the root's node the
// root takes the blocks from memory itself.

// nodeCollect is such a gather while the plan of one rank is made. Nodes are
// counted from the root's.
type nodeCollect struct {
	image
	b    *plan.Builder
	c    Case
	r    *room
	list [][]int // ranks by node, the root's first
	tree bool
	me   int
}

// gatherNodes gathers over a binomial tree of nodes or straight to the root.
func gatherNodes(b *plan.Builder, c Case, tree bool) {
	l := c.layout()
	first := l.node[c.Root]
	g := nodeCollect{b: b, c: c, r: newRoom(b, c, l), list: slices.Concat(l.ranks[first:], l.ranks[:first]), tree: tree,
		me: virtual(l.node[c.Rank], first, len(l.ranks))}
	g.list[0] = l.from(first, c.Root)
	g.image = c.image(g.list)
	if g.me == 0 {
		g.atRoot()
	} else {
		g.elsewhere()
	}
	g.r.close()
}

// below returns the nodes whose messages come to a node.
func (g *nodeCollect) below(node int) []int {
	if g.tree {
		return treeChildren(node, len(g.list))
	}
	var others []int
	for other := 1; node == 0 && other < len(g.list); other++ {
		others = append(others, other)
	}
	return others
}

// load returns the ranks whose blocks a node's message has.
func (g *nodeCollect) load(node int) []int {
	if g.tree {
		return slices.Concat(g.list[node : node+treeSize(node, len(g.list))]...)
	}
	return g.list[node]
}

// elsewhere is the part of a rank on another node than the root's.
func (g *nodeCollect) elsewhere() {
	load := g.load(g.me)
	master := g.list[g.me][0]
	if len(load) == 1 {
		g.send(g.c.source())
		return
	}
	// Offsets count from the first block of the load.
	memory := g.r.space(len(load) * g.c.Bytes)
	memory.Off -= g.at[load[0]]
	memory.Len += g.at[load[0]]
	flag := g.r.flags(1)
	own := g.b.Copy(g.block(memory, g.c.Rank), g.c.source())
	if g.c.Rank != master {
		g.b.Set(flag, own)
		return
	}
	have := []int{own}
	for _, node := range g.below(g.me) {
		piece := g.part(memory, g.load(node))
		g.c.travel(g.b, piece.Len, 0)
		have = append(have, g.b.Recv(g.list[node][0], piece))
	}
	have = append(have, g.r.others(flag)...)
	g.send(g.part(memory, load), have...)
}

// send sends what this node has to the node above.
func (g *nodeCollect) send(what plan.Span, deps ...int) {
	to := 0
	if g.tree {
		to = treeParent(g.me)
	}
	g.c.travel(g.b, what.Len, g.me)
	g.b.Send(g.list[to][0], what, deps...)
}

// atRoot is the part of a rank on the root's node.
func (g *nodeCollect) atRoot() {
	memory, flag := plan.Span{}, 0
	if !g.r.alone() {
		memory, flag = g.r.space(len(g.r.ranks)*g.c.Bytes), g.r.flags(1)
	}
	if g.c.Rank != g.c.Root {
		g.r.put(g.block(memory, g.c.Rank), g.c.source(), flag)
		return
	}
	var scratch plan.Span
	for _, node := range g.below(0) {
		load := g.load(node)
		g.c.travel(g.b, len(load)*g.c.Bytes, 0)
		if load[len(load)-1]-load[0] == len(load)-1 && slices.IsSorted(load) {
			g.b.Recv(g.list[node][0], plan.Span{Buf: plan.Out, Off: load[0] * g.c.Bytes, Len: len(load) * g.c.Bytes})
			continue
		}
		if scratch.Len == 0 {
			scratch = g.b.Tmp(g.end)
		}
		g.copyOut(g.b, g.c, scratch, load, g.b.Recv(g.list[node][0], g.part(scratch, load)))
	}
	if !g.c.inPlace() {
		g.b.Copy(g.c.recvBlock(g.c.Rank), g.c.source())
	}
	for _, rank := range g.list[0][1:] {
		g.b.Copy(g.c.recvBlock(rank), g.block(memory, rank), g.b.Await(rank, flag))
	}
}
