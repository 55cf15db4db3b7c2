package coll

import "github.com/weft-mpi/weft/internal/plan"

// bcast/smp: the vector runs down a binomial tree of masters, one per node,
// segment by segment into the memory of each node, where everybody copies it
// out while the master passes it on.
//
// Steps: ceil(log2 m)-1+s rounds for m nodes and s segments. Cost: ceil(log2 m)
// (a + nb), and one copy out that overlaps. Limits: nodes have memory. Source:
// Qian, thesis, ch. 4, carried over from allgather.
func bcastSMP(b *plan.Builder, c Case) { bcastNodes(b, c, 1, false) }

func bcastSMPFits(c Case) bool { return c.Shares && (c.empty() || c.bcastShape(1).fits()) }
