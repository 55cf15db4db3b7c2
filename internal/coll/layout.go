package coll

import (
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
)

// What an algorithm may ask of a node for one run. Whoever runs plans provides
// as much.
const (
	NodeMax = 1 << 20 // bytes that the ranks of a node share
	FlagMax = 256     // flags of a rank
)

// layout says which ranks are on which node.
type layout struct {
	ranks [][]int // by node: its ranks, lowest first
	node  []int   // by rank: its node
	local []int   // by rank: its number among the ranks of its node
}

// layout returns how the ranks of the case lie. Without Nodes every rank is
// alone.
func (c Case) layout() layout {
	l := layout{node: c.Nodes, local: make([]int, c.Ranks)}
	if l.node == nil {
		l.node = make([]int, c.Ranks)
		for i := range l.node {
			l.node[i] = i
		}
	}
	l.ranks = make([][]int, slices.Max(l.node)+1)
	for rank, node := range l.node {
		l.local[rank] = len(l.ranks[node])
		l.ranks[node] = append(l.ranks[node], rank)
	}
	return l
}

// least returns the ranks of the smallest node.
func (l layout) least() int {
	n := len(l.node)
	for _, ranks := range l.ranks {
		n = min(n, len(ranks))
	}
	return n
}

// masters returns the first rank of every node.
func (l layout) masters() []int {
	m := make([]int, len(l.ranks))
	for node, ranks := range l.ranks {
		m[node] = ranks[0]
	}
	return m
}

// from returns the ranks of a node with the root, if it is one of them, first:
// those who may speak for the node, in the order in which they are asked to.
func (l layout) from(node, root int) []int {
	ranks := l.ranks[node]
	if l.node[root] != node {
		return ranks
	}
	first := l.local[root]
	return slices.Concat(ranks[first:], ranks[:first])
}

// shares reports that nodes have memory, whatever the layout.
func shares(c Case) bool { return c.Shares }

// onOneNode reports that all ranks are on one node and have memory there.
func onOneNode(c Case) bool {
	return c.Shares && c.NodeCount() == 1 && (c.Nodes != nil || c.Ranks == 1)
}

// inOrderOfNodes reports that the nodes' memory can be used to merge values.
func inOrderOfNodes(c Case) bool {
	return c.Shares && (c.Commutative || c.Nodes == nil || slices.IsSorted(c.Nodes))
}

// image says where the block of each rank stands in memory that holds the
// blocks of all ranks, part by part.
type image struct {
	at  []int // by rank
	len []int // by rank
	end int
}

// image returns where the blocks of Allgather(v) stand if they lie in the order
// of the parts.
func (c Case) image(parts [][]int) image {
	m := image{at: make([]int, c.Ranks), len: make([]int, c.Ranks)}
	for _, ranks := range parts {
		for _, rank := range ranks {
			m.at[rank], m.len[rank] = m.end, c.recvBlock(rank).Len
			m.end += m.len[rank]
		}
	}
	return m
}

// part returns where the blocks of ranks that stand behind one another are.
func (m image) part(memory plan.Span, ranks []int) plan.Span {
	if len(ranks) == 0 {
		return memory.Sub(0, 0)
	}
	first, last := ranks[0], ranks[len(ranks)-1]
	return memory.Sub(m.at[first], m.at[last]+m.len[last]-m.at[first])
}

// block returns where one rank's block is.
func (m image) block(memory plan.Span, rank int) plan.Span {
	return memory.Sub(m.at[rank], m.len[rank])
}

// copyOut copies the blocks of ranks to where Allgather(v) wants them, after
// deps, in as few copies as their places allow.
func (m image) copyOut(b *plan.Builder, c Case, memory plan.Span, ranks []int, deps ...int) {
	for i := 0; i < len(ranks); {
		src, dst := m.block(memory, ranks[i]), c.recvBlock(ranks[i])
		for i++; i < len(ranks); i++ {
			nextSrc, nextDst := m.block(memory, ranks[i]), c.recvBlock(ranks[i])
			if nextSrc.Off != src.End() || nextDst.Off != dst.End() {
				break
			}
			src.Len += nextSrc.Len
			dst.Len += nextDst.Len
		}
		if src.Len > 0 {
			b.Copy(dst, src, deps...)
		}
	}
}
