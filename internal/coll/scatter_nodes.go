package coll

import (
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
)

// The SMP-aware scatters. Each node but the root's gets the blocks of its ranks
// in one message, straight from the root or down a binomial tree of nodes that
// counts from the root's, into its memory, from where everybody copies its own.
// On the root's node the root puts them there.

// nodeDeal is such a scatter while the plan of one rank is made.
type nodeDeal struct {
	nodeTree
	image
	b *plan.Builder
	c Case
	r *room
}

// scatterNodes scatters over a binomial tree of nodes or straight from the root.
func scatterNodes(b *plan.Builder, c Case, tree bool) {
	l := c.layout()
	d := nodeDeal{nodeTree: c.nodeTree(l, tree), b: b, c: c, r: newRoom(b, c, l)}
	d.image = c.image(d.list)
	switch {
	case c.Rank == c.Root:
		d.root()
	case d.me == 0:
		memory, flag := d.here()
		d.b.Copy(c.vector(), d.block(memory, c.Rank), d.b.Await(c.Root, flag))
	default:
		d.elsewhere()
	}
	d.r.close()
}

// here asks for the memory of the root's node, and for the flag that tells that
// the blocks are there.
func (d *nodeDeal) here() (memory plan.Span, flag int) {
	return d.r.space(len(d.r.ranks) * d.c.Bytes), d.r.flags(1)
}

// root is the part of the root: what has far to go first.
func (d *nodeDeal) root() {
	for _, node := range slices.Backward(d.below(0)) {
		what, ready := d.packed(d.load(node))
		d.c.travel(d.b, what.Len, node)
		d.b.Send(d.list[node][0], what, ready)
	}
	if !d.r.alone() {
		memory, flag := d.here()
		d.b.Set(flag, d.pack(memory, d.list[0][1:])...)
	}
	if !d.c.inPlace() {
		d.b.Copy(d.c.vector(), d.c.sendBlock(d.c.Rank))
	}
}

// packed returns the blocks of ranks behind one another, and the step after
// which they are.
func (d *nodeDeal) packed(ranks []int) (what plan.Span, ready int) {
	if neighbours(ranks) {
		return plan.Span{Buf: plan.In, Off: ranks[0] * d.c.Bytes, Len: len(ranks) * d.c.Bytes}, plan.None
	}
	what = d.b.Tmp(len(ranks) * d.c.Bytes)
	return what, all(d.b, d.pack(d.from(what, ranks), ranks))
}

// pack copies the blocks of ranks to their places in memory, with as few copies
// as the ranks allow.
func (d *nodeDeal) pack(memory plan.Span, ranks []int) (copied []int) {
	for i := 0; i < len(ranks); {
		first := i
		for i++; i < len(ranks) && ranks[i] == ranks[i-1]+1; i++ {
		}
		blocks := plan.Span{Buf: plan.In, Off: ranks[first] * d.c.Bytes, Len: (i - first) * d.c.Bytes}
		copied = append(copied, d.b.Copy(d.part(memory, ranks[first:i]), blocks))
	}
	return copied
}

// from returns memory that begins with the block of the first of ranks as if it
// held those of all before, too.
func (d *nodeDeal) from(memory plan.Span, ranks []int) plan.Span {
	memory.Off -= d.at[ranks[0]]
	memory.Len += d.at[ranks[0]]
	return memory
}

// elsewhere is the part of a rank on another node than the root's.
func (d *nodeDeal) elsewhere() {
	load, master := d.load(d.me), d.list[d.me][0]
	above := d.list[d.above()][0]
	if len(load) == 1 {
		d.c.travel(d.b, d.c.Bytes, 0)
		d.b.Recv(above, d.c.vector())
		return
	}
	memory := d.from(d.r.space(len(load)*d.c.Bytes), load)
	flag := d.r.flags(1)
	if d.c.Rank != master {
		d.b.Copy(d.c.vector(), d.block(memory, d.c.Rank), d.b.Await(master, flag))
		return
	}
	whole := d.part(memory, load)
	d.c.travel(d.b, whole.Len, 0)
	got := d.b.Recv(above, whole)
	for _, node := range slices.Backward(d.below(d.me)) {
		piece := d.part(memory, d.load(node))
		d.c.travel(d.b, piece.Len, node)
		d.b.Send(d.list[node][0], piece, got)
	}
	if !d.r.alone() {
		d.b.Set(flag, got)
	}
	d.b.Copy(d.c.vector(), d.block(memory, d.c.Rank), got)
}
