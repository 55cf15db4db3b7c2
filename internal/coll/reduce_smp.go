package coll

import "github.com/weft-mpi/weft/internal/plan"

// reduce/smp: the first rank of every node, on the root's node the root, merges the
// vectors of its node through memory, and they reduce what they have by a
// binomial tree or, if it is long, by Rabenseifner's algorithm.
//
// Steps: ceil(log2 m) rounds for m nodes of l ranks. Cost: (l-1)ng, and the
// algorithm between nodes on m ranks. Limits: nodes have memory; commutative
// unless ranks are nodes in order. Source: own (SMP-aware reduction).
func reduceSMP(b *plan.Builder, c Case) { reduceNodes(b, c, 1) }
