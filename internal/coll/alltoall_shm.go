package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/shm: everybody puts what it has for others into the memory of the node,
// raises a flag and copies out what the others have for it, rank by rank as
// they come. If all it sends is a few bytes, they stand in one line with the
// flag; long blocks go in turns.
//
// Steps: no message, one flag per rank and turn. Cost: one copy in and one copy
// out of pn, all ranks at once. Limits: all ranks on one node with memory in
// common, p(p-1) slots of a piece. Source: Qian, thesis, 6.3 (the part within a
// node).
func alltoallShm(b *plan.Builder, c Case) {
	p := c.Ranks
	if c.fitsSlip(p * c.Bytes) {
		alltoallSlips(b, c)
		return
	}
	r := newRoom(b, c, c.layout())
	n := c.cells()
	s := r.slots(p*n, c.turns(c.Bytes, 1, p*n))
	e := r.everybody(s.turns())
	defer r.close()
	for t := range s.turns() {
		e.turn(t, func(free []int) (filled []int) {
			if s.turns() == 1 { // blocks lie behind one another on both sides
				for _, run := range c.runs(c.Rank) {
					first, blocks := c.cell(c.Rank, run.first), run.end-run.first
					filled = append(filled, b.Copy(s.run(first, first+blocks), c.outgoing().Sub(run.first*c.Bytes, blocks*c.Bytes), free...))
				}
				return []int{all(b, filled)}
			}
			for i := range p {
				if i != c.Rank {
					filled = append(filled, b.Copy(s.at(c.cell(c.Rank, i), t), s.of(c.outgoing().Sub(i*c.Bytes, c.Bytes), t), free...))
				}
			}
			return []int{all(b, filled)}
		}, func(ready []int) (copied []int) {
			if t == 0 && !c.inPlace() {
				b.Copy(c.recvBlock(c.Rank), c.sendBlock(c.Rank))
			}
			for d := 1; d < p; d++ {
				i := (c.Rank + d) % p
				copied = append(copied, b.Copy(s.of(c.recvBlock(i), t), s.at(c.cell(i, c.Rank), t), ready[i], ready[c.Rank]))
			}
			return copied
		})
	}
}

// ownAlong tells whether a rank's block for itself goes along with those for
// n-1 others into the memory of the node, from where nobody takes it: a few
// bytes are rather copied in one go.
func (c Case) ownAlong(n int) bool { return n == 1 || n > 2 && c.Bytes <= 128 }

// cells is how many blocks of a rank are in the memory of the node.
func (c Case) cells() int {
	if c.ownAlong(c.Ranks) {
		return c.Ranks
	}
	return c.Ranks - 1
}

// cell says which of all blocks there goes from one rank to another.
func (c Case) cell(from, to int) int {
	n := c.cells()
	if n < c.Ranks && to > from {
		to--
	}
	return from*n + to
}

// blockRun is blocks that lie behind one another, from first up to but not
// including end.
type blockRun struct{ first, end int }

// runs returns the blocks that a rank puts into the memory of the node.
func (c Case) runs(rank int) []blockRun {
	switch {
	case c.ownAlong(c.Ranks):
		return []blockRun{{0, c.Ranks}}
	case rank == 0:
		return []blockRun{{1, c.Ranks}}
	case rank == c.Ranks-1:
		return []blockRun{{0, rank}}
	}
	return []blockRun{{0, rank}, {rank + 1, c.Ranks}}
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
	return onOneNode(c) && c.inTurns(c.Bytes, 1, c.Ranks*c.cells())
}
