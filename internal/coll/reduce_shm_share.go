package coll

import "github.com/weft-mpi/weft/internal/plan"

// reduce/shm_share: everybody puts its vector into the memory of the node and merges a
// share of all vectors, in rank order; the root copies the shares out. Long
// vectors go in turns.
//
// Steps: no message, two flags per rank and turn. Cost: one copy in and (p-1)/p*ng,
// all ranks at once, and one copy out of n. Limits: all ranks on one node with
// memory in common. Source: textbook.
func reduceShmShare(b *plan.Builder, c Case) { reduceNodes(b, c, c.Ranks) }
