package coll

import "github.com/weft-mpi/weft/internal/plan"

// reduce/smp_slices: every rank of a node merges a slice of the vectors of its node
// through memory and reduces it with the ranks of the same number on the other
// nodes; the root copies the slices out.
//
// Steps: ceil(log2 m) rounds for m nodes of l ranks. Cost: (l-1)/l*ng, and the
// algorithm between nodes on m ranks and n/l bytes, l of them at once. Limits:
// nodes have memory; commutative unless ranks are nodes in order. Source: own
// (multi-core reduction).
func reduceSMPSlices(b *plan.Builder, c Case) { reduceNodes(b, c, c.slices()) }
