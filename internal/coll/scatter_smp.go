package coll

import "github.com/weft-mpi/weft/internal/plan"

// scatter/smp: the root sends the first rank of every node the blocks of its
// ranks in one message, different nodes by different rails, and everybody
// copies its own from the memory of its node.
//
// Steps: 1 round, m-1 messages for m nodes. Cost: a + (p-l)nb with l ranks on
// the root's node, one copy out, and copies in if the ranks of a node are not
// neighbours. Limits: nodes have memory that takes their blocks. Source: own
// (gather/smp the other way round).
func scatterSMP(b *plan.Builder, c Case) { scatterNodes(b, c, false) }
