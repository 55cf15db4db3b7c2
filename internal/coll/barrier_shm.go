package coll

import "github.com/weft-mpi/weft/internal/plan"

// barrier/shm: every rank raises one flag in the memory of the node and awaits
// those of all others.
//
// Steps: no message, one flag per rank, one transfer of a cache line between
// any two. Cost: the time until the last flag is seen. Limits: all ranks on one
// node with memory in common. Source: textbook (flags instead of a counter).
func barrierShm(b *plan.Builder, c Case) {
	r := newRoom(b, c, c.layout())
	flag := r.flags(1)
	b.Set(flag)
	r.others(flag)
	r.close()
}
