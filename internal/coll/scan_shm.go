package coll

import "github.com/weft-mpi/weft/internal/plan"

// scan/shm, exscan/shm: everybody puts its vector into the memory of the node
// and raises a flag; each rank merges what those before it have put. A short
// vector stands in one line with the flag.
//
// Steps: no message, one flag per rank. Cost: one copy in of n, all ranks at
// once, and rng at rank r, which waits for the ranks before it only. Limits: all
// ranks on one node with memory in common that takes all vectors. For short
// vectors, and for two ranks. Source: own.
func scanShm(b *plan.Builder, c Case) { scanNodes(b, c) }

func scanShmFits(c Case) bool { return onOneNode(c) && scanNodesFit(c) }
