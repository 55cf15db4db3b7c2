package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/pap_shm_direct: the ranks of a node put all they send into its
// memory; its master sends the part of every other node to that node's master,
// in no order but that of their arrival; a flag for each node tells that its
// part has come, and everybody copies its blocks out then.
//
// Steps: 1 round, m-1 messages per master, none more than its twin. Cost: a +
// (m-1)llnb for m nodes of l ranks, one copy in and one copy out of pn. Limits:
// nodes have memory that takes 2lpn. For short blocks. Source: Qian, thesis, 6.3
// (PAP_Shm_Direct).
func alltoallPAPShmDirect(b *plan.Builder, c Case) {
	b.ByArrival()
	alltoallNodes(b, c, true)
}
