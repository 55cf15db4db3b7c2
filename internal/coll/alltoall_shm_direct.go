package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/shm_direct: the ranks of a node put all they send into its memory;
// its master sends the part of every other node to that node's master in the
// strict order next, next but one, ...; when all has come, one flag tells the
// node, and everybody copies its blocks out.
//
// Steps: m-1 rounds for m nodes of l ranks. Cost: (m-1)(a + llnb), one copy in
// and one copy out of pn. Limits: nodes have memory that takes 2lpn. For short
// blocks. The twin of alltoall/pap_shm_direct, for comparison. Source: Qian,
// thesis, 6.3 (Shm_Direct).
func alltoallShmDirect(b *plan.Builder, c Case) { alltoallNodes(b, c, false) }
