package coll

import "github.com/weft-mpi/weft/internal/plan"

// reduce_scatter/shm: everybody puts its vector into the memory of the node,
// raises a flag and merges, in rank order, the parts of all vectors that make
// its own block. Long blocks of one length go in turns.
//
// Steps: no message, one flag per rank and turn. With N the whole vector, cost:
// one copy in of N and (p-1)/p*Ng, all ranks at once. Limits: all ranks on one
// node with memory in common, which takes all vectors if blocks differ in
// length. Source: textbook.
func reduceScatterShm(b *plan.Builder, c Case) {
	r := newRoom(b, c, c.layout())
	defer r.close()
	if c.RecvCounts == nil {
		reduceScatterTurns(b, c, r)
	} else {
		reduceScatterUneven(b, c, r)
	}
}

// reduceScatterUneven passes through the memory what others need only, in one
// turn. In place that is all, for the result overwrites it. Who gets nothing
// waits for nobody.
func reduceScatterUneven(b *plan.Builder, c Case, r *room) {
	offs := c.vectorOffs()
	s, flag := r.slots(c.Ranks, []int{0, offs[c.Ranks]}), r.flags(1)
	parts := [][2]int{{0, c.Rank}, {c.Rank + 1, c.Ranks}}
	own := cut(c.source(), offs, c.Rank, c.Rank+1)
	if c.inPlace() {
		parts, own = [][2]int{{0, c.Ranks}}, plan.Span{}
	}
	var filled []int
	for _, part := range parts {
		if src := cut(c.source(), offs, part[0], part[1]); src.Len > 0 {
			filled = append(filled, b.Copy(cut(s.at(c.Rank, 0), offs, part[0], part[1]), src))
		}
	}
	if len(filled) > 0 {
		b.Set(flag, filled...)
	}
	out := plan.Span{Buf: plan.Out, Len: offs[c.Rank+1] - offs[c.Rank]}
	if out.Len == 0 {
		return
	}
	ready := make([]int, c.Ranks)
	for i := range ready {
		ready[i] = r.await(i, flag, all(b, filled))
	}
	mergeAll(b, c, out, own, ready, func(i int) plan.Span {
		if i == c.Rank && own.Len > 0 {
			return own
		}
		return cut(s.at(i, 0), offs, c.Rank, c.Rank+1)
	})
}

// reduceScatterTurns passes a piece of every block of every rank through the
// memory in each turn.
func reduceScatterTurns(b *plan.Builder, c Case, r *room) {
	p := c.Ranks
	s := r.slots(p*p, c.turns(c.Bytes, c.elem(), p*p))
	e := r.everybody(s.turns())
	for t := range s.turns() {
		e.turn(t, func(free []int) (filled []int) {
			if s.turns() == 1 { // blocks lie behind one another on both sides
				return []int{b.Copy(s.run(c.Rank*p, (c.Rank+1)*p), c.source(), free...)}
			}
			for i := range p {
				filled = append(filled, b.Copy(s.at(c.Rank*p+i, t), s.of(c.source().Sub(i*c.Bytes, c.Bytes), t), free...))
			}
			return []int{b.Gate(filled...)}
		}, func(ready []int) []int {
			out, own := s.of(plan.Span{Buf: plan.Out, Len: c.Bytes}, t), plan.Span{}
			if !c.inPlace() {
				own = s.of(c.source().Sub(c.Rank*c.Bytes, c.Bytes), t)
			}
			return mergeAll(b, c, out, own, ready, func(i int) plan.Span { return s.at(i*p+c.Rank, t) })
		})
	}
}

// mergeAll merges the share of every rank into out in rank order, the same
// operands in the same order on every rank. The first two ranks can start with
// their own share while they wait, if it still stands in own.
func mergeAll(b *plan.Builder, c Case, out, own plan.Span, ready []int, share func(rank int) plan.Span) []int {
	if out.Len == 0 {
		return nil
	}
	merged, next := plan.None, 1
	switch {
	case c.Rank > 1 || own.Len == 0:
		merged = b.Copy(out, share(0), ready[0], ready[c.Rank])
	case own == out:
		merged = ready[c.Rank]
	default:
		merged = b.Copy(out, own)
	}
	if c.Rank == 1 && own.Len > 0 {
		merged, next = b.Reduce(out, share(0), true, ready[0], merged), 2
	}
	for i := next; i < c.Ranks; i++ {
		merged = b.Reduce(out, share(i), false, ready[i], merged)
	}
	return []int{merged}
}

func reduceScatterShmFits(c Case) bool {
	if c.RecvCounts == nil {
		return onOneNode(c) && c.inTurns(c.Bytes, c.elem(), c.Ranks*c.Ranks)
	}
	return onOneNode(c) && toLine(c.Ranks*c.vectorOffs()[c.Ranks]) <= NodeMax
}
