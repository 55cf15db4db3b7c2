package mpi

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/datatype"
)

// shaped is a communicator and the elements for one message.
func shaped[T any](c *Comm, op string, buf []T, at Layout, peer, tag int) (*comm.Comm, datatype.Shape, error) {
	if !movable[T]() {
		return nil, datatype.Shape{}, badType[T](c, op, peer, tag)
	}
	s, err := shapeOf(buf, at)
	if err != nil {
		return nil, s, badLayout(c, op, peer, tag, err)
	}
	if !c.c.Labels() {
		return c.c, s, nil
	}
	return c.c.Labelled(labelOf[T](s)), s, nil
}

// labelOf is the kind of the elements, if they have the same, for ranks that compare types.
func labelOf[T any](s datatype.Shape) reflect.Kind {
	kind, uniform := s.Layout().Kinds().Uniform()
	switch k := reflect.TypeFor[T]().Kind(); {
	case datatype.KindOf(k) != datatype.Invalid:
		return k
	case !uniform || kind == datatype.Invalid:
		return reflect.Struct
	}
	return kind.Reflect()
}

// SendLayout is [Send] of the elements of buf that the layout names.
func SendLayout[T any](c *Comm, buf []T, at Layout, dst, tag int) error {
	to, s, err := shaped(c, "send", buf, at, dst, tag)
	if err != nil {
		return err
	}
	return to.SendShape(s, dst, tag, comm.Standard)
}

// IsendLayout starts a [SendLayout]. Until the request has been waited for, the elements may be read and must not be
// changed.
func IsendLayout[T any](c *Comm, buf []T, at Layout, dst, tag int) Request {
	to, s, err := shaped(c, "isend", buf, at, dst, tag)
	if err != nil {
		return Request{comm.Failed(err)}
	}
	return Request{to.IsendShape(s, dst, tag, comm.Standard)}
}

// RecvLayout is [Recv] into the elements of buf that the layout names, all of them different. The others stay as they
// are.
func RecvLayout[T any](c *Comm, buf []T, at Layout, src, tag int) (Status, error) {
	of, s, err := shaped(c, "recv", buf, at, src, tag)
	if err != nil {
		return Status{}, err
	}
	st, err := of.RecvShape(s, src, tag)
	return Status(st), err
}

// IrecvLayout starts a [RecvLayout]. Until the request has been waited for, the elements must not be touched.
func IrecvLayout[T any](c *Comm, buf []T, at Layout, src, tag int) Request {
	of, s, err := shaped(c, "irecv", buf, at, src, tag)
	if err != nil {
		return Request{comm.Failed(err)}
	}
	return Request{of.IrecvShape(s, src, tag)}
}

// SendrecvLayout is [Sendrecv] of elements that layouts name. out and in may be the same slice if the elements that are
// sent are others than those that are received.
func SendrecvLayout[T, U any](c *Comm, out []T, outAt Layout, dst, sendTag int, in []U, inAt Layout, src, recvTag int) (Status, error) {
	r := IrecvLayout(c, in, inAt, src, recvTag)
	if err := SendLayout(c, out, outAt, dst, sendTag); err != nil {
		st, _ := cancelled(r)
		return st, err
	}
	return r.Wait()
}

// MrecvLayout is [Mrecv] into the elements of buf that the layout names.
func MrecvLayout[T any](m *Message, buf []T, at Layout) (Status, error) {
	s, err := messageShape(m, buf, at)
	if err != nil {
		return Status{}, err
	}
	st, err := m.m.MrecvShape(s)
	return Status(st), err
}

// ImrecvLayout starts an [MrecvLayout].
func ImrecvLayout[T any](m *Message, buf []T, at Layout) Request {
	s, err := messageShape(m, buf, at)
	if err != nil {
		return Request{comm.Failed(err)}
	}
	return Request{m.m.ImrecvShape(s)}
}

func messageShape[T any](m *Message, buf []T, at Layout) (s datatype.Shape, err error) {
	if err := receivable[T](m); err != nil {
		return s, err
	}
	if s, err = shapeOf(buf, at); err != nil {
		return s, lifeError("mrecv", inClass(err))
	}
	m.m.Label(labelOf[T](s))
	return s, nil
}

// Pack appends to dst the elements of buf that the layout names, one after the other, as messages hold them.
func Pack[T any](dst []byte, buf []T, at Layout) ([]byte, error) {
	s, err := packable("pack", buf, at)
	if err != nil {
		return dst, err
	}
	first, n := len(dst), s.Len()
	dst = append(dst, make([]byte, n)...)
	s.Pack(dst[first:], 0)
	return dst, nil
}

// Unpack copies what [Pack] has packed from the front of src to the elements of buf that the layout names, and returns
// the rest of src. If src is too short it fails with [ErrTruncate] and changes nothing.
func Unpack[T any](src []byte, buf []T, at Layout) (rest []byte, err error) {
	s, err := packable("unpack", buf, at)
	switch {
	case err != nil:
		return src, err
	case s.Len() > len(src):
		return src, &Error{Op: "unpack", Peer: comm.None, Tag: comm.None, Err: fmt.Errorf("%w: %d bytes are packed, the layout names %d", ErrTruncate, len(src), s.Len())}
	}
	return src[s.Unpack(src, 0):], nil
}

func packable[T any](op string, buf []T, at Layout) (s datatype.Shape, err error) {
	if !movable[T]() {
		return s, &Error{Op: op, Peer: comm.None, Tag: comm.None, Err: ErrType}
	}
	if s, err = shapeOf(buf, at); err != nil {
		err = &Error{Op: op, Peer: comm.None, Tag: comm.None, Err: inClass(err)}
	}
	return s, err
}

