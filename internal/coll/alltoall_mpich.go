package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/mpich: what MPICH does: alltoall/bruck with one port for blocks up
// to 256 bytes on 8 ranks or more, else alltoall/flat up to 32 KB, else
// alltoall/xor if p is a power of two and alltoall/pairwise if not.
//
// Steps, cost: those of the parts. Limits: none. A rival to compare with.
// Source: Thakur, Rabenseifner and Gropp, "Optimization of collective
// communication operations in MPICH", 2005.
func alltoallMpich(b *plan.Builder, c Case) {
	const many, medium = 8, 32 << 10
	switch {
	case c.Bytes <= mvapichShort && c.Ranks >= many:
		alltoallBruck(b, c)
	case c.Bytes <= medium:
		alltoallFlat(b, c)
	case isPow2(c.Ranks):
		alltoallXor(b, c)
	default:
		alltoallPairwise(b, c)
	}
}
