package coll

import "github.com/weft-mpi/weft/internal/plan"

// scatter/smp_tree: blocks travel down a binomial tree of nodes, from memory to
// memory, and everybody copies its own from the memory of its node.
//
// Steps: ceil(log2 m) rounds for m nodes. Cost: ceil(log2 m)a + (p-l)nb with l
// ranks on the root's node, one copy out, and copies in if the ranks of a
// subtree are not neighbours. Limits: nodes have memory that takes all blocks.
// Source: own (gather/smp_tree the other way round).
func scatterSMPTree(b *plan.Builder, c Case) { scatterNodes(b, c, true) }
