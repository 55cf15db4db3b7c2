package coll

import "github.com/weft-mpi/weft/internal/plan"

// allreduce/smp: the first rank of every node merges the vectors of its node through
// memory; they run allreduce/doubling or, if it is long, Rabenseifner's
// algorithm or a ring; the result goes back through memory.
//
// Steps: log2 m rounds for m nodes of l ranks if short. Cost: (l-1)ng, the
// algorithm between nodes on m ranks, and one copy out. Limits: nodes have
// memory; commutative unless ranks are nodes in order. Source: own (SMP-aware
// reduction).
func allreduceSMP(b *plan.Builder, c Case) { reduceNodes(b, c, 1) }
