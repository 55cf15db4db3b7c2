package coll

import "github.com/weft-mpi/weft/internal/plan"

// bcast/scatter_doubling: the vector is scattered over a binomial tree in p
// blocks, which are then collected by recursive doubling. A rank is not sent
// blocks it got while scattering.
//
// Steps: 2 log2 p - 1 rounds. Cost: (2 log2 p - 1)a + 2(p-1)/p*nb. Limits: p is
// a power of two. Source: Thakur, Rabenseifner and Gropp, "Optimization of collective
// communication operations in MPICH", 2005.
func bcastScatterDoubling(b *plan.Builder, c Case) {
	v := virtual(c.Rank, c.Root, c.Ranks)
	offs := split(c.Bytes, c.elem(), c.Ranks)
	have := []int{scatterTree(b, c, offs)}
	for mask := 1; mask < c.Ranks; mask *= 2 {
		peer := v ^ mask
		mine, theirs := v&^(mask-1), peer&^(mask-1)
		// A rank at the left end of a group of 2*mask had the group's blocks
		// pass through its hands.
		if peer%(2*mask) != 0 {
			b.Send(actual(peer, c.Root, c.Ranks), cut(c.vector(), offs, mine, mine+mask), have...)
		}
		if v%(2*mask) != 0 {
			have = append(have, b.Recv(actual(peer, c.Root, c.Ranks), cut(c.vector(), offs, theirs, theirs+mask)))
		}
	}
}
