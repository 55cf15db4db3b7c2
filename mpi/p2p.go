package mpi

import (
	"reflect"

	"github.com/weft-mpi/weft/internal/comm"
)

// Status tells where a message came from, its tag and its length. Of a send only Cancelled means
// something.
type Status struct {
	Source    int  // rank in the communicator; ProcNull for a receive from nobody
	Tag       int  // tag that the sender gave it
	Bytes     int  // length of the received data; [Count] tells it in elements
	Cancelled bool // the request was withdrawn: nothing was sent or received
}

// Count is the number of elements of type T in the message, and whether its length is a whole number of them.
func Count[T any](st Status) (n int, whole bool) {
	size := sizeOf[T]()
	if size == 0 {
		return 0, st.Bytes == 0
	}
	return st.Bytes / size, st.Bytes%size == 0
}

// typed is the communicator for one message of elements of type T: where ranks compare types, one that says so.
func typed[T any](c *Comm) *comm.Comm {
	if !c.c.Labels() {
		return c.c
	}
	return c.c.Labelled(reflect.TypeFor[T]().Kind())
}

// send is all blocking sends.
func send[T any](c *Comm, op string, buf []T, dst, tag int, mode comm.Mode) error {
	if !movable[T]() {
		return badType[T](c, op, dst, tag)
	}
	return typed[T](c).Send(view(buf), dst, tag, mode)
}

// Send sends buf to rank dst with a tag, by which the receiver tells messages apart. It returns
// when buf may be changed again, which need not mean that it has been received. But it may wait for
// the receive: two ranks that both send first, and receive then, can wait for each other for ever.
// Use [Sendrecv] or [Isend] for that.
func Send[T any](c *Comm, buf []T, dst, tag int) error {
	return send(c, "send", buf, dst, tag, comm.Standard)
}

// Ssend sends like [Send] but returns only when a receive has matched the message.
func Ssend[T any](c *Comm, buf []T, dst, tag int) error {
	return send(c, "ssend", buf, dst, tag, comm.Synchronous)
}

// Bsend sends a copy of buf and returns at once, whether or not there is a receive. Copies on their
// way are limited by WEFT_BSEND; one that exceeds the limit fails with [ErrBuffer]. The memory of
// those that have arrived is kept for others, until the garbage is collected twice without need of
// it.
func Bsend[T any](c *Comm, buf []T, dst, tag int) error {
	return send(c, "bsend", buf, dst, tag, comm.Buffered)
}

// Rsend sends like [Send]; the caller promises that the receiver has already called [Recv] or
// [Irecv].
func Rsend[T any](c *Comm, buf []T, dst, tag int) error {
	return send(c, "rsend", buf, dst, tag, comm.Ready)
}

// Recv waits for a message from rank src (or [AnySource]) with the tag (or [AnyTag]) and receives
// it into buf, which may be longer than the message: the status tells who sent it, with which tag,
// and how long it is. If the message is longer than buf, Recv fills buf and fails with
// [ErrTruncate]. Of messages from one rank that it would take, it takes the one that was sent first.
func Recv[T any](c *Comm, buf []T, src, tag int) (Status, error) {
	if !movable[T]() {
		return Status{}, badType[T](c, "recv", src, tag)
	}
	st, err := typed[T](c).Recv(view(buf), src, tag)
	return Status(st), err
}

// Sendrecv sends out to rank dst and receives a message from rank src into in at the same time, so
// that ranks can exchange messages without waiting for each other. out and in must not overlap. If
// the send fails, the receive is cancelled; the status tells whether a message was received
// nevertheless.
func Sendrecv[T, U any](c *Comm, out []T, dst, sendTag int, in []U, src, recvTag int) (Status, error) {
	if movable[T]() && typed[T](c).SendShort(view(out), dst, sendTag) {
		return Recv(c, in, src, recvTag)
	}
	return sendrecv(c, out, dst, sendTag, in, src, recvTag)
}

// sendrecv is [Sendrecv] of a message that may have to wait.
func sendrecv[T, U any](c *Comm, out []T, dst, sendTag int, in []U, src, recvTag int) (Status, error) {
	r := Irecv(c, in, src, recvTag)
	if err := Send(c, out, dst, sendTag); err != nil {
		st, _ := cancelled(r)
		return st, err
	}
	return r.Wait()
}

// cancelled cancels a request and waits for its end.
func cancelled(r Request) (Status, error) {
	if err := r.Cancel(); err != nil {
		return Status{}, err
	}
	return r.Wait()
}

