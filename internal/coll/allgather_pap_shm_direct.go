package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/pap_shm_direct, allgatherv/pap_shm_direct: the ranks of a node put
// their blocks into its memory; its master sends them to the other masters, in
// no order but that of their arrival; a flag for each node tells that its
// blocks have come, and everybody copies them out then.
//
// Steps: 1 round, m-1 messages per master, none more than its twin. Cost: a +
// (m-1)lnb for m nodes of l ranks, one copy in of n and one copy out of pn.
// Limits: nodes have memory that takes pn. Source: Qian, thesis, 6.4
// (PAP_Shm_Direct).
func allgatherPAPShmDirect(b *plan.Builder, c Case) {
	b.ByArrival()
	l := c.layout()
	startNodeGather(b, c, l, l.ranks).direct(0, true)
}
