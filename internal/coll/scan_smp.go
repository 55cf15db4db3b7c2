package coll

import "github.com/weft-mpi/weft/internal/plan"

// scan/smp, exscan/smp: each rank merges the vectors of those before it on its
// node through memory; the last rank of every node learns the sum of the nodes
// before by doubling, and the others merge it.
//
// Steps: ceil(log2 m) rounds for m nodes of l ranks, one flag per rank. Cost:
// (l-1)ng, the doubling on m ranks, and ng. Limits: nodes have memory that takes
// the vectors of their ranks; ranks are nodes in order. Source: own (SMP-aware
// scan).
func scanSMP(b *plan.Builder, c Case) { scanNodes(b, c) }
