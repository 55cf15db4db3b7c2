package coll

import (
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
)

// The SMP-aware gathers. Each node but the root's puts its blocks together in
// its memory; its first rank sends them on, straight to the root or up a
// binomial tree of nodes that counts from the root's. On the root's node the
// root takes the blocks from memory itself.

// nodeTree is how blocks travel between nodes, which are counted from the
// root's: over a binomial tree, or straight to or from the root.
type nodeTree struct {
	list [][]int // ranks by node, the root's first; who speaks for the node first
	tree bool
	me   int // this rank's node
}

func (c Case) nodeTree(l layout, tree bool) nodeTree {
	first := l.node[c.Root]
	t := nodeTree{list: slices.Concat(l.ranks[first:], l.ranks[:first]), tree: tree, me: virtual(l.node[c.Rank], first, len(l.ranks))}
	t.list[0] = l.from(first, c.Root)
	return t
}

// above returns the node that is one nearer to the root than this rank's.
func (t *nodeTree) above() int {
	if t.tree {
		return treeParent(t.me)
	}
	return 0
}

// below returns the nodes that are one further from the root than a node.
func (t *nodeTree) below(node int) []int {
	if t.tree {
		return treeChildren(node, len(t.list))
	}
	var others []int
	for other := 1; node == 0 && other < len(t.list); other++ {
		others = append(others, other)
	}
	return others
}

// load returns the ranks whose blocks the message between a node and the one
// above has.
func (t *nodeTree) load(node int) []int {
	if t.tree {
		return slices.Concat(t.list[node : node+treeSize(node, len(t.list))]...)
	}
	return t.list[node]
}

// nodeCollect is such a gather while the plan of one rank is made.
type nodeCollect struct {
	nodeTree
	image
	b *plan.Builder
	c Case
	r *room
}

// gatherNodes gathers over a binomial tree of nodes or straight to the root.
func gatherNodes(b *plan.Builder, c Case, tree bool) {
	l := c.layout()
	g := nodeCollect{nodeTree: c.nodeTree(l, tree), b: b, c: c, r: newRoom(b, c, l)}
	g.image = c.image(g.list)
	if g.me == 0 {
		g.atRoot()
	} else {
		g.elsewhere()
	}
	g.r.close()
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
	g.c.travel(g.b, what.Len, g.me)
	g.b.Send(g.list[g.above()][0], what, deps...)
}

// neighbours reports whether ranks follow one another.
func neighbours(ranks []int) bool {
	return ranks[len(ranks)-1]-ranks[0] == len(ranks)-1 && slices.IsSorted(ranks)
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
		if neighbours(load) {
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
