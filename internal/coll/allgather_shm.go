package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/shm: everybody puts its block into the memory of the node, raises a
// flag and copies the blocks of the others out: those of more than a few bytes
// and less than a few thousand all at once when all are there, others one by one
// as they come, the own block meanwhile. A few bytes stand in one line with the
// flag. Long blocks go in turns.
//
// Steps: no message, one flag per rank and turn. Cost: one copy in of n and one
// copy out of pn, all ranks at once. Limits: all ranks on one node with memory
// in common; blocks of up to 64 turns. Source: Qian, thesis, 5.5 (shared-memory
// allgather).
func allgatherShm(b *plan.Builder, c Case) {
	const together = 4 << 10 // the largest result that is copied out in one go
	r := newRoom(b, c, c.layout())
	s := r.eachInTurns(c)
	e := r.everybody(s.turns())
	defer r.close()
	if c.Ranks*c.Bytes <= together && s.turns() == 1 && !r.slips {
		result := plan.Span{Buf: plan.Out, Len: c.Ranks * c.Bytes}
		e.turn(0, func([]int) []int { return []int{b.Copy(s.at(c.Rank, 0), c.source())} },
			func(ready []int) []int { return []int{b.Copy(result, s.run(0, c.Ranks), ready...)} })
		return
	}
	for t := range s.turns() {
		e.turn(t, func(free []int) []int {
			return []int{b.Copy(s.at(c.Rank, t), s.of(c.source(), t), free...)}
		}, func(ready []int) (copied []int) {
			if t == 0 && !c.inPlace() {
				b.Copy(c.recvBlock(c.Rank), c.source())
			}
			for d := 1; d < c.Ranks; d++ {
				i := (c.Rank + d) % c.Ranks
				copied = append(copied, b.Copy(s.of(c.recvBlock(i), t), s.at(i, t), ready[i]))
			}
			return copied
		})
	}
}
