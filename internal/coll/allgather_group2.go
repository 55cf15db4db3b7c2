package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/group2, allgatherv/group2: the ranks of a node form two halves, each
// with a master that collects the blocks of its half through memory, exchanges
// them with the masters of the same half on all other nodes at once, and writes
// what it has into the memory of the node for everybody to copy out.
//
// Steps: 1 round, 2(m-1) connections in and out of each of m nodes of l ranks.
// Cost: a + (m-1)lnb from two cores; memory traffic of a node: 2ln + (1 + l)pn.
// Limits: nodes have memory that takes pn. Source: Qian, thesis, 5.5.3.
func allgatherGroup2(b *plan.Builder, c Case) { allgatherGrouped(b, c, 2, false) }
