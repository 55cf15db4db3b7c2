package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/shm_direct, allgatherv/shm_direct: the ranks of a node put their
// blocks into its memory; its master sends them to the other masters in the
// strict order next, next but one, ...; when all have come, one flag tells the
// node, and everybody copies out.
//
// Steps: m-1 rounds for m nodes of l ranks. Cost: (m-1)(a + lnb), one copy in of
// n and one copy out of pn. Limits: nodes have memory that takes pn. The twin of
// allgather/pap_shm_direct, for comparison. Source: Qian, thesis, 6.4
// (Shm_Direct).
func allgatherShmDirect(b *plan.Builder, c Case) {
	l := c.layout()
	startNodeGather(b, c, l, l.ranks).direct(1, false)
}
