package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/shm_fetch, allgatherv/shm_fetch: everybody tells where its block is, copies the blocks of
// the others from there as they come, starting with the next rank's, and waits
// until all have done so.
//
// Steps: no message, two flags per rank. Cost: one copy of pn, all ranks at
// once. Limits: all ranks on one node where a rank can copy from another's
// memory. For blocks that are worth a call of the kernel. Source: textbook
// (kernel-assisted copies).
func allgatherShmFetch(b *plan.Builder, c Case) {
	r := newRoom(b, c, c.layout())
	l := r.lending()
	if c.source().Len > 0 {
		l.lend(c.source())
		if !c.inPlace() {
			b.Copy(c.recvBlock(c.Rank), c.source())
		}
	}
	var fetched []int
	for d := 1; d < c.Ranks; d++ {
		from := (c.Rank + d) % c.Ranks
		if block := c.recvBlock(from); block.Len > 0 {
			fetched = append(fetched, l.fetch(from, block, 0))
		}
	}
	l.returned(fetched...)
	if c.source().Len > 0 {
		r.others(l.done)
	}
	r.close()
}
