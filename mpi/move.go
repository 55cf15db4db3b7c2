package mpi

import (
	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
)

// checkLayout checks counts and displacements against a buffer of n elements. nil displacements
// mean one block after the other.
func checkLayout(c *Comm, op coll.Op, counts, displs []int, n int) error {
	return checkBlocks(c, op, "rank", blocks(c), counts, displs, n)
}

// checkBlocks is checkLayout for so many blocks, each of a rank or an edge.
func checkBlocks(c *Comm, op coll.Op, of string, blocks int, counts, displs []int, n int) error {
	if len(counts) != blocks || displs != nil && len(displs) != blocks {
		return badCount(c, op, "%d counts and %d displacements for %d %ss", len(counts), len(displs), blocks, of)
	}
	next := 0
	for i, count := range counts {
		if displs != nil {
			next = displs[i]
		}
		if count < 0 || next < 0 || next > n-count {
			return badCount(c, op, "block of %s %d is elements %d to %d of a buffer of %d", of, i, next, next+count, n)
		}
		next += count
	}
	return nil
}

func gather[T any](call *comm.Call, c *Comm, send, recv []T, root int) error {
	err := describe[T](call, c, coll.Gather)
	call.Root, call.In = root, view(send)
	call.Bytes = len(call.In)
	if !isRoot(c, root) || err != nil {
		return err
	}
	call.Out, call.InPlace = view(recv), send == nil || c.c.Remote() != nil
	if call.InPlace {
		call.Bytes = len(call.Out) / blocks(c)
	}
	if call.Bytes*blocks(c) != len(call.Out) {
		err = badCount(c, coll.Gather, "send has %d elements, recv %d, for %d ranks", len(send), len(recv), c.Size())
	}
	return err
}

// Gather collects the send of all ranks in recv of rank root, in the order of ranks. send has the
// same length everywhere, and recv is Size times as long; other ranks' recv may be nil.
func Gather[T any](c *Comm, send, recv []T, root int) error {
	var call comm.Call
	return run(c, &call, gather(&call, c, send, recv, root))
}

// Igather starts a [Gather].
func Igather[T any](c *Comm, send, recv []T, root int) Request {
	var call comm.Call
	return start(c, &call, gather(&call, c, send, recv, root))
}

func gatherv[T any](call *comm.Call, c *Comm, send, recv []T, counts, displs []int, root int) error {
	err := describe[T](call, c, coll.Gatherv)
	call.Root, call.In = root, view(send)
	call.Bytes = len(call.In)
	if !isRoot(c, root) || err != nil {
		return err
	}
	call.Out, call.InPlace = view(recv), send == nil
	call.RecvCounts, call.RecvDispls = counts, displs
	if err = checkLayout(c, coll.Gatherv, counts, displs, len(recv)); err != nil || c.c.Remote() != nil {
		return err
	}
	own := counts[root] * call.Elem
	if call.InPlace {
		call.Bytes = own
	}
	if call.Bytes != own {
		err = badCount(c, coll.Gatherv, "the root sends %d elements and expects %d of itself", len(send), counts[root])
	}
	return err
}

// Gatherv is [Gather] with blocks of different lengths: the counts[r] elements of rank r go to recv
// from displs[r] on, or one block after the other if displs is nil. Other ranks may pass nil for
// recv, counts and displs.
func Gatherv[T any](c *Comm, send, recv []T, counts, displs []int, root int) error {
	var call comm.Call
	return run(c, &call, gatherv(&call, c, send, recv, counts, displs, root))
}

// Igatherv starts a [Gatherv].
func Igatherv[T any](c *Comm, send, recv []T, counts, displs []int, root int) Request {
	var call comm.Call
	return start(c, &call, gatherv(&call, c, send, recv, counts, displs, root))
}

func scatter[T any](call *comm.Call, c *Comm, send, recv []T, root int) error {
	err := describe[T](call, c, coll.Scatter)
	call.Root, call.Out = root, view(recv)
	call.Bytes = len(call.Out)
	if !isRoot(c, root) || err != nil {
		return err
	}
	call.In, call.InPlace = view(send), recv == nil || c.c.Remote() != nil
	if call.InPlace {
		call.Bytes = len(call.In) / blocks(c)
	}
	if call.Bytes*blocks(c) != len(call.In) {
		err = badCount(c, coll.Scatter, "send has %d elements, recv %d, for %d ranks", len(send), len(recv), c.Size())
	}
	return err
}

