package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/group1_single, allgatherv/group1_single: one group: the master of a
// node collects its blocks through memory, the masters pass them round a ring,
// and each writes all into the memory of its node for everybody to copy out.
//
// Steps: m-1 rounds for m nodes of l ranks, one connection in and out of a node.
// Cost: (m-1)(a + lnb); memory traffic of a node: 2ln + (1 + l)pn. Limits: nodes
// have memory that takes pn. Source: Qian, thesis, 5.5.4 (1-group
// single-connection).
func allgatherGroup1Single(b *plan.Builder, c Case) { allgatherGrouped(b, c, 1, true) }
