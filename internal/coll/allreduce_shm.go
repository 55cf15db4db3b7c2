package coll

import "github.com/weft-mpi/weft/internal/plan"

// allreduce/shm: everybody puts its vector into the memory of the node, raises
// a flag and merges the vectors of all, in rank order, into its result. All do
// the same work and get the same bits. A short vector stands in one line with
// the flag.
//
// Steps: no message, one flag per rank. Cost: one copy in of n and p reads of
// n, all ranks at once: (p-1)ng. Limits: all ranks on one node with memory in
// common that takes all vectors. For short vectors: nobody waits twice.
// Source: textbook (redundant reduction).
func allreduceShm(b *plan.Builder, c Case) {
	r := newRoom(b, c, c.layout())
	s := r.each(c.Bytes)
	defer r.close()
	r.everybody(1).turn(0, func([]int) []int { return []int{b.Copy(s.at(c.Rank, 0), c.source())} },
		func(ready []int) []int {
			return mergeAll(b, c, c.vector(), c.source(), ready, func(i int) plan.Span { return s.at(i, 0) })
		})
}

func vectorsFitAtOnce(c Case) bool { return onOneNode(c) && toLine(c.Ranks*c.Bytes) <= NodeMax }
