package coll

import "github.com/weft-mpi/weft/internal/plan"

// reduce_scatter/shm: everybody puts its vector into the memory of the node,
// raises a flag and merges, in rank order, the parts of all vectors that make
// its own block.
//
// Steps: no message, one flag per rank. With N the whole vector, cost: one copy
// in of N and (p-1)/p*Ng, all ranks at once. Limits: all ranks on one node with
// memory in common that takes all vectors. Source: textbook.
func reduceScatterShm(b *plan.Builder, c Case) {
	offs := c.vectorOffs()
	r := newRoom(b, c, c.layout())
	s := r.slots(c.Ranks, []int{0, offs[c.Ranks]})
	e := r.everybody(1)
	defer r.close()
	e.turn(0, func([]int) []int { return []int{b.Copy(s.at(c.Rank, 0), c.source())} },
		func(ready []int) []int {
			out := plan.Span{Buf: plan.Out, Len: offs[c.Rank+1] - offs[c.Rank]}
			if out.Len == 0 {
				return nil
			}
			share := func(i int) plan.Span { return cut(s.at(i, 0), offs, c.Rank, c.Rank+1) }
			merged := b.Copy(out, share(0), ready[0], ready[c.Rank])
			for i := 1; i < c.Ranks; i++ {
				merged = b.Reduce(out, share(i), false, ready[i], merged)
			}
			return nil
		})
}

func reduceScatterShmFits(c Case) bool {
	return onOneNode(c) && toLine(c.Ranks*c.vectorOffs()[c.Ranks]) <= NodeMax
}
