package mpi

import (
	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
)

// Calls between neighbours: every rank of a communicator that Cart, Neighborhood or Graph has made takes
// part, and exchanges blocks with its neighbours alone.

// degrees are how many blocks a rank receives and sends.
func degrees(c *Comm) (in, out int) {
	if g := c.c.Topology(); g != nil {
		in, out = len(g.In(c.c.Rank())), len(g.Out(c.c.Rank()))
	}
	return in, out
}

func neighborAllgather[T any](call *comm.Call, c *Comm, send, recv []T) error {
	err := describe[T](call, c, coll.NeighborAllgather)
	call.In, call.Out = view(send), view(recv)
	call.Bytes = len(call.In)
	in, out := degrees(c)
	if send == nil && out == 0 && in > 0 {
		call.Bytes = len(call.Out) / in
		call.In = make([]byte, call.Bytes)
	}
	if err == nil && call.Bytes*in != len(call.Out) {
		err = badCount(c, coll.NeighborAllgather, "send has %d elements, recv %d, for %d neighbours", len(send), len(recv), in)
	}
	return err
}

// NeighborAllgather sends the same to all neighbours: send to every rank that this one sends to, and to recv
// comes a block of each that it receives from, in the order of [Comm.Neighbors]. send has the same length
// everywhere, and recv is as many times as long as there are blocks. The block of [ProcNull] is not touched.
func NeighborAllgather[T any](c *Comm, send, recv []T) error {
	var call comm.Call
	return run(c, &call, neighborAllgather(&call, c, send, recv))
}

// IneighborAllgather starts a [NeighborAllgather].
func IneighborAllgather[T any](c *Comm, send, recv []T) Request {
	var call comm.Call
	return start(c, &call, neighborAllgather(&call, c, send, recv))
}

func neighborAllgatherv[T any](call *comm.Call, c *Comm, send, recv []T, counts, displs []int) error {
	err := describe[T](call, c, coll.NeighborAllgatherv)
	if err != nil {
		return err
	}
	call.In, call.Out = view(send), view(recv)
	call.Bytes, call.RecvCounts, call.RecvDispls = len(call.In), given(counts), displs
	in, _ := degrees(c)
	return checkBlocks(c, coll.NeighborAllgatherv, "edge", in, counts, displs, len(recv))
}

// NeighborAllgatherv is [NeighborAllgather] with blocks of different lengths: counts[i] elements come from
// neighbour i to recv from displs[i] on, or one block after the other if displs is nil.
func NeighborAllgatherv[T any](c *Comm, send, recv []T, counts, displs []int) error {
	var call comm.Call
	return run(c, &call, neighborAllgatherv(&call, c, send, recv, counts, displs))
}

// IneighborAllgatherv starts a [NeighborAllgatherv].
func IneighborAllgatherv[T any](c *Comm, send, recv []T, counts, displs []int) Request {
	var call comm.Call
	return start(c, &call, neighborAllgatherv(&call, c, send, recv, counts, displs))
}

func neighborAlltoall[T any](call *comm.Call, c *Comm, send, recv []T) error {
	err := describe[T](call, c, coll.NeighborAlltoall)
	call.In, call.Out = view(send), view(recv)
	in, out := degrees(c)
	switch {
	case out > 0:
		call.Bytes = len(send) / out * call.Elem
	case in > 0:
		call.Bytes = len(recv) / in * call.Elem
	}
	if err == nil && (call.Bytes*in != len(call.Out) || call.Bytes*out != len(call.In)) {
		err = badCount(c, coll.NeighborAlltoall, "send has %d elements for %d neighbours, recv %d for %d", len(send), out, len(recv), in)
	}
	return err
}

// NeighborAlltoall sends each neighbour a block of its own: block i of send goes to the i-th rank that this
// one sends to, and block i of recv comes from the i-th that it receives from, in the order of
// [Comm.Neighbors]. Blocks have the same length everywhere. Those of [ProcNull] have their place, and are
// not touched.
func NeighborAlltoall[T any](c *Comm, send, recv []T) error {
	var call comm.Call
	return run(c, &call, neighborAlltoall(&call, c, send, recv))
}

// IneighborAlltoall starts a [NeighborAlltoall].
func IneighborAlltoall[T any](c *Comm, send, recv []T) Request {
	var call comm.Call
	return start(c, &call, neighborAlltoall(&call, c, send, recv))
}

func neighborAlltoallv[T any](call *comm.Call, c *Comm, send []T, sendCounts, sendDispls []int, recv []T, recvCounts, recvDispls []int) error {
	err := describe[T](call, c, coll.NeighborAlltoallv)
	if err != nil {
		return err
	}
	call.In, call.Out = view(send), view(recv)
	call.SendCounts, call.SendDispls, call.RecvCounts, call.RecvDispls = given(sendCounts), sendDispls, given(recvCounts), recvDispls
	in, out := degrees(c)
	if err = checkBlocks(c, coll.NeighborAlltoallv, "edge", out, sendCounts, sendDispls, len(send)); err != nil {
		return err
	}
	return checkBlocks(c, coll.NeighborAlltoallv, "edge", in, recvCounts, recvDispls, len(recv))
}

// NeighborAlltoallv is [NeighborAlltoall] with blocks of different lengths: sendCounts[i] elements of send from
// sendDispls[i] on go to neighbour i, and recvCounts[i] come to recv from recvDispls[i] on. nil
// displacements mean one block after the other.
func NeighborAlltoallv[T any](c *Comm, send []T, sendCounts, sendDispls []int, recv []T, recvCounts, recvDispls []int) error {
	var call comm.Call
	return run(c, &call, neighborAlltoallv(&call, c, send, sendCounts, sendDispls, recv, recvCounts, recvDispls))
}

// IneighborAlltoallv starts a [NeighborAlltoallv].
func IneighborAlltoallv[T any](c *Comm, send []T, sendCounts, sendDispls []int, recv []T, recvCounts, recvDispls []int) Request {
	var call comm.Call
	return start(c, &call, neighborAlltoallv(&call, c, send, sendCounts, sendDispls, recv, recvCounts, recvDispls))
}

// given is counts that are there, even if there are none: no neighbours are not no counts.
func given(counts []int) []int {
	if counts == nil {
		return []int{}
	}
	return counts
}
