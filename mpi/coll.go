package mpi

import (
	"fmt"
	"reflect"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
)

// A collective is written once: a function that describes the call in bytes. The blocking form runs it, the
// non-blocking form starts it.

func run(c *Comm, call *comm.Call, err error) error {
	if err != nil {
		return err
	}
	return c.c.Run(call)
}

func start(c *Comm, call *comm.Call, err error) Request {
	if err != nil {
		return Request{comm.Failed(err)}
	}
	return Request{c.c.Start(call)}
}

// describe begins the description of a collective on elements of type T.
func describe[T any](call *comm.Call, c *Comm, op coll.Op) error {
	t := reflect.TypeFor[T]()
	call.Op, call.Elem, call.Type, call.Kind = op, sizeOf[T](), t, t.Kind()
	if !movable[T]() {
		return badType[T](c, op.String(), comm.None, comm.None)
	}
	return nil
}

// reducing adds the reduction.
func reducing[T any](c *Comm, call *comm.Call, op Op) (err error) {
	call.Combine, err = combineFor[T](op)
	call.Commutative, call.Reduction, call.Fold, call.Foreign = op.commutative, op.name, op.fold, op.foreign()
	if err != nil {
		return &Error{Op: call.Op.String(), Comm: c.c.Name(), Peer: comm.None, Tag: comm.None, Err: err}
	}
	return nil
}

// badCount is the error of buffers that do not fit together.
func badCount(c *Comm, op coll.Op, format string, args ...any) error {
	return &Error{Op: op.String(), Comm: c.c.Name(), Peer: comm.None, Tag: comm.None,
		Err: fmt.Errorf("%w: %s", ErrCount, fmt.Sprintf(format, args...))}
}

// Barrier waits until all ranks have called it.
func Barrier(c *Comm) error { return run(c, &comm.Call{Op: coll.Barrier}, nil) }

// Ibarrier starts a [Barrier].
func Ibarrier(c *Comm) Request { return start(c, &comm.Call{Op: coll.Barrier}, nil) }

func bcast[T any](call *comm.Call, c *Comm, buf []T, root int) error {
	err := describe[T](call, c, coll.Bcast)
	call.Root, call.Out = root, view(buf)
	call.Bytes = len(call.Out)
	return err
}

// Bcast copies the buf of rank root into that of all other ranks. All pass the same length.
func Bcast[T any](c *Comm, buf []T, root int) error {
	var call comm.Call
	return run(c, &call, bcast(&call, c, buf, root))
}

// Ibcast starts a [Bcast].
func Ibcast[T any](c *Comm, buf []T, root int) Request {
	var call comm.Call
	return start(c, &call, bcast(&call, c, buf, root))
}

// vector describes the operations in which every rank has a vector of the same length.
func vector[T any](call *comm.Call, c *Comm, op coll.Op, send, recv []T, o Op) error {
	err := describe[T](call, c, op)
	if err == nil {
		err = reducing[T](c, call, o)
	}
	call.In, call.Out = view(send), view(recv)
	call.Bytes = len(call.Out)
	call.InPlace = send == nil
	if err == nil && send != nil && len(send) != len(recv) {
		err = badCount(c, op, "send has %d elements, recv %d", len(send), len(recv))
	}
	return err
}

func reduce[T any](call *comm.Call, c *Comm, send, recv []T, op Op, root int) error {
	err := describe[T](call, c, coll.Reduce)
	if err == nil {
		err = reducing[T](c, call, op)
	}
	call.Root, call.In = root, view(send)
	call.Bytes = len(call.In)
	if isRoot(c, root) {
		call.Out, call.InPlace = view(recv), send == nil
		call.Bytes = len(call.Out)
		if err == nil && send != nil && c.c.Remote() == nil && len(send) != len(recv) {
			err = badCount(c, coll.Reduce, "send has %d elements, recv %d", len(send), len(recv))
		}
	}
	return err
}

// Reduce combines the send of all ranks, element by element, and puts the result in recv of rank
// root. send has the same length everywhere, and so has recv at the root; other ranks' recv may be
// nil.
func Reduce[T any](c *Comm, send, recv []T, op Op, root int) error {
	var call comm.Call
	return run(c, &call, reduce(&call, c, send, recv, op, root))
}