// SendrecvReplace is [Sendrecv] with one buffer: it sends buf to rank dst and receives a message
// from rank src in its place. What does not leave at once is sent as a copy, whose memory is kept
// as that of [Bsend] is.
func SendrecvReplace[T any](c *Comm, buf []T, dst, sendTag, src, recvTag int) (Status, error) {
	if movable[T]() && typed[T](c).SendShort(view(buf), dst, sendTag) {
		return Recv(c, buf, src, recvTag)
	}
	if !movable[T]() {
		return sendrecv(c, buf, dst, sendTag, buf, src, recvTag) // says so
	}
	out := c.c.Env().Copy(view(buf))
	st, err := sendrecv(c, out.Bytes, dst, sendTag, buf, src, recvTag)
	out.Free()
	return st, err
}

// isend is all non-blocking sends.
func isend[T any](c *Comm, op string, buf []T, dst, tag int, mode comm.Mode) Request {
	if !movable[T]() {
		return Request{comm.Failed(badType[T](c, op, dst, tag))}
	}
	return Request{typed[T](c).Isend(view(buf), dst, tag, mode)}
}

// Isend starts a [Send] and returns at once. Until the request has been waited for, buf may be read
// and must not be changed.
func Isend[T any](c *Comm, buf []T, dst, tag int) Request {
	return isend(c, "isend", buf, dst, tag, comm.Standard)
}

// Issend starts an [Ssend]: when its request is over, a receive has matched the message.
func Issend[T any](c *Comm, buf []T, dst, tag int) Request {
	return isend(c, "issend", buf, dst, tag, comm.Synchronous)
}

// Ibsend starts a [Bsend]. Its buffer may be used again at once.
func Ibsend[T any](c *Comm, buf []T, dst, tag int) Request {
	return isend(c, "ibsend", buf, dst, tag, comm.Buffered)
}

// Irsend starts an [Rsend], with the same promise.
func Irsend[T any](c *Comm, buf []T, dst, tag int) Request {
	return isend(c, "irsend", buf, dst, tag, comm.Ready)
}

// Irecv starts a [Recv] and returns at once. Until the request has been waited for, buf must not be
// touched.
func Irecv[T any](c *Comm, buf []T, src, tag int) Request {
	if !movable[T]() {
		return Request{comm.Failed(badType[T](c, "irecv", src, tag))}
	}
	return Request{typed[T](c).Irecv(view(buf), src, tag)}
}

// Probe waits until a message has arrived that a [Recv] with the same arguments would take, and
// tells what it is without receiving it. If several goroutines of a rank receive, one of them may
// take it first: [Mprobe] is safe.
func Probe(c *Comm, src, tag int) (Status, error) {
	st, err := c.c.Probe(src, tag)
	return Status(st), err
}

// Iprobe is [Probe] that does not wait: it tells whether such a message has arrived.
func Iprobe(c *Comm, src, tag int) (Status, bool, error) {
	st, ok, err := c.c.Iprobe(src, tag)
	return Status(st), ok, err
}

// Message is a message that [Mprobe] or [Improbe] has taken out of the queue: only [Mrecv] or
// [Imrecv] can receive it, once.
type Message struct{ m comm.Message }

// Status tells who sent the message, with which tag, and how long it is.
func (m *Message) Status() Status { return Status(m.m.Status()) }

// Mprobe waits for a message like [Probe] and takes it: no other receive can have it any more.
func Mprobe(c *Comm, src, tag int) (*Message, error) { return mprobe(c, src, tag, true) }

// Improbe is [Mprobe] that does not wait: it returns nil if no such message has arrived.
func Improbe(c *Comm, src, tag int) (*Message, error) { return mprobe(c, src, tag, false) }

func mprobe(c *Comm, src, tag int, wait bool) (*Message, error) {
	m, err := c.c.Mprobe(src, tag, wait)
	if m.Taken() {
		return nil, err
	}
	return &Message{m}, nil
}

// Mrecv receives a message that [Mprobe] or [Improbe] took into buf, as [Recv] would. A message
// that has been received already fails with [ErrRequest].
func Mrecv[T any](m *Message, buf []T) (Status, error) {
	if err := receivable[T](m); err != nil {
		return Status{}, err
	}
	st, err := m.m.Mrecv(view(buf))
	return Status(st), err
}

// Imrecv starts an [Mrecv].
func Imrecv[T any](m *Message, buf []T) Request {
	if err := receivable[T](m); err != nil {
		return Request{comm.Failed(err)}
	}
	return Request{m.m.Imrecv(view(buf))}
}

// receivable says what keeps a message from being received as elements of type T.
func receivable[T any](m *Message) error {
	switch {
	case !movable[T]():
		return lifeError("mrecv", ErrType)
	case m.m.Taken():
		return lifeError("mrecv", ErrRequest)
	}
	m.m.Label(reflect.TypeFor[T]().Kind())
	return nil
}