// Scatter gives every rank its block of the send of rank root, in the order of ranks. recv has the
// same length everywhere, and send is Size times as long; other ranks' send may be nil.
func Scatter[T any](c *Comm, send, recv []T, root int) error {
	var call comm.Call
	return run(c, &call, scatter(&call, c, send, recv, root))
}

// Iscatter starts a [Scatter].
func Iscatter[T any](c *Comm, send, recv []T, root int) Request {
	var call comm.Call
	return start(c, &call, scatter(&call, c, send, recv, root))
}

func scatterv[T any](call *comm.Call, c *Comm, send []T, counts, displs []int, recv []T, root int) error {
	err := describe[T](call, c, coll.Scatterv)
	call.Root, call.Out = root, view(recv)
	call.Bytes = len(call.Out)
	if !isRoot(c, root) || err != nil {
		return err
	}
	call.In, call.InPlace = view(send), recv == nil
	call.SendCounts, call.SendDispls = counts, displs
	if err = checkLayout(c, coll.Scatterv, counts, displs, len(send)); err != nil || c.c.Remote() != nil {
		return err
	}
	own := counts[root] * call.Elem
	if call.InPlace {
		call.Bytes = own
	}
	if call.Bytes != own {
		err = badCount(c, coll.Scatterv, "the root keeps %d elements and has room for %d", counts[root], len(recv))
	}
	return err
}

// Scatterv is [Scatter] with blocks of different lengths: rank r gets counts[r] elements of send
// from displs[r] on, or one block after the other if displs is nil. Other ranks may pass nil for
// send, counts and displs.
func Scatterv[T any](c *Comm, send []T, counts, displs []int, recv []T, root int) error {
	var call comm.Call
	return run(c, &call, scatterv(&call, c, send, counts, displs, recv, root))
}

// Iscatterv starts a [Scatterv].
func Iscatterv[T any](c *Comm, send []T, counts, displs []int, recv []T, root int) Request {
	var call comm.Call
	return start(c, &call, scatterv(&call, c, send, counts, displs, recv, root))
}

func allgather[T any](call *comm.Call, c *Comm, send, recv []T) error {
	err := describe[T](call, c, coll.Allgather)
	call.In, call.Out, call.InPlace = view(send), view(recv), send == nil
	call.Bytes = len(call.Out) / blocks(c)
	if c.c.Remote() != nil {
		call.Bytes, call.Back = len(call.In), call.Bytes
		if err == nil && call.Back*blocks(c) != len(call.Out) {
			err = badCount(c, coll.Allgather, "recv has %d elements for %d ranks of the other group", len(recv), blocks(c))
		}
		return err
	}
	if err == nil && (call.Bytes*c.Size() != len(call.Out) || send != nil && len(call.In) != call.Bytes) {
		err = badCount(c, coll.Allgather, "send has %d elements, recv %d, for %d ranks", len(send), len(recv), c.Size())
	}
	return err
}

// Allgather collects the send of all ranks in everybody's recv, in the order of ranks. send has the
// same length everywhere, and recv is Size times as long.
func Allgather[T any](c *Comm, send, recv []T) error {
	var call comm.Call
	return run(c, &call, allgather(&call, c, send, recv))
}

// Iallgather starts an [Allgather].
func Iallgather[T any](c *Comm, send, recv []T) Request {
	var call comm.Call
	return start(c, &call, allgather(&call, c, send, recv))
}

func allgatherv[T any](call *comm.Call, c *Comm, send, recv []T, counts, displs []int) error {
	err := describe[T](call, c, coll.Allgatherv)
	if err != nil {
		return err
	}
	call.In, call.Out, call.InPlace = view(send), view(recv), send == nil
	call.RecvCounts, call.RecvDispls = counts, displs
	err = checkLayout(c, coll.Allgatherv, counts, displs, len(recv))
	if c.c.Remote() != nil {
		call.Bytes = len(call.In)
		return err
	}
	if err == nil && send != nil && len(send) != counts[c.Rank()] {
		err = badCount(c, coll.Allgatherv, "send has %d elements, counts say %d", len(send), counts[c.Rank()])
	}
	return err
}

