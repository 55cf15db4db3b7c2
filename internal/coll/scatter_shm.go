package coll

import "github.com/weft-mpi/weft/internal/plan"

// scatter/shm: the root puts all blocks into the memory of the node and raises
// a flag; everybody copies its own out. A few bytes stand in one line with the
// flag; long blocks go in turns.
//
// Steps: no message, one flag per turn (one more per rank if there are several).
// Cost: one copy in of everything, one copy out. Limits: all ranks on one node
// with memory in common; blocks of up to 64 turns. Source: Qian, thesis, 6.3
// (shared-memory scatter).
func scatterShm(b *plan.Builder, c Case) {
	if c.fitsSlip((c.Ranks - 1) * c.Bytes) {
		scatterSlip(b, c)
		return
	}
	r := newRoom(b, c, c.layout())
	s := r.slots(c.Ranks, c.turns(c.Bytes, 1, c.Ranks))
	flag := r.flags(s.turns())
	defer r.close()
	if c.Rank != c.Root {
		for t := range s.turns() {
			copied := b.Copy(s.of(c.vector(), t), s.at(c.Rank, t), b.Await(c.Root, flag+t))
			if t+2 < s.turns() {
				b.Set(flag+t, copied)
			}
		}
		return
	}
	var filled []int
	for t := range s.turns() {
		if t >= 2 {
			filled = append(r.others(flag+t-2), filled...)
		}
		filled = scatterIn(b, c, s, t, filled)
		b.Set(flag+t, filled...)
	}
	if !c.inPlace() {
		b.Copy(c.vector(), c.sendBlock(c.Rank))
	}
}

// scatterIn fills the slots of a turn: in one go if they hold whole blocks.
func scatterIn(b *plan.Builder, c Case, s slots, t int, free []int) (copied []int) {
	if s.turns() == 1 {
		return []int{b.Copy(s.run(0, c.Ranks), plan.Span{Buf: plan.In, Len: c.Ranks * c.Bytes}, free...)}
	}
	for i := range c.Ranks {
		if i != c.Root {
			copied = append(copied, b.Copy(s.at(i, t), s.of(c.sendBlock(i), t), free...))
		}
	}
	return copied
}

// scatterSlip has the root put the blocks of the others beside its flag, in
// the order in which they follow it.
func scatterSlip(b *plan.Builder, c Case) {
	r := newRoom(b, c, c.layout())
	s, flag := r.each((c.Ranks-1)*c.Bytes), r.flags(1)
	defer r.close()
	slip := s.at(c.Root, 0)
	if c.Rank != c.Root {
		at := (virtual(c.Rank, c.Root, c.Ranks) - 1) * c.Bytes
		b.Copy(c.vector(), slip.Sub(at, c.Bytes), b.Await(c.Root, flag))
		return
	}
	behind := (c.Ranks - 1 - c.Root) * c.Bytes // the blocks of the ranks behind the root, then of those before it
	var filled []int
	if behind > 0 {
		src := plan.Span{Buf: plan.In, Off: (c.Root + 1) * c.Bytes, Len: behind}
		filled = append(filled, b.Copy(slip.Sub(0, behind), src))
	}
	if before := c.Root * c.Bytes; before > 0 {
		filled = append(filled, b.Copy(slip.Sub(behind, before), plan.Span{Buf: plan.In, Len: before}))
	}
	b.Set(flag, filled...)
	if !c.inPlace() {
		b.Copy(c.vector(), c.sendBlock(c.Rank))
	}
}
