package coll

import "github.com/weft-mpi/weft/internal/plan"

// gather/smp_tree: the ranks of a node put their blocks into its memory; blocks
// travel up a binomial tree of nodes, from memory to memory.
//
// Steps: ceil(log2 m) rounds for m nodes. Cost: ceil(log2 m)a + (p-l)nb with l
// ranks on the root's node, one copy in, and copies out if the ranks of a
// subtree are not neighbours. Limits: nodes have memory that takes all blocks.
// Source: Qian, thesis, 4.3 (the tree of elan_gather over masters).
func gatherSMPTree(b *plan.Builder, c Case) { gatherNodes(b, c, true) }

func gatherSMPTreeFits(c Case) bool { return c.Shares && c.Ranks*c.Bytes <= NodeMax }
