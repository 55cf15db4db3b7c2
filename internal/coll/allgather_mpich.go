package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/mpich: what MPICH does: allgather/doubling if p is a power of two
// and the result is shorter than 512 KB, else allgather/bruck with one port if
// it is shorter than 80 KB, else allgather/ring.
//
// Steps, cost: those of the parts. Limits: none. A rival to compare with.
// Source: Thakur, Rabenseifner and Gropp, "Optimization of collective
// communication operations in MPICH", 2005.
func allgatherMpich(b *plan.Builder, c Case) {
	const medium, long = 80 << 10, 512 << 10
	switch total := c.Ranks * c.Bytes; {
	case isPow2(c.Ranks) && total < long:
		allgatherDoubling(b, c)
	case total < medium:
		allgatherBruck(b, c)
	default:
		allgatherRing(b, c)
	}
}
