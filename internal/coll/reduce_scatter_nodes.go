package coll

import (
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
)

// ReduceScatter through the memory of nodes. Everybody puts its vector into the
// memory of its node, blocks sorted by node. The blocks of every node are cut
// into slices; the driver of a slice merges it for all nodes from the vectors
// of its own, in rank order, and the drivers of the slice on all nodes run a
// reduce_scatter in which each gets the slice of its own node. That goes back
// to memory, from where everybody copies its block.

// nodeScatter is such an operation while the plan of one rank is made.
type nodeScatter struct {
	b      *plan.Builder
	c      Case
	l      layout
	r      *room
	at     []int   // by rank: where its block stands when sorted by node; and the end
	order  []int   // ranks sorted by node
	cuts   [][]int // by node: where the slices of its blocks begin, from the first block of all
	memory plan.Span
	result plan.Span
	filled int
	own    int
}

// reduceScatterNodes runs with so many slices.
func reduceScatterNodes(b *plan.Builder, c Case, number int) {
	l := c.layout()
	x := nodeScatter{b: b, c: c, l: l, r: newRoom(b, c, l), order: slices.Concat(l.ranks...), at: make([]int, c.Ranks)}
	offs, end := c.vectorOffs(), 0
	for _, ranks := range l.ranks {
		first := end
		for _, rank := range ranks {
			x.at[rank] = end
			end += offs[rank+1] - offs[rank]
		}
		cuts := split(end-first, c.elem(), number)
		for i := range cuts {
			cuts[i] += first
		}
		x.cuts = append(x.cuts, cuts)
	}
	mine := x.cuts[x.r.group]
	x.memory, x.result = x.r.space(len(x.r.ranks)*end), x.r.space(mine[number]-mine[0])
	x.filled = x.r.flags(1)
	done := x.r.flags(1)
	x.fill(offs, end)
	finished := plan.None
	for slice := range number {
		if x.r.ranks[slice] == c.Rank {
			finished = x.drive(slice, end)
			b.Set(done, finished)
		}
	}
	x.take(done, finished, offs[c.Rank+1]-offs[c.Rank])
	x.r.close()
}

// fill puts the own vector into memory, with as few copies as its places allow.
func (x *nodeScatter) fill(offs []int, end int) {
	slot := x.memory.Sub(x.r.me*end, end)
	var copied []int
	for i := 0; i < len(x.order); {
		first := i
		for i++; i < len(x.order) && x.order[i] == x.order[i-1]+1; i++ {
		}
		from, last := x.order[first], x.order[i-1]
		if n := offs[last+1] - offs[from]; n > 0 {
			copied = append(copied, x.b.Copy(slot.Sub(x.at[from], n), x.c.source().Sub(offs[from], n)))
		}
	}
	x.own = all(x.b, copied)
	x.b.Set(x.filled, x.own)
}

// drive merges a slice of the blocks of all nodes, here and then among nodes.
func (x *nodeScatter) drive(slice, end int) (finished int) {
	come := make([]int, len(x.r.ranks))
	for i, rank := range x.r.ranks {
		come[i] = x.r.await(rank, x.filled, x.own)
	}
	counts, total := make([]int, len(x.l.ranks)), 0
	for node, cuts := range x.cuts {
		counts[node] = cuts[slice+1] - cuts[slice]
		total += counts[node]
	}
	mine := x.cuts[x.r.group]
	into := x.result.Sub(mine[slice]-mine[0], counts[x.r.group])
	sum := into
	if len(counts) > 1 {
		sum = x.b.Tmp(total)
	}
	var merged []int
	off := 0
	for node, n := range counts {
		if n > 0 {
			merged = append(merged, x.mergeHere(sum.Sub(off, n), x.cuts[node][slice], end, come))
		}
		off += n
	}
	ready := all(x.b, merged)
	if len(counts) == 1 || total == 0 {
		return ready
	}
	return x.among(slice, counts, sum, into, ready)
}

// mergeHere merges the bytes from off on of all vectors of this node.
func (x *nodeScatter) mergeHere(sum plan.Span, off, end int, come []int) (ready int) {
	ready = x.b.Copy(sum, x.memory.Sub(off, sum.Len), come[0])
	for i := 1; i < len(come); i++ {
		ready = x.b.Reduce(sum, x.memory.Sub(i*end+off, sum.Len), false, come[i], ready)
	}
	return ready
}

// among runs the reduce_scatter between the drivers of a slice.
func (x *nodeScatter) among(slice int, counts []int, sum, into plan.Span, ready int) int {
	const short = 64 << 10
	ranks := make([]int, len(counts))
	for node := range ranks {
		ranks[node] = x.l.ranks[node][slice]
	}
	sub := Case{Op: ReduceScatter, Rank: x.r.group, Ranks: len(ranks), RecvCounts: counts, Elem: x.c.Elem,
		Commutative: x.c.Commutative, Rails: x.c.Rails}
	steps := reduceScatterPairwise
	if sub.Commutative && sum.Len <= short {
		steps = reduceScatterHalving
	}
	return x.b.Join(part(steps, sub), plan.Join{Ranks: ranks, In: sum, Out: into}, ready)
}

// take copies the own block out when the drivers of the slices that it is in
// are done.
func (x *nodeScatter) take(done, finished, n int) {
	if n == 0 {
		return
	}
	mine := x.cuts[x.r.group]
	begin := x.at[x.c.Rank]
	ready := []int{x.own}
	for slice := range len(mine) - 1 {
		if mine[slice] < begin+n && begin < mine[slice+1] {
			ready = append(ready, x.r.await(x.r.ranks[slice], done, finished))
		}
	}
	x.b.Copy(plan.Span{Buf: plan.Out, Len: n}, x.result.Sub(begin-mine[0], n), ready...)
}

func reduceScatterNodesFit(c Case) bool {
	return inOrderOfNodes(c) && (c.MostLocal()+1)*c.vectorOffs()[c.Ranks]+2*line <= NodeMax
}
