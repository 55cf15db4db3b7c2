package coll

import (
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
)

// Two is a call between two groups, as one rank sees it. The case is that of all ranks, those of the first
// group before those of the second; its counts are those of the ranks that blocks come from or go to. Root is
// NoPart for ranks of the root's own group, which have nothing to do.
type Two struct {
	Case
	First int // how many ranks the first group has
}

// NoPart is the root of a call in which the rank takes no part.
const NoPart = -1

// BetweenChoice is the choice of plans between two groups: all of them, as the operation says the rest.
const BetweenChoice = NoChoice - 1

// Between returns the plan of rank t.Rank of a rooted call or a reduction between two groups. It is put together
// from plans of one group, chosen as if these were called alone, and messages between them:
//
//   - Bcast, Gather(v), Scatter(v): the root and all of the other group;
//   - Reduce: all of the other group, whose first rank sends the result to the root;
//   - Allreduce, ReduceScatter: the first ranks of both groups exchange what these have reduced, and give it
//     to their own.
//
// A rank of the other group and the root describe the same call; In and Out are as in a call of one group, but
// that nothing comes from the root's own.
func (s *Selector) Between(t Two) *plan.Plan {
	b := plan.NewBuilder(t.Op.String()+" between groups", t.Rank, t.Ranks)
	x := between{s: s, b: b, t: t}
	switch t.Op {
	case Bcast, Gather, Gatherv, Scatter, Scatterv:
		if t.Root != NoPart {
			x.rooted()
		}
	case Reduce:
		if t.Root != NoPart {
			x.reduce()
		}
	case Allreduce:
		x.allreduce()
	case ReduceScatter:
		x.reduceScatter()
	}
	p := b.Build()
	p.Choice = BetweenChoice
	return p
}

// between is such a call while its plan is made.
type between struct {
	s *Selector
	b *plan.Builder
	t Two
}

// group are the ranks of the group that a rank is in, and of the other one.
func (x *between) group(rank int) (own, other []int) {
	all := make([]int, x.t.Ranks)
	for i := range all {
		all[i] = i
	}
	own, other = all[:x.t.First], all[x.t.First:]
	if rank >= x.t.First {
		own, other = other, own
	}
	return own, other
}

// among is a case of some of the ranks, this one among them, whose root is the first of them. They have no memory
// in common: other ranks of their nodes know nothing of it.
func (x *between) among(op Op, ranks []int) Case {
	c := Case{Op: op, Rank: slices.Index(ranks, x.t.Rank), Ranks: len(ranks), Bytes: x.t.Bytes, Elem: x.t.Elem, Commutative: x.t.Commutative,
		Local: min(x.t.Local, len(ranks)), Cores: x.t.Cores, Rails: x.t.Rails, Stripe: x.t.Stripe, Scheme: x.t.Scheme, NoSlips: x.t.NoSlips}
	if x.t.Nodes != nil {
		number := map[int]int{}
		for _, rank := range ranks {
			node := x.t.Nodes[rank]
			if _, seen := number[node]; !seen {
				number[node] = len(number)
			}
			c.Nodes = append(c.Nodes, number[node])
		}
	}
	return c
}

// join adds the plan of a case among some ranks, whose buffers lie there.
func (x *between) join(c Case, ranks []int, in, out plan.Span, deps ...int) int {
	a, _ := x.s.Choose(c)
	return x.b.Join(a.Plan(c), plan.Join{Ranks: ranks, In: in, Out: out}, deps...)
}

// rooted joins the root and the other group.
func (x *between) rooted() {
	_, other := x.group(x.t.Root)
	ranks := append([]int{x.t.Root}, other...)
	leads := x.t.Rank == x.t.Root
	op := x.t.Op
	switch op {
	case Gather:
		op = Gatherv
	case Scatter:
		op = Scatterv
	}
	c := x.among(op, ranks)
	if op != Bcast && leads {
		c.Bytes = 0 // nothing comes from the root itself, or goes to it
		if counts, displs := behindNothing(x.t.blocks(len(other))); op == Gatherv {
			c.RecvCounts, c.RecvDispls = counts, displs
		} else {
			c.SendCounts, c.SendDispls = counts, displs
		}
	}
	lens := c.Lens()
	x.join(c, ranks, plan.Span{Buf: plan.In, Len: lens.In}, plan.Span{Buf: plan.Out, Len: lens.Out})
}

// blocks are those that the root receives or sends.
func (t *Two) blocks(n int) (counts, displs []int) {
	switch {
	case t.Op == Gatherv:
		return t.RecvCounts, t.RecvDispls
	case t.Op == Scatterv:
		return t.SendCounts, t.SendDispls
	}
	for i := range n {
		counts, displs = append(counts, t.Bytes), append(displs, i*t.Bytes)
	}
	return counts, displs
}

// behindNothing are blocks behind an empty one.
func behindNothing(counts, displs []int) (c, d []int) {
	return append([]int{0}, counts...), append([]int{0}, displs...)
}

// reduced reduces what ranks have at the first of them, and returns where it is there and when.
func (x *between) reduced(ranks []int) (result plan.Span, done int) {
	c := x.among(Reduce, ranks)
	if c.Rank == 0 {
		result = x.b.Tmp(c.Bytes)
	}
	return result, x.join(c, ranks, plan.Span{Buf: plan.In, Len: c.Bytes}, result)
}

func (x *between) reduce() {
	_, other := x.group(x.t.Root)
	if x.t.Bytes == 0 {
		return
	}
	if x.t.Rank == x.t.Root {
		x.b.Recv(other[0], plan.Span{Buf: plan.Out, Len: x.t.Bytes})
		return
	}
	if result, done := x.reduced(other); x.t.Rank == other[0] {
		x.b.Send(x.t.Root, result, done)
	}
}

func (x *between) allreduce() {
	if x.t.Bytes == 0 {
		return
	}
	own, other := x.group(x.t.Rank)
	result, done := x.reduced(own)
	out := plan.Span{Buf: plan.Out, Len: x.t.Bytes}
	if x.t.Rank == own[0] {
		x.b.Send(other[0], result, done)
		done = x.b.Gate(done, x.b.Recv(other[0], out))
	}
	x.join(x.among(Bcast, own), own, plan.Span{}, out, done)
}

func (x *between) reduceScatter() {
	own, other := x.group(x.t.Rank)
	block := x.t.Bytes
	counts := x.t.RecvCounts
	if counts == nil {
		counts = slices.Repeat([]int{block}, len(own))
	}
	if x.t.Bytes = sum(counts); x.t.Bytes == 0 {
		return
	}
	result, done := x.reduced(own)
	var all plan.Span
	if x.t.Rank == own[0] {
		all = x.b.Tmp(x.t.Bytes)
		x.b.Send(other[0], result, done)
		done = x.b.Gate(done, x.b.Recv(other[0], all))
	}
	c := x.among(Scatterv, own)
	if c.Bytes = counts[c.Rank]; c.Rank == 0 {
		c.SendCounts, c.SendDispls = counts, make([]int, len(counts))
		for i := 1; i < len(counts); i++ {
			c.SendDispls[i] = c.SendDispls[i-1] + counts[i-1]
		}
	}
	x.join(c, own, all, plan.Span{Buf: plan.Out, Len: c.Bytes}, done)
}
