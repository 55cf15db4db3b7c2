// Package meter makes the MPI calls of an application and counts them, so that a test can hold what it sends
// against what the original sends.
package meter

import (
	"maps"
	"unsafe"

	"github.com/weft-mpi/weft/mpi"
)

// All is the peer of a collective call.
const All = -1

// Call is a kind of call. Bytes is the length of the message that goes out; of a collective call what the rank
// brings, of an all-to-all what it brings for one rank in the mean. Receives are not counted: each is a send of
// another rank.
type Call struct {
	Name  string
	Peer  int
	Bytes int
}

// Comm is a communicator whose calls are counted. It belongs to one goroutine.
type Comm struct {
	World *mpi.Comm
	calls map[Call]int
	spent map[string]float64 // nil: nobody wants to know
	uses  map[Buffer]int     // the same
	// Enter, if set, is told of every call when it begins: its kind, and its bytes as in Call, 0 where Call has none.
	Enter func(name string, bytes int)
	bytes int // of the call that was noted last
}

// Buffer is where a message was sent from.
type Buffer struct {
	At    uintptr
	Bytes int
}

// New counts the calls on c from now on.
func New(c *mpi.Comm) *Comm { return &Comm{World: c, calls: map[Call]int{}} }

// Rank is the number of this rank.
func (c *Comm) Rank() int { return c.World.Rank() }

// Size is the number of ranks.
func (c *Comm) Size() int { return c.World.Size() }

// Calls is how often each kind of call was made so far.
func (c *Comm) Calls() map[Call]int { return maps.Clone(c.calls) }

// Forget sets all counts to zero.
func (c *Comm) Forget() { clear(c.calls) }

// NoteBuffers begins to count how often messages are sent from which buffers.
func (c *Comm) NoteBuffers() { c.uses = map[Buffer]int{} }

// Buffers is how often messages were sent from each buffer since NoteBuffers.
func (c *Comm) Buffers() map[Buffer]int { return maps.Clone(c.uses) }

// TakeTime begins to add up how long calls take, from zero, or ends it.
func (c *Comm) TakeTime(on bool) {
	if c.spent = nil; on {
		c.spent = map[string]float64{}
	}
}

// Spent is how long calls of each kind took since TakeTime, in seconds: those that wait for what others started are
// of the kind wait.
func (c *Comm) Spent() map[string]float64 { return maps.Clone(c.spent) }

// in notes that a call begins. What it returns is to be called at its end.
func (c *Comm) in(name string) func() {
	if c.Enter != nil {
		c.Enter(name, c.bytes)
	}
	c.bytes = 0
	if c.spent == nil {
		return func() {}
	}
	from := c.World.Wtime()
	return func() { c.spent[name] += c.World.Wtime() - from }
}

func note[T any](c *Comm, name string, peer, elements int) {
	c.bytes = elements * int(unsafe.Sizeof(*new(T)))
	c.calls[Call{name, peer, c.bytes}]++
}

func noteSend[T any](c *Comm, buf []T, dst int) {
	note[T](c, "send", dst, len(buf))
	if c.uses != nil {
		c.uses[Buffer{uintptr(unsafe.Pointer(unsafe.SliceData(buf))), len(buf) * int(unsafe.Sizeof(*new(T)))}]++
	}
}

// Send is mpi.Send.
func Send[T any](c *Comm, buf []T, dst, tag int) error {
	noteSend(c, buf, dst)
	defer c.in("send")()
	return mpi.Send(c.World, buf, dst, tag)
}

// Isend is mpi.Isend.
func Isend[T any](c *Comm, buf []T, dst, tag int) mpi.Request {
	noteSend(c, buf, dst)
	defer c.in("send")()
	return mpi.Isend(c.World, buf, dst, tag)
}

// Recv is mpi.Recv of a message of exactly that length.
func Recv[T any](c *Comm, buf []T, src, tag int) error {
	defer c.in("recv")()
	_, err := mpi.Recv(c.World, buf, src, tag)
	return err
}

// Irecv is mpi.Irecv.
func Irecv[T any](c *Comm, buf []T, src, tag int) mpi.Request {
	defer c.in("irecv")()
	return mpi.Irecv(c.World, buf, src, tag)
}

// Wait is mpi.Request.Wait.
func Wait(c *Comm, r mpi.Request) error {
	defer c.in("wait")()
	_, err := r.Wait()
	return err
}

// Waitall is mpi.Waitall.
func Waitall(c *Comm, reqs []mpi.Request) error {
	defer c.in("wait")()
	return mpi.Waitall(reqs)
}

// Exchange sends out to a peer, which may be the rank itself, and receives in from it.
func Exchange[T any](c *Comm, out, in []T, peer, tag int) error {
	r := Irecv(c, in, peer, tag)
	if err := Send(c, out, peer, tag); err != nil {
		return err
	}
	return Wait(c, r)
}

// Bcast is mpi.Bcast from rank 0.
func Bcast[T any](c *Comm, buf []T) error {
	note[T](c, "bcast", All, len(buf))
	defer c.in("bcast")()
	return mpi.Bcast(c.World, buf, 0)
}

// Reduce is mpi.Reduce to rank 0.
func Reduce[T any](c *Comm, send, recv []T, op mpi.Op) error {
	note[T](c, "reduce", All, len(send))
	defer c.in("reduce")()
	return mpi.Reduce(c.World, send, recv, op, 0)
}

// Allreduce is mpi.Allreduce.
func Allreduce[T any](c *Comm, send, recv []T, op mpi.Op) error {
	note[T](c, "allreduce", All, len(send))
	defer c.in("allreduce")()
	return mpi.Allreduce(c.World, send, recv, op)
}

// Allgather is mpi.Allgather.
func Allgather[T any](c *Comm, send, recv []T) error {
	note[T](c, "allgather", All, len(send))
	defer c.in("allgather")()
	return mpi.Allgather(c.World, send, recv)
}

// Alltoall is mpi.Alltoall.
func Alltoall[T any](c *Comm, send, recv []T) error {
	note[T](c, "alltoall", All, len(send)/c.Size())
	defer c.in("alltoall")()
	return mpi.Alltoall(c.World, send, recv)
}

// Alltoallv is mpi.Alltoallv of blocks that lie one after the other.
func Alltoallv[T any](c *Comm, send []T, sendCounts []int, recv []T, recvCounts []int) error {
	total := 0
	for _, n := range sendCounts {
		total += n
	}
	note[T](c, "alltoallv", All, total/c.Size())
	defer c.in("alltoallv")()
	return mpi.Alltoallv(c.World, send, sendCounts, nil, recv, recvCounts, nil)
}
