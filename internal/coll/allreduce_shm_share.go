package coll

import "github.com/weft-mpi/weft/internal/plan"

// allreduce/shm_share: everybody puts its vector into the memory of the node, merges a
// share of all vectors, in rank order, and copies the shares of all out. Long
// vectors go in turns.
//
// Steps: no message, two flags per rank and turn. Cost: one copy in of n,
// (p-1)/p*ng and one copy out of n, all ranks at once. Limits: all ranks on one
// node with memory in common. Source: textbook.
func allreduceShmShare(b *plan.Builder, c Case) { reduceNodes(b, c, c.Ranks) }
