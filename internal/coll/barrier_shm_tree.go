package coll

import "github.com/weft-mpi/weft/internal/plan"

// barrier/shm_tree: arrivals run up a tree of flags in which a rank awaits up
// to 16 others; the flag of rank 0 releases everybody.
//
// Steps: no message, ceil(log16 p) flags up and one down, 2(p-1) transfers of a
// cache line. Limits: all ranks on one node with memory in common. For many
// ranks, where reading all flags at every rank costs more, and for ranks that
// share cores: rank 0 leaves first, so that others find what it sends next
// when they get their turn. Source: Mellor-Crummey and
// Scott, "Algorithms for scalable synchronization on shared-memory
// multiprocessors", 1991.
func barrierShmTree(b *plan.Builder, c Case) {
	const fan = 16
	r := newRoom(b, c, c.layout())
	flag := r.flags(1)
	var below []int
	for i := fan*r.me + 1; i <= fan*(r.me+1) && i < len(r.ranks); i++ {
		below = append(below, b.Await(r.ranks[i], flag))
	}
	b.Set(flag, below...) // that of rank 0 is the release
	if r.me > 0 {
		b.Await(r.ranks[0], flag)
	}
	r.close()
}
