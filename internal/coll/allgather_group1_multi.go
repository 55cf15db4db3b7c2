package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/group1_multi, allgatherv/group1_multi: as allgather/group1_single,
// but each master sends to all others at once.
//
// Steps: 1 round, m-1 connections in and out of each of m nodes of l ranks.
// Cost: a + (m-1)lnb; memory traffic of a node: 2ln + (1 + l)pn. Limits: nodes
// have memory that takes pn. Source: Qian, thesis, 5.5.1.
func allgatherGroup1Multi(b *plan.Builder, c Case) { allgatherGrouped(b, c, 1, false) }
