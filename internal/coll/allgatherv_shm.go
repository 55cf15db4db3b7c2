package coll

import (
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
)

// allgatherv/shm: everybody puts its block into the memory of the node, raises a
// flag and copies the blocks of the others out as they come, the own block
// meanwhile. If all blocks are a few bytes, each stands in one line with its
// flag.
//
// Steps: no message, one flag per rank. Cost: one copy in of the own block and
// one copy out of all, all ranks at once. Limits: all ranks on one node with
// memory in common that takes all blocks. Source: Qian, thesis, 5.5
// (shared-memory allgather).
func allgathervShm(b *plan.Builder, c Case) {
	r := newRoom(b, c, c.layout())
	var at func(rank int) plan.Span
	if longest := slices.Max(c.RecvCounts); c.fitsSlip(longest) {
		s := r.each(longest)
		at = func(rank int) plan.Span { return s.at(rank, 0).Sub(0, c.RecvCounts[rank]) }
	} else {
		m := c.image([][]int{r.ranks})
		memory := r.space(m.end)
		at = func(rank int) plan.Span { return m.block(memory, rank) }
	}
	flag := r.flags(1)
	defer r.close()
	if own := c.source(); own.Len > 0 {
		r.put(at(c.Rank), own, flag)
		if !c.inPlace() {
			b.Copy(c.recvBlock(c.Rank), own)
		}
	}
	for d := 1; d < c.Ranks; d++ {
		i := (c.Rank + d) % c.Ranks
		if block := c.recvBlock(i); block.Len > 0 {
			b.Copy(block, at(i), b.Await(i, flag))
		}
	}
}

func allgathervShmFits(c Case) bool { return onOneNode(c) && imageFits(c) }
