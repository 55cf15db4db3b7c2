package coll

import "github.com/weft-mpi/weft/internal/plan"

// reduce_scatter/smp: the first rank of every node merges the vectors of its
// node through memory; they run a reduce_scatter over the blocks of whole nodes
// and put the result into memory, from where everybody copies its block.
//
// Steps: log2 m rounds for m nodes of l ranks if short, else m-1. With N the
// whole vector, cost: (l-1)Ng, and the algorithm between nodes on m ranks.
// Limits: nodes have memory that takes (l+1)N; commutative unless ranks are
// nodes in order. Source: own (SMP-aware reduction).
func reduceScatterSMP(b *plan.Builder, c Case) { reduceScatterNodes(b, c, 1) }
