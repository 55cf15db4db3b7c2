package mpi

import (
	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
)

// An operation that is repeated can be made once, by a call whose name ends in Init, and then started again
// and again. What it needs is found out once: a collective keeps its plan.

// Start starts requests that calls like [SendInit], [AllreduceInit] or [PsendInit] made, in their order. Each
// has to be waited for before it is started again, else Start fails with [ErrRequest] and starts none. Other
// errors of an operation come with the wait.
func Start(reqs ...Request) error {
	if err := comm.Restart(inner(reqs)); err != nil {
		return &Error{Op: "start", Peer: comm.None, Tag: comm.None, Err: err}
	}
	return nil
}

// failing is a request that can be started, and fails.
func failing(err error) Request {
	return Request{comm.Again(func() comm.Request { return comm.Failed(err) })}
}

// sendInit is all persistent sends.
func sendInit[T any](c *Comm, op string, buf []T, dst, tag int, mode comm.Mode) Request {
	if !movable[T]() {
		return failing(badType[T](c, op, dst, tag))
	}
	return Request{typed[T](c).SendInit(view(buf), dst, tag, mode)}
}

// SendInit makes a [Send] that [Start] starts, again and again, with what is in buf by then. It sends
// nothing itself.
func SendInit[T any](c *Comm, buf []T, dst, tag int) Request {
	return sendInit(c, "send", buf, dst, tag, comm.Standard)
}

// SsendInit is [SendInit] for an [Ssend].
func SsendInit[T any](c *Comm, buf []T, dst, tag int) Request {
	return sendInit(c, "ssend", buf, dst, tag, comm.Synchronous)
}

// BsendInit is [SendInit] for a [Bsend]: buf is copied when it is started.
func BsendInit[T any](c *Comm, buf []T, dst, tag int) Request {
	return sendInit(c, "bsend", buf, dst, tag, comm.Buffered)
}

// RsendInit is [SendInit] for an [Rsend]: its promise is made by each start.
func RsendInit[T any](c *Comm, buf []T, dst, tag int) Request {
	return sendInit(c, "rsend", buf, dst, tag, comm.Ready)
}

// RecvInit makes a [Recv] that [Start] starts, again and again.
func RecvInit[T any](c *Comm, buf []T, src, tag int) Request {
	if !movable[T]() {
		return failing(badType[T](c, "recv", src, tag))
	}
	return Request{typed[T](c).RecvInit(view(buf), src, tag)}
}

// keep makes a collective that is started again and again. All ranks make theirs in the same order as they
// call other collectives, and start them so.
func keep(c *Comm, call *comm.Call, err error) Request {
	if err != nil {
		return failing(err)
	}
	return Request{c.c.Init(call)}
}

// BarrierInit makes a [Barrier] that [Start] starts, again and again.
func BarrierInit(c *Comm) Request { return keep(c, &comm.Call{Op: coll.Barrier}, nil) }

// BcastInit makes a [Bcast] that [Start] starts, again and again, on the same buffer. All ranks make it,
// in the same order as they call other collectives, and start it so.
func BcastInit[T any](c *Comm, buf []T, root int) Request {
	var call comm.Call
	return keep(c, &call, bcast(&call, c, buf, root))
}

// ReduceInit makes a [Reduce] that [Start] starts, again and again, as [BcastInit] does a Bcast.
func ReduceInit[T any](c *Comm, send, recv []T, op Op, root int) Request {
	var call comm.Call
	return keep(c, &call, reduce(&call, c, send, recv, op, root))
}

// AllreduceInit makes an [Allreduce] that [Start] starts, again and again, as [BcastInit] does a Bcast.
func AllreduceInit[T any](c *Comm, send, recv []T, op Op) Request {
	var call comm.Call
	return keep(c, &call, vector(&call, c, coll.Allreduce, send, recv, op))
}

// ScanInit makes a [Scan] that [Start] starts, again and again, as [BcastInit] does a Bcast.
func ScanInit[T any](c *Comm, send, recv []T, op Op) Request {
	var call comm.Call
	return keep(c, &call, vector(&call, c, coll.Scan, send, recv, op))
}

// ExscanInit makes an [Exscan] that [Start] starts, again and again, as [BcastInit] does a Bcast.
func ExscanInit[T any](c *Comm, send, recv []T, op Op) Request {
	var call comm.Call
	return keep(c, &call, vector(&call, c, coll.Exscan, send, recv, op))
}

// ReduceScatterInit makes a [ReduceScatter] that [Start] starts, again and again, as [BcastInit] does a Bcast.
func ReduceScatterInit[T any](c *Comm, send, recv []T, op Op) Request {
	var call comm.Call
	return keep(c, &call, reduceScatter(&call, c, send, recv, nil, op))
}