// Allgatherv is [Allgather] with blocks of different lengths: the counts[r] elements of rank r go
// to recv from displs[r] on, or one block after the other if displs is nil. All ranks pass the same
// counts.
func Allgatherv[T any](c *Comm, send, recv []T, counts, displs []int) error {
	var call comm.Call
	return run(c, &call, allgatherv(&call, c, send, recv, counts, displs))
}

// Iallgatherv starts an [Allgatherv].
func Iallgatherv[T any](c *Comm, send, recv []T, counts, displs []int) Request {
	var call comm.Call
	return start(c, &call, allgatherv(&call, c, send, recv, counts, displs))
}

func alltoall[T any](call *comm.Call, c *Comm, send, recv []T) error {
	err := describe[T](call, c, coll.Alltoall)
	call.In, call.Out, call.InPlace = view(send), view(recv), send == nil
	call.Bytes = len(call.Out) / blocks(c)
	if c.c.Remote() != nil {
		call.Bytes, call.Back = len(call.In)/blocks(c), call.Bytes
		if err == nil && (call.Bytes*blocks(c) != len(call.In) || call.Back*blocks(c) != len(call.Out)) {
			err = badCount(c, coll.Alltoall, "send has %d elements, recv %d, for %d ranks of the other group", len(send), len(recv), blocks(c))
		}
		return err
	}
	if err == nil && (call.Bytes*c.Size() != len(call.Out) || send != nil && len(send) != len(recv)) {
		err = badCount(c, coll.Alltoall, "send has %d elements, recv %d, for %d ranks", len(send), len(recv), c.Size())
	}
	return err
}

// Alltoall sends block r of send to rank r and receives block r of recv from rank r, for all ranks
// r. send and recv are Size blocks of the same length.
func Alltoall[T any](c *Comm, send, recv []T) error {
	var call comm.Call
	return run(c, &call, alltoall(&call, c, send, recv))
}

// Ialltoall starts an [Alltoall].
func Ialltoall[T any](c *Comm, send, recv []T) Request {
	var call comm.Call
	return start(c, &call, alltoall(&call, c, send, recv))
}

func alltoallv[T any](call *comm.Call, c *Comm, send []T, sendCounts, sendDispls []int, recv []T, recvCounts, recvDispls []int) error {
	err := describe[T](call, c, coll.Alltoallv)
	if err != nil {
		return err
	}
	call.In, call.Out, call.InPlace = view(send), view(recv), send == nil
	call.RecvCounts, call.RecvDispls = recvCounts, recvDispls
	if err = checkLayout(c, coll.Alltoallv, recvCounts, recvDispls, len(recv)); err != nil || call.InPlace && c.c.Remote() == nil {
		return err
	}
	call.SendCounts, call.SendDispls = sendCounts, sendDispls
	return checkLayout(c, coll.Alltoallv, sendCounts, sendDispls, len(send))
}

// Alltoallv is [Alltoall] with blocks of different lengths: sendCounts[r] elements of send from
// sendDispls[r] on go to rank r, and recvCounts[r] elements of rank r come to recv from
// recvDispls[r] on. nil displacements mean one block after the other. Ranks that do not know how
// much comes exchange their sendCounts by an Alltoall first.
func Alltoallv[T any](c *Comm, send []T, sendCounts, sendDispls []int, recv []T, recvCounts, recvDispls []int) error {
	var call comm.Call
	return run(c, &call, alltoallv(&call, c, send, sendCounts, sendDispls, recv, recvCounts, recvDispls))
}

// Ialltoallv starts an [Alltoallv].
func Ialltoallv[T any](c *Comm, send []T, sendCounts, sendDispls []int, recv []T, recvCounts, recvDispls []int) Request {
	var call comm.Call
	return start(c, &call, alltoallv(&call, c, send, sendCounts, sendDispls, recv, recvCounts, recvDispls))
}
