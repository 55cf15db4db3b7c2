package coll

import "github.com/weft-mpi/weft/internal/plan"

// bcast/smp_chain: the vector is cut into a slice for each core; slice i runs
// down a chain of the i-th ranks of all nodes, segment by segment into the
// memory of each node, where everybody copies it out.
//
// Steps: m-2+s rounds for m nodes and s segments of a slice. Cost: about nb with
// every core driving its part, slices on different rails. Limits: nodes have
// memory. For long vectors. Source: own (multi-core broadcast).
func bcastSMPChain(b *plan.Builder, c Case) { bcastNodes(b, c, c.slices(), true) }

func bcastSMPChainFits(c Case) bool {
	return c.Shares && (c.empty() || c.bcastShape(c.slices()).fits())
}

// slices returns into how many parts a vector is cut so that every node has a
// core for each: as many as the smallest node has ranks.
func (c Case) slices() int { return c.layout().least() }