// Ireduce starts a [Reduce].
func Ireduce[T any](c *Comm, send, recv []T, op Op, root int) Request {
	var call comm.Call
	return start(c, &call, reduce(&call, c, send, recv, op, root))
}

// Allreduce combines the send of all ranks, element by element, and puts the result in everybody's
// recv. send and recv have the same length everywhere.
func Allreduce[T any](c *Comm, send, recv []T, op Op) error {
	var call comm.Call
	return run(c, &call, vector(&call, c, coll.Allreduce, send, recv, op))
}

// Iallreduce starts an [Allreduce].
func Iallreduce[T any](c *Comm, send, recv []T, op Op) Request {
	var call comm.Call
	return start(c, &call, vector(&call, c, coll.Allreduce, send, recv, op))
}

// Scan combines, for every rank, the send of the ranks up to and including itself, element by
// element, and puts the result in its recv. All have the same length.
func Scan[T any](c *Comm, send, recv []T, op Op) error {
	var call comm.Call
	return run(c, &call, vector(&call, c, coll.Scan, send, recv, op))
}

// Iscan starts a [Scan].
func Iscan[T any](c *Comm, send, recv []T, op Op) Request {
	var call comm.Call
	return start(c, &call, vector(&call, c, coll.Scan, send, recv, op))
}

// Exscan is [Scan] without the rank itself: it combines the send of the ranks below it. Rank 0's
// recv stays as it is.
func Exscan[T any](c *Comm, send, recv []T, op Op) error {
	var call comm.Call
	return run(c, &call, vector(&call, c, coll.Exscan, send, recv, op))
}

// Iexscan starts an [Exscan].
func Iexscan[T any](c *Comm, send, recv []T, op Op) Request {
	var call comm.Call
	return start(c, &call, vector(&call, c, coll.Exscan, send, recv, op))
}

func reduceScatter[T any](call *comm.Call, c *Comm, send, recv []T, counts []int, op Op) error {
	err := describe[T](call, c, coll.ReduceScatter)
	if err == nil {
		err = reducing[T](c, call, op)
	}
	call.In, call.Out, call.InPlace = view(send), view(recv), send == nil
	all := len(send)
	if send == nil && c.c.Remote() == nil {
		all = len(recv)
	}
	if err != nil {
		return err
	}
	if counts == nil {
		call.Bytes = all / c.Size() * call.Elem
		if all%c.Size() != 0 || send != nil && len(recv) != all/c.Size() {
			err = badCount(c, coll.ReduceScatter, "send has %d elements for %d ranks, recv %d", all, c.Size(), len(recv))
		}
		return err
	}
	call.RecvCounts = counts
	err = checkBlocks(c, coll.ReduceScatter, "rank", c.Size(), counts, nil, all)
	if err == nil && send != nil && len(recv) != counts[c.Rank()] {
		err = badCount(c, coll.ReduceScatter, "recv has %d elements, counts say %d", len(recv), counts[c.Rank()])
	}
	return err
}

// ReduceScatter combines the send of all ranks, element by element, and gives every rank one block
// of the result. send is one block of len(recv) elements for each rank, in the order of ranks. In
// place, recv holds all blocks, and the result stands at its front.
func ReduceScatter[T any](c *Comm, send, recv []T, op Op) error {
	var call comm.Call
	return run(c, &call, reduceScatter(&call, c, send, recv, nil, op))
}

// IreduceScatter starts a [ReduceScatter].
func IreduceScatter[T any](c *Comm, send, recv []T, op Op) Request {
	var call comm.Call
	return start(c, &call, reduceScatter(&call, c, send, recv, nil, op))
}

// ReduceScatterv is [ReduceScatter] with blocks of different lengths: counts[r] elements for rank
// r. All ranks pass the same counts.
func ReduceScatterv[T any](c *Comm, send, recv []T, counts []int, op Op) error {
	var call comm.Call
	return run(c, &call, reduceScatter(&call, c, send, recv, counts, op))
}

// IreduceScatterv starts a [ReduceScatterv].
func IreduceScatterv[T any](c *Comm, send, recv []T, counts []int, op Op) Request {
	var call comm.Call
	return start(c, &call, reduceScatter(&call, c, send, recv, counts, op))
}
