package simtest

import "github.com/weft-mpi/weft/mpi"

// ways are the forms of a call: at once, started, and made to be started again and again.
type ways struct {
	call  func() error
	start func() mpi.Request
	init  func() mpi.Request // nil if there is no such form
}

// waysOf are the forms of a call on the part's buffers.
func (p *part[T]) waysOf(c *mpi.Comm) ways {
	type req = mpi.Request
	root := p.root
	switch p.Op {
	case "barrier":
		return ways{func() error { return mpi.Barrier(c) },
			func() req { return mpi.Ibarrier(c) }, func() req { return mpi.BarrierInit(c) }}
	case "bcast":
		return ways{func() error { return mpi.Bcast(c, p.recv, root) },
			func() req { return mpi.Ibcast(c, p.recv, root) },
			func() req { return mpi.BcastInit(c, p.recv, root) }}
	case "gather":
		return ways{func() error { return mpi.Gather(c, p.send, p.recv, root) },
			func() req { return mpi.Igather(c, p.send, p.recv, root) },
			func() req { return mpi.GatherInit(c, p.send, p.recv, root) }}
	case "scatter":
		return ways{func() error { return mpi.Scatter(c, p.send, p.recv, root) },
			func() req { return mpi.Iscatter(c, p.send, p.recv, root) },
			func() req { return mpi.ScatterInit(c, p.send, p.recv, root) }}
	case "allgather":
		return ways{func() error { return mpi.Allgather(c, p.send, p.recv) },
			func() req { return mpi.Iallgather(c, p.send, p.recv) },
			func() req { return mpi.AllgatherInit(c, p.send, p.recv) }}
	case "alltoall":
		return ways{func() error { return mpi.Alltoall(c, p.send, p.recv) },
			func() req { return mpi.Ialltoall(c, p.send, p.recv) },
			func() req { return mpi.AlltoallInit(c, p.send, p.recv) }}
	case "alltoalllayout":
		return ways{call: func() error { return mpi.AlltoallLayout(c, p.send, p.outAt, p.recv, p.inAt) },
			start: func() req { return mpi.IalltoallLayout(c, p.send, p.outAt, p.recv, p.inAt) }}
	}
	return p.unevenWays(c)
}

// unevenWays are those of calls in which ranks have different numbers of elements.
func (p *part[T]) unevenWays(c *mpi.Comm) ways {
	type req = mpi.Request
	root := p.root
	switch p.Op {
	case "gatherv":
		return ways{func() error { return mpi.Gatherv(c, p.send, p.recv, p.in, nil, root) },
			func() req { return mpi.Igatherv(c, p.send, p.recv, p.in, nil, root) },
			func() req { return mpi.GathervInit(c, p.send, p.recv, p.in, nil, root) }}
	case "scatterv":
		return ways{func() error { return mpi.Scatterv(c, p.send, p.out, nil, p.recv, root) },
			func() req { return mpi.Iscatterv(c, p.send, p.out, nil, p.recv, root) },
			func() req { return mpi.ScattervInit(c, p.send, p.out, nil, p.recv, root) }}
	case "allgatherv":
		return ways{func() error { return mpi.Allgatherv(c, p.send, p.recv, p.in, nil) },
			func() req { return mpi.Iallgatherv(c, p.send, p.recv, p.in, nil) },
			func() req { return mpi.AllgathervInit(c, p.send, p.recv, p.in, nil) }}
	case "alltoallv":
		return ways{func() error { return mpi.Alltoallv(c, p.send, p.out, nil, p.recv, p.in, nil) },
			func() req { return mpi.Ialltoallv(c, p.send, p.out, nil, p.recv, p.in, nil) },
			func() req { return mpi.AlltoallvInit(c, p.send, p.out, nil, p.recv, p.in, nil) }}
	case "neighborallgather":
		return ways{func() error { return mpi.NeighborAllgather(c, p.send, p.recv) },
			func() req { return mpi.IneighborAllgather(c, p.send, p.recv) },
			func() req { return mpi.NeighborAllgatherInit(c, p.send, p.recv) }}
	case "neighborallgatherv":
		return ways{func() error { return mpi.NeighborAllgatherv(c, p.send, p.recv, p.in, nil) },
			func() req { return mpi.IneighborAllgatherv(c, p.send, p.recv, p.in, nil) },
			func() req { return mpi.NeighborAllgathervInit(c, p.send, p.recv, p.in, nil) }}
	case "neighboralltoall":
		return ways{func() error { return mpi.NeighborAlltoall(c, p.send, p.recv) },
			func() req { return mpi.IneighborAlltoall(c, p.send, p.recv) },
			func() req { return mpi.NeighborAlltoallInit(c, p.send, p.recv) }}
	case "neighboralltoallv":
		return ways{func() error { return mpi.NeighborAlltoallv(c, p.send, p.out, nil, p.recv, p.in, nil) },
			func() req { return mpi.IneighborAlltoallv(c, p.send, p.out, nil, p.recv, p.in, nil) },
			func() req { return mpi.NeighborAlltoallvInit(c, p.send, p.out, nil, p.recv, p.in, nil) }}
	case "neighboralltoalllayout":
		return ways{call: func() error { return mpi.NeighborAlltoallLayout(c, p.send, p.outAt, p.recv, p.inAt) },
			start: func() req { return mpi.IneighborAlltoallLayout(c, p.send, p.outAt, p.recv, p.inAt) }}
	}
	return p.reducingWays(c)
}

// reducingWays are those of calls that combine.
func (p *part[T]) reducingWays(c *mpi.Comm) ways {
	type req = mpi.Request
	op, root := p.op, p.root
	switch p.Op {
	case "reduce":
		return ways{func() error { return mpi.Reduce(c, p.send, p.recv, op, root) },
			func() req { return mpi.Ireduce(c, p.send, p.recv, op, root) },
			func() req { return mpi.ReduceInit(c, p.send, p.recv, op, root) }}
	case "allreduce":
		return ways{func() error { return mpi.Allreduce(c, p.send, p.recv, op) },
			func() req { return mpi.Iallreduce(c, p.send, p.recv, op) },
			func() req { return mpi.AllreduceInit(c, p.send, p.recv, op) }}
	case "scan":
		return ways{func() error { return mpi.Scan(c, p.send, p.recv, op) },
			func() req { return mpi.Iscan(c, p.send, p.recv, op) },
			func() req { return mpi.ScanInit(c, p.send, p.recv, op) }}
	case "exscan":
		return ways{func() error { return mpi.Exscan(c, p.send, p.recv, op) },
			func() req { return mpi.Iexscan(c, p.send, p.recv, op) },
			func() req { return mpi.ExscanInit(c, p.send, p.recv, op) }}
	case "reducescatter":
		return ways{func() error { return mpi.ReduceScatter(c, p.send, p.recv, op) },
			func() req { return mpi.IreduceScatter(c, p.send, p.recv, op) },
			func() req { return mpi.ReduceScatterInit(c, p.send, p.recv, op) }}
	}
	return ways{func() error { return mpi.ReduceScatterv(c, p.send, p.recv, p.in, op) },
		func() req { return mpi.IreduceScatterv(c, p.send, p.recv, p.in, op) },
		func() req { return mpi.ReduceScattervInit(c, p.send, p.recv, p.in, op) }}
}
