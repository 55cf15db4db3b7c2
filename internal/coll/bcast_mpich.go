package coll

import "github.com/weft-mpi/weft/internal/plan"

// bcast/mpich: what MPICH does: bcast/binomial for less than 12 KB or fewer than
// 8 ranks, else bcast/scatter_doubling if p is a power of two and there are less
// than 512 KB, else bcast/scatter_ring.
//
// Steps, cost: those of the parts. Limits: none. A rival to compare with.
// Source: Thakur, Rabenseifner and Gropp, "Optimization of collective
// communication operations in MPICH", 2005.
func bcastMpich(b *plan.Builder, c Case) {
	const few, short, long = 8, 12 << 10, 512 << 10
	switch {
	case c.Bytes < short || c.Ranks < few:
		bcastBinomial(b, c)
	case isPow2(c.Ranks) && c.Bytes < long:
		bcastScatterDoubling(b, c)
	default:
		bcastScatterRing(b, c)
	}
}
