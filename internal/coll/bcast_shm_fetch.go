package coll

import "github.com/weft-mpi/weft/internal/plan"

// bcast/shm_fetch: the root tells where the vector is, everybody copies it from
// there, and the root waits until all have.
//
// Steps: no message, two flags. Cost: one copy, p-1 ranks at once. Limits: all
// ranks on one node where a rank can copy from another's memory. For vectors
// that are worth a call of the kernel. Source: textbook (kernel-assisted copies).
func bcastShmFetch(b *plan.Builder, c Case) {
	r := newRoom(b, c, c.layout())
	l := r.lending()
	if c.Rank == c.Root {
		l.lend(c.vector())
		r.others(l.done)
	} else {
		l.returned(l.fetch(c.Root, c.vector(), 0))
	}
	r.close()
}
