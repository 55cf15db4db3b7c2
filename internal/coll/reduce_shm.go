package coll

import "github.com/weft-mpi/weft/internal/plan"

// reduce/shm: everybody puts its vector into the memory of the node and raises a flag;
// the root merges them in rank order as they come. Long vectors go in turns.
//
// Steps: no message, one flag per rank and turn. Cost: one copy in, all ranks at
// once, and (p-1)ng at the root. Limits: all ranks on one node with memory in
// common. For short vectors. Source: textbook.
func reduceShm(b *plan.Builder, c Case) { reduceNodes(b, c, 1) }

func reduceShmFits(c Case) bool { return onOneNode(c) && reduceFits(c) }
