package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/groups, allgatherv/groups: every core is a group of its own: each
// rank exchanges blocks with the ranks of the same number on all other nodes at
// once, and writes what it has into the memory of the node for everybody to
// copy out. Where a node has fewer ranks, they serve several groups.
//
// Steps: 1 round, l(m-1) connections in and out of each of m nodes of l ranks.
// Cost: a + (m-1)lnb from l cores; memory traffic of a node: (1 + l)pn. Limits:
// nodes have memory that takes pn. Source: Qian, thesis, 5.5.3 (4-group on 4 cores).
func allgatherGroups(b *plan.Builder, c Case) { allgatherGrouped(b, c, c.MostLocal(), false) }
