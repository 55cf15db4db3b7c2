package coll

import "github.com/weft-mpi/weft/internal/plan"

// allreduce/shm: everybody puts its vector into the memory of the node, raises
// a flag and merges the vectors of all, in rank order, into its result. All do
// the same work and get the same bits.
//
// Steps: no message, one flag per rank. Cost: one copy in of n and p reads of
// n, all ranks at once: (p-1)ng. Limits: all ranks on one node with memory in
// common that takes all vectors. For short vectors: nobody waits twice.
// Source: textbook (redundant reduction).
func allreduceShm(b *plan.Builder, c Case) {
	r := newRoom(b, c, c.layout())
	s := r.slots(c.Ranks, []int{0, c.Bytes})
	e := r.everybody(1)
	defer r.close()
	e.turn(0, func([]int) []int { return []int{b.Copy(s.at(c.Rank, 0), c.source())} },
		func(ready []int) []int {
			merged := b.Copy(c.vector(), s.at(0, 0), ready[0], ready[c.Rank])
			for i := 1; i < c.Ranks; i++ {
				merged = b.Reduce(c.vector(), s.at(i, 0), false, ready[i], merged)
			}
			return nil
		})
}

func vectorsFitAtOnce(c Case) bool { return onOneNode(c) && toLine(c.Ranks*c.Bytes) <= NodeMax }
