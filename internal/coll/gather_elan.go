package coll

import (
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
)

// gather/elan: what elan_gather of Quadrics does. Blocks up to 2 KB are gathered
// in the memory that the ranks of a node share (by messages if there is none),
// then over a binomial tree of the first rank of each node, each sending on the
// blocks of its subtree; the root stands for its own node. Blocks up to 4 KB
// take gather/knomial over all ranks with one port, longer ones gather/flat.
//
// Steps: ceil(log2 of the nodes) rounds (one more if nothing is shared); those
// of the parts for longer blocks. Cost, with q nodes: ceil(log2 q)*a + (p-p/q)nb
// and copies of pn at the root. Limits: none; memory of the node, or scratch, of
// pn. A rival to compare with. Source: Qian, "Design and evaluation of efficient
// collective communications on modern interconnects and multi-core clusters",
// 2010, section 4.2.
func gatherElan(b *plan.Builder, c Case) {
	const short, medium = 2 << 10, 4 << 10
	switch {
	case c.Bytes <= short:
		newElanGather(b, c).plan()
	case c.Bytes <= medium:
		gatherKnomial(b, c)
	default:
		gatherFlat(b, c)
	}
}

// elanGather is the gather of short blocks as one rank sees it. Nodes are
// counted from the root's.
type elanGather struct {
	b       *plan.Builder
	c       Case
	members [][]int // of each node, in rank order
	chief   []int   // of each node: its first rank, or the root
	offs    []int   // where the blocks of each node begin if they lie node by node
	me      int     // the own node
	mem     plan.Span
	shared  bool // mem is memory of the node
}

func newElanGather(b *plan.Builder, c Case) *elanGather {
	g := &elanGather{b: b, c: c}
	l := c.layout()
	count, first := len(l.ranks), l.node[c.Root]
	g.members, g.offs = slices.Concat(l.ranks[first:], l.ranks[:first]), make([]int, count+1)
	for node, ranks := range g.members {
		g.chief = append(g.chief, ranks[0])
		g.offs[node+1] = g.offs[node] + len(ranks)*c.Bytes
	}
	g.chief[0], g.me = c.Root, virtual(l.node[c.Rank], first, count)
	g.settle(l.node[c.Rank])
	return g
}

// settle finds memory for the blocks of the own node and those below it: of the
// node if its ranks share some, else the chief's own.
func (g *elanGather) settle(node int) {
	need := g.length(g.me)
	g.shared = g.c.Shares && len(g.members[g.me]) > 1 && need <= NodeMax
	switch {
	case g.shared:
		g.b.OnNode(node, need, 1)
		g.mem = plan.Span{Buf: plan.Node, Len: need}
	case g.c.Rank == g.chief[g.me]:
		g.mem = g.b.Tmp(need)
	}
}

// tree is the tree of nodes.
func (g *elanGather) tree() tree { return tree{len(g.members), 2} }

// length returns the bytes of a node and all below it.
func (g *elanGather) length(node int) int { return g.offs[node+g.tree().size(node)] - g.offs[node] }

// slot returns where the own memory keeps the block of a member of the own node.
func (g *elanGather) slot(rank int) plan.Span {
	return g.mem.Sub(slices.Index(g.members[g.me], rank)*g.c.Bytes, g.c.Bytes)
}

func (g *elanGather) plan() {
	b, c := g.b, g.c
	if c.Rank != g.chief[g.me] {
		if g.shared {
			b.Set(0, b.Copy(g.slot(c.Rank), c.source()))
		} else {
			b.Send(g.chief[g.me], c.source())
		}
		return
	}
	have := g.collect()
	if c.Rank != c.Root {
		b.Send(g.chief[g.tree().parent(g.me)], g.mem, have...)
		return
	}
	all := b.Gate(have...)
	for node, ranks := range g.members {
		for i, rank := range ranks {
			if rank != c.Rank || !c.inPlace() {
				b.Copy(c.recvBlock(rank), g.mem.Sub(g.offs[node]+i*c.Bytes, c.Bytes), all)
			}
		}
	}
}

// collect brings the blocks of the own node and of those below to the chief's
// memory and returns the steps after which they are there.
func (g *elanGather) collect() (have []int) {
	b, c := g.b, g.c
	for _, rank := range g.members[g.me] {
		switch {
		case rank == c.Rank:
			have = append(have, b.Copy(g.slot(rank), c.source()))
		case g.shared:
			have = append(have, b.Await(rank, 0))
		default:
			have = append(have, b.Recv(rank, g.slot(rank)))
		}
	}
	for _, node := range g.tree().children(g.me) {
		have = append(have, b.Recv(g.chief[node], g.mem.Sub(g.offs[node]-g.offs[g.me], g.length(node))))
	}
	return have
}