// ReduceScattervInit makes a [ReduceScatterv] that [Start] starts, again and again, as [BcastInit] does a Bcast. Counts
// and displacements are those of now.
func ReduceScattervInit[T any](c *Comm, send, recv []T, counts []int, op Op) Request {
	var call comm.Call
	return keep(c, &call, reduceScatter(&call, c, send, recv, counts, op))
}

// GatherInit makes a [Gather] that [Start] starts, again and again, as [BcastInit] does a Bcast.
func GatherInit[T any](c *Comm, send, recv []T, root int) Request {
	var call comm.Call
	return keep(c, &call, gather(&call, c, send, recv, root))
}

// GathervInit makes a [Gatherv] that [Start] starts, again and again, as [BcastInit] does a Bcast. Counts
// and displacements are those of now.
func GathervInit[T any](c *Comm, send, recv []T, counts, displs []int, root int) Request {
	var call comm.Call
	return keep(c, &call, gatherv(&call, c, send, recv, counts, displs, root))
}

// ScatterInit makes a [Scatter] that [Start] starts, again and again, as [BcastInit] does a Bcast.
func ScatterInit[T any](c *Comm, send, recv []T, root int) Request {
	var call comm.Call
	return keep(c, &call, scatter(&call, c, send, recv, root))
}

// ScattervInit makes a [Scatterv] that [Start] starts, again and again, as [BcastInit] does a Bcast. Counts
// and displacements are those of now.
func ScattervInit[T any](c *Comm, send []T, counts, displs []int, recv []T, root int) Request {
	var call comm.Call
	return keep(c, &call, scatterv(&call, c, send, counts, displs, recv, root))
}

// AllgatherInit makes an [Allgather] that [Start] starts, again and again, as [BcastInit] does a Bcast.
func AllgatherInit[T any](c *Comm, send, recv []T) Request {
	var call comm.Call
	return keep(c, &call, allgather(&call, c, send, recv))
}

// AllgathervInit makes an [Allgatherv] that [Start] starts, again and again, as [BcastInit] does a Bcast. Counts
// and displacements are those of now.
func AllgathervInit[T any](c *Comm, send, recv []T, counts, displs []int) Request {
	var call comm.Call
	return keep(c, &call, allgatherv(&call, c, send, recv, counts, displs))
}

// AlltoallInit makes an [Alltoall] that [Start] starts, again and again, as [BcastInit] does a Bcast.
func AlltoallInit[T any](c *Comm, send, recv []T) Request {
	var call comm.Call
	return keep(c, &call, alltoall(&call, c, send, recv))
}

// AlltoallvInit makes an [Alltoallv] that [Start] starts, again and again, as [BcastInit] does a Bcast. Counts
// and displacements are those of now.
func AlltoallvInit[T any](c *Comm, send []T, sendCounts, sendDispls []int, recv []T, recvCounts, recvDispls []int) Request {
	var call comm.Call
	return keep(c, &call, alltoallv(&call, c, send, sendCounts, sendDispls, recv, recvCounts, recvDispls))
}

// NeighborAllgatherInit makes a [NeighborAllgather] that [Start] starts, again and again, as [BcastInit] does a Bcast.
func NeighborAllgatherInit[T any](c *Comm, send, recv []T) Request {
	var call comm.Call
	return keep(c, &call, neighborAllgather(&call, c, send, recv))
}

// NeighborAllgathervInit makes a [NeighborAllgatherv] that [Start] starts, again and again, as [BcastInit] does a Bcast. Counts
// and displacements are those of now.
func NeighborAllgathervInit[T any](c *Comm, send, recv []T, counts, displs []int) Request {
	var call comm.Call
	return keep(c, &call, neighborAllgatherv(&call, c, send, recv, counts, displs))
}

// NeighborAlltoallInit makes a [NeighborAlltoall] that [Start] starts, again and again, as [BcastInit] does a Bcast.
func NeighborAlltoallInit[T any](c *Comm, send, recv []T) Request {
	var call comm.Call
	return keep(c, &call, neighborAlltoall(&call, c, send, recv))
}

// NeighborAlltoallvInit makes a [NeighborAlltoallv] that [Start] starts, again and again, as [BcastInit] does a Bcast. Counts
// and displacements are those of now.
func NeighborAlltoallvInit[T any](c *Comm, send []T, sendCounts, sendDispls []int, recv []T, recvCounts, recvDispls []int) Request {
	var call comm.Call
	return keep(c, &call, neighborAlltoallv(&call, c, send, sendCounts, sendDispls, recv, recvCounts, recvDispls))
}
