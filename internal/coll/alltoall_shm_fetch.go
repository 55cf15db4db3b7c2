package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/shm_fetch: everybody tells where its blocks are, copies those for it
// from the others as they come, starting with the next rank's, and waits until
// all have done so.
//
// Steps: no message, two flags per rank. Cost: one copy of pn, all ranks at
// once. Limits: all ranks on one node where a rank can copy from another's
// memory; in place needs scratch for all that is sent. For blocks that are worth
// a call of the kernel. Source: textbook (kernel-assisted copies).
func alltoallShmFetch(b *plan.Builder, c Case) {
	r := newRoom(b, c, c.layout())
	l := r.lending()
	saved, after := c.outgoing(), plan.None
	if c.inPlace() { // what is fetched overwrites what is lent
		saved = b.Tmp(saved.Len)
		after = b.Copy(saved, c.outgoing())
	}
	l.lend(saved, after)
	if !c.inPlace() {
		b.Copy(c.recvBlock(c.Rank), c.sendBlock(c.Rank))
	}
	var fetched []int
	for d := 1; d < c.Ranks; d++ {
		from := (c.Rank + d) % c.Ranks
		fetched = append(fetched, l.fetch(from, c.recvBlock(from), c.Rank*c.Bytes, after))
	}
	l.returned(fetched...)
	r.others(l.done)
	r.close()
}
