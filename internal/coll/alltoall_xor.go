package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/xor: in round d ranks whose numbers differ by the bits of d exchange
// blocks, one round after the other.
//
// Steps: p-1 rounds. Cost: (p-1)(a + nb). Limits: p is a power of two; in place
// needs scratch for all that is sent. Wins for long blocks where a pair that
// talks to each other only has both directions to itself. Source: Thakur,
// Rabenseifner and Gropp, "Optimization of collective communication operations
// in MPICH", 2005.
func alltoallXor(b *plan.Builder, c Case) {
	roundByRound(b, c, func(d int) (to, from int) { return c.Rank ^ d, c.Rank ^ d })
}
