package coll

import "github.com/weft-mpi/weft/internal/plan"

// allreduce/smp_shifts: as allreduce/smp, but the ranks of a node take turns: every piece of
// the vector is merged, and reduced with the other nodes, by the next one.
//
// Steps: as allreduce/smp, in n/w turns for pieces of w bytes. Cost: as
// allreduce/smp, but the work between nodes is that of l ranks in turn.
// Limits: nodes have memory; commutative unless ranks are nodes in order. For
// long vectors where ranks share processors: no rank is the one that all wait
// for. Source: own.
func allreduceSMPShifts(b *plan.Builder, c Case) { reduceNodes(b, c, 1, c.slices()) }
