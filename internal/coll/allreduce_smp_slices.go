package coll

import "github.com/weft-mpi/weft/internal/plan"

// allreduce/smp_slices: every rank of a node merges a slice of the vectors of its
// node through memory and reduces it with the ranks of the same number on the
// other nodes; everybody copies all slices out.
//
// Steps: log2 m rounds for m nodes of l ranks if short. Cost: (l-1)/l*ng, the
// algorithm between nodes on m ranks and n/l bytes, l of them at once, and one
// copy out. Limits: nodes have memory; commutative unless ranks are nodes in
// order. Source: own (multi-core reduction).
func allreduceSMPSlices(b *plan.Builder, c Case) { reduceNodes(b, c, c.slices()) }
