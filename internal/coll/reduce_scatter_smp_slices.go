package coll

import "github.com/weft-mpi/weft/internal/plan"

// reduce_scatter/smp_slices: as reduce_scatter/smp, but every rank of a node
// drives a slice of the blocks of all nodes.
//
// Steps: log2 m rounds for m nodes of l ranks if short, else m-1. With N the
// whole vector, cost: (l-1)/l*Ng, and the algorithm between nodes on m ranks and
// N/l bytes, l of them at once. Limits: nodes have memory that takes (l+1)N;
// commutative unless ranks are nodes in order. Source: own (multi-core reduction).
func reduceScatterSMPSlices(b *plan.Builder, c Case) { reduceScatterNodes(b, c, c.slices()) }
