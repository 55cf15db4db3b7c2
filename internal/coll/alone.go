package coll

import "github.com/weft-mpi/weft/internal/plan"

// alone plans any operation on a communicator of one rank: the contribution
// becomes the result.
func alone(b *plan.Builder, c Case) {
	if c.inPlace() {
		return
	}
	switch c.Op {
	case Barrier, Bcast, Exscan:
	case Gather, Gatherv, Allgather, Allgatherv:
		b.Copy(c.recvBlock(0), c.source())
	case Alltoall, Alltoallv:
		b.Copy(c.recvBlock(0), c.sendBlock(0))
	case Scatter, Scatterv:
		b.Copy(c.vector(), c.sendBlock(0))
	default: // the reductions
		b.Copy(plan.Span{Buf: plan.Out, Len: c.source().Len}, c.source())
	}
}