// AlltoallLayout is [Alltoallv] of elements anywhere: those of send that sendAt[r] names go to rank r, and what rank r
// sends comes to those of recv that recvAt[r] names. nil stands for no elements here.
func AlltoallLayout[T, U any](c *Comm, send []T, sendAt []Layout, recv []U, recvAt []Layout) error {
	var call comm.Call
	s, err := alltoallLayout(&call, c, send, sendAt, recv, recvAt)
	return runShapes(c, &call, s, err)
}

// IalltoallLayout starts an [AlltoallLayout].
func IalltoallLayout[T, U any](c *Comm, send []T, sendAt []Layout, recv []U, recvAt []Layout) Request {
	var call comm.Call
	s, err := alltoallLayout(&call, c, send, sendAt, recv, recvAt)
	return startShapes(c, &call, s, err)
}

func alltoallLayout[T, U any](call *comm.Call, c *Comm, send []T, sendAt []Layout, recv []U, recvAt []Layout) (*comm.Shapes, error) {
	n := blocks(c)
	if len(sendAt) != n || len(recvAt) != n {
		return nil, badCount(c, coll.Alltoallv, "%d layouts to send and %d to receive for %d ranks", len(sendAt), len(recvAt), n)
	}
	call.Name = "alltoall_layout"
	return eachLayout(call, c, coll.Alltoallv, send, sendAt, recv, recvAt)
}

// NeighborAlltoallLayout is [NeighborAlltoallv] of elements anywhere: those of send that sendAt[i] names
// go to the i-th rank that this one sends to, and what the i-th that it receives from sends comes to
// those of recv that recvAt[i] names, in the order of [Comm.Neighbors]: the halo of a grid in one call.
// nil stands for no elements here, and [ProcNull] has layouts, too, whose elements stay as they are.
func NeighborAlltoallLayout[T, U any](c *Comm, send []T, sendAt []Layout, recv []U, recvAt []Layout) error {
	var call comm.Call
	s, err := neighborLayout(&call, c, send, sendAt, recv, recvAt)
	return runShapes(c, &call, s, err)
}

// IneighborAlltoallLayout starts a [NeighborAlltoallLayout].
func IneighborAlltoallLayout[T, U any](c *Comm, send []T, sendAt []Layout, recv []U, recvAt []Layout) Request {
	var call comm.Call
	s, err := neighborLayout(&call, c, send, sendAt, recv, recvAt)
	return startShapes(c, &call, s, err)
}

func neighborLayout[T, U any](call *comm.Call, c *Comm, send []T, sendAt []Layout, recv []U, recvAt []Layout) (*comm.Shapes, error) {
	in, out := degrees(c)
	if c.c.Topology() != nil && (len(sendAt) != out || len(recvAt) != in) {
		return nil, badCount(c, coll.NeighborAlltoallv, "%d layouts to send to %d neighbours and %d to receive from %d", len(sendAt), out, len(recvAt), in)
	}
	call.Name = "neighbor_alltoall_layout"
	sources, dests := c.Neighbors()
	return eachLayout(call, c, coll.NeighborAlltoallv, send, unlessNobody(sendAt, dests), recv, unlessNobody(recvAt, sources))
}

// unlessNobody is the layouts without those of ProcNull, with whom nothing is exchanged.
func unlessNobody(at []Layout, peers []int) []Layout {
	if !slices.Contains(peers, ProcNull) {
		return at
	}
	at = slices.Clone(at)
	for i, peer := range peers {
		if peer == ProcNull {
			at[i] = nil
		}
	}
	return at
}

// eachLayout describes a call with a layout for each peer.
func eachLayout[T, U any](call *comm.Call, c *Comm, op coll.Op, send []T, sendAt []Layout, recv []U, recvAt []Layout) (s *comm.Shapes, err error) {
	if err := describe[T](call, c, op); err != nil {
		return nil, err
	}
	if !movable[U]() {
		return nil, badType[U](c, op.String(), comm.None, comm.None)
	}
	call.Elem = 1
	s = new(comm.Shapes)
	if s.In, call.SendCounts, err = shapesOf(c, call.Name, send, sendAt); err == nil {
		s.Out, call.RecvCounts, err = shapesOf(c, call.Name, recv, recvAt)
	}
	return s, err
}

// runShapes runs a call that has been described, unless that failed.
func runShapes(c *Comm, call *comm.Call, s *comm.Shapes, err error) error {
	if err != nil {
		return err
	}
	return c.c.RunShapes(call, s)
}

// startShapes starts one.
func startShapes(c *Comm, call *comm.Call, s *comm.Shapes, err error) Request {
	if err != nil {
		return Request{comm.Failed(err)}
	}
	return Request{c.c.StartShapes(call, s)}
}

// shapesOf is the elements for every rank, and how many bytes they are when packed.
func shapesOf[T any](c *Comm, op string, buf []T, at []Layout) ([]datatype.Shape, []int, error) {
	shapes, counts := make([]datatype.Shape, len(at)), make([]int, len(at))
	for r, l := range at {
		if l == nil {
			continue
		}
		s, err := shapeOf(buf, l)
		if err != nil {
			return nil, nil, badLayout(c, op, r, comm.None, err)
		}
		shapes[r], counts[r] = s, s.Len()
	}
	return shapes, counts, nil
}
