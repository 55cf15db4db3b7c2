package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/smp_direct, allgatherv/smp_direct: the ranks of a node put their
// blocks into its memory; its master sends them to every other master, k
// messages at a time, straight into the memory of the other nodes; everybody
// copies out what has come, the blocks of its own node meanwhile.
//
// Steps: ceil((m-1)/k) rounds for m nodes of l ranks. Cost: ceil((m-1)/k)a +
// (m-1)l/k*nb, one copy in of n and one copy out of pn. Limits: nodes have
// memory that takes pn. Source: Qian, thesis, 4.4 (SMP Direct).
func allgatherSMPDirect(b *plan.Builder, c Case) {
	l := c.layout()
	startNodeGather(b, c, l, l.ranks).direct(c.ports(), true)
}
