package coll

import "github.com/weft-mpi/weft/internal/plan"

// scatter/shm: the root puts all blocks into the memory of the node and raises
// a flag; everybody copies its own out. Long blocks go in turns.
//
// Steps: no message, one flag per turn (one more per rank if there are several).
// Cost: one copy in of everything, one copy out. Limits: all ranks on one node
// with memory in common; blocks of up to 64 turns. Source: Qian, thesis, 6.3
// (shared-memory scatter).
func scatterShm(b *plan.Builder, c Case) {
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
