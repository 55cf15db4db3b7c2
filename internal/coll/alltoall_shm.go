package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/shm: everybody puts all it has to send into the memory of the node,
// raises a flag and copies out what the others have for it, rank by rank as
// they come. If all it sends is a few bytes, they stand in one line with the
// flag; long blocks go in turns.
//
// Steps: no message, one flag per rank and turn. Cost: one copy in and one copy
// out of pn, all ranks at once. Limits: all ranks on one node with memory in
// common, p*p slots of a piece. Source: Qian, thesis, 6.3 (the part within a
// node).
func alltoallShm(b *plan.Builder, c Case) {
	p := c.Ranks
	if c.fitsSlip(p * c.Bytes) {
		alltoallSlips(b, c)
		return
	}
	r := newRoom(b, c, c.layout())
	s := r.slots(p*p, c.turns(c.Bytes, 1, p*p))
	e := r.everybody(s.turns())
	defer r.close()
	for t := range s.turns() {
		e.turn(t, func(free []int) (filled []int) {
			if s.turns() == 1 { // blocks lie behind one another on both sides
				return []int{b.Copy(s.run(c.Rank*p, (c.Rank+1)*p), c.outgoing(), free...)}
			}
			for i := range p {
				filled = append(filled, b.Copy(s.at(c.Rank*p+i, t), s.of(c.outgoing().Sub(i*c.Bytes, c.Bytes), t), free...))
			}
			return []int{b.Gate(filled...)}
		}, func(ready []int) (copied []int) {
			if t == 0 && !c.inPlace() {
				b.Copy(c.recvBlock(c.Rank), c.sendBlock(c.Rank))
			}
			for d := 1; d < p; d++ {
				i := (c.Rank + d) % p
				copied = append(copied, b.Copy(s.of(c.recvBlock(i), t), s.at(i*p+c.Rank, t), ready[i], ready[c.Rank]))
			}
			return copied
		})
	}
}

// alltoallSlips is alltoall/shm where all that a rank sends stands in one line
// with its flag.
func alltoallSlips(b *plan.Builder, c Case) {
	r := newRoom(b, c, c.layout())
	s := r.each(c.Ranks * c.Bytes)
	defer r.close()
	r.everybody(1).turn(0, func([]int) []int { return []int{b.Copy(s.at(c.Rank, 0), c.outgoing())} },
		func(ready []int) (copied []int) {
			if !c.inPlace() {
				b.Copy(c.recvBlock(c.Rank), c.sendBlock(c.Rank))
			}
			for d := 1; d < c.Ranks; d++ {
				i := (c.Rank + d) % c.Ranks
				block := s.at(i, 0).Sub(c.Rank*c.Bytes, c.Bytes)
				copied = append(copied, b.Copy(c.recvBlock(i), block, ready[i], ready[c.Rank]))
			}
			return copied
		})
}

// outgoing is all that a rank sends in Alltoall.
func (c Case) outgoing() plan.Span {
	if c.inPlace() {
		return plan.Span{Buf: plan.Out, Len: c.Ranks * c.Bytes}
	}
	return plan.Span{Buf: plan.In, Len: c.Ranks * c.Bytes}
}

func alltoallShmFits(c Case) bool {
	return onOneNode(c) && c.inTurns(c.Bytes, 1, c.Ranks*c.Ranks)
}
