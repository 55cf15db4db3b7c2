package comm

import (
	"context"
	"fmt"
	"reflect"

	"github.com/weft-mpi/weft/internal/calls"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/progress"
)

// Wildcards and the peer that is none.
const (
	AnySource = match.Any
	AnyTag    = match.Any
	ProcNull  = -2
	MaxTag    = 1<<31 - 1
)

// Mode is how a send completes.
type Mode uint8

// The modes of the standard.
const (
	Standard Mode = iota
	Synchronous
	Buffered
	Ready
)

// Status is what a receive or probe found.
type Status struct {
	Source    int // rank, or ProcNull
	Tag       int
	Bytes     int
	Cancelled bool
}

var nullStatus = Status{Source: ProcNull, Tag: AnyTag}

// target turns (rank, tag) of a send into a peer. ok is false when there is nothing to do or an error.
func (c *Comm) target(op string, dst, tag int) (p progress.Peer, ok bool, err error) {
	if uint(tag) > MaxTag || uint(dst) >= uint(len(c.peers.procs)) || c.state.Load() != usable {
		return p, false, c.noTarget(op, dst, tag)
	}
	return progress.Peer{Ctx: c.out, Peer: c.peers.procs[dst], Tag: int32(tag), Label: c.label}, true, nil
}

// message is what goes to a rank, for the profile.
func (c *Comm) message(dst, tag int) calls.Message {
	if uint(dst) >= uint(len(c.peers.procs)) || uint(tag) > MaxTag {
		return calls.Message{Peer: calls.Nobody}
	}
	return calls.Message{Peer: c.peers.procs[dst], Ctx: c.out, Tag: int32(tag)}
}

// Bare is what messages need that go straight to the links: the contexts of those that come and leave, and the
// processes by rank. It is for communicators whose calls nothing else ends or compares; of others ok is false.
func (c *Comm) Bare() (in, out uint32, procs []int, ok bool) {
	if c.goctx != nil || c.label != 0 || c.two != nil || c.state.Load() != usable {
		return 0, 0, nil, false
	}
	return c.in, c.out, c.peers.procs, true
}

// noTarget says why nothing is sent to dst: nil if that is nobody.
func (c *Comm) noTarget(op string, dst, tag int) error {
	switch {
	case c.state.Load() != usable:
		return c.unusable(op)
	case tag == AnyTag:
		return c.fault(op, dst, tag, fmt.Errorf("%w: a send takes 0 to %d, not AnyTag (%d)", ErrTag, MaxTag, AnyTag))
	case uint(tag) > MaxTag:
		return c.fault(op, dst, tag, fmt.Errorf("%w: a send takes 0 to %d", ErrTag, MaxTag))
	case dst == ProcNull:
		return nil
	case dst == AnySource:
		return c.fault(op, dst, tag, fmt.Errorf("%w: a send goes to one rank of 0 to %d, not AnySource (%d)", ErrRank, c.peers.Size()-1, AnySource))
	}
	return c.fault(op, dst, tag, fmt.Errorf("%w: the communicator has ranks 0 to %d", ErrRank, c.peers.Size()-1))
}

// source turns (rank, tag) of a receive or probe into a pattern.
func (c *Comm) source(op string, src, tag int) (p progress.Peer, ok bool, err error) {
	if c.state.Load() != usable {
		return p, false, c.unusable(op)
	}
	if uint(tag) > MaxTag && tag != AnyTag {
		return p, false, c.fault(op, src, tag, fmt.Errorf("%w: a receive takes 0 to %d or AnyTag", ErrTag, MaxTag))
	}
	proc := AnySource
	if uint(src) < uint(len(c.peers.procs)) {
		proc = c.peers.procs[src]
	} else if src == ProcNull {
		return p, false, nil
	} else if src != AnySource {
		return p, false, c.fault(op, src, tag, fmt.Errorf("%w: the communicator has ranks 0 to %d", ErrRank, c.peers.Size()-1))
	}
	return progress.Peer{Ctx: c.in, Peer: proc, Tag: int32(tag)}, true, nil
}

// why names a call, for stall reports.
func (c *Comm) why(op string) progress.Why { return progress.Why{Op: op, Home: c} }

// status turns what the engine found into ranks of this communicator.
func (c *Comm) status(st engine.Status) Status {
	return Status{Source: c.peers.Rank(st.Peer), Tag: int(st.Tag), Bytes: st.Len}
}

var sendNames = [...]string{"send", "ssend", "bsend", "rsend"}

// Send sends b and returns when the mode says so.
func (c *Comm) Send(b []byte, dst, tag int, mode Mode) error {
	op := sendNames[mode]
	if p := c.env.Profile; p != nil {
		defer p.End(p.BeginSend(op, c.message(dst, tag), len(b)))
	}
	to, ok, err := c.target(op, dst, tag)
	if !ok {
		return err
	}
	switch {
	case mode == Standard && c.env.Loop.SendShort(b, to): // most of them
		return nil
	case mode == Buffered:
		err = c.bsend(b, to)
	default:
		err = c.env.Loop.Send(c.goctx, b, to, engineMode(mode), c.why(op))
	}
	if err != nil {
		return c.fault(op, dst, tag, c.cause(err))
	}
	return nil
}

// SendShort is Send in the standard mode for a message that is short and leaves at once. Of all
// others, and of those that Send refuses or that go to nobody, it answers false and has done
// nothing.
func (c *Comm) SendShort(b []byte, dst, tag int) bool {
	if c.env.Profile != nil {
		return false // its time is counted as that of a Send
	}
	to, ok, _ := c.target("send", dst, tag)
	return ok && c.env.Loop.SendShort(b, to)
}

func engineMode(m Mode) engine.Mode {
	if m == Synchronous {
		return engine.Sync
	}
	return engine.Standard
}

// bsend sends b if it is short and leaves at once, else a copy of it.
func (c *Comm) bsend(b []byte, to progress.Peer) error {
	if c.env.Loop.SendShort(b, to) {
		return nil
	}
	n := int64(len(b))
	if c.env.bsend.Add(n) > int64(c.env.BsendMax) {
		c.env.bsend.Add(-n)
		return fmt.Errorf("%w: %d bytes more than WEFT_BSEND=%d allows on their way at a time", ErrBuffer, n, c.env.BsendMax)
	}
	k := c.env.Copy(b)
	return c.env.Loop.IsendDetached(k.Bytes, to, k.sent)
}

// Recv receives into b.
func (c *Comm) Recv(b []byte, src, tag int) (Status, error) {
	if p := c.env.Profile; p != nil {
		defer p.End(p.Begin("recv", calls.Nobody, 0))
	}
	from, ok, err := c.source("recv", src, tag)
	if !ok {
		return nullStatus, err
	}
	st, err := c.env.Loop.Recv(c.goctx, b, from, c.why("recv"))
	if err == nil && c.label != 0 {
		err = compareTypes(st, c.label)
	}
	if err != nil {
		return c.status(st), c.fault("recv", src, tag, c.cause(err))
	}
	return c.status(st), nil
}

var isendNames = [...]string{"isend", "issend", "ibsend", "irsend"}

// Isend starts a send.
func (c *Comm) Isend(b []byte, dst, tag int, mode Mode) Request {
	op := isendNames[mode]
	if p := c.env.Profile; p != nil {
		defer p.End(p.BeginSend(op, c.message(dst, tag), len(b)))
	}
	to, ok, err := c.target(op, dst, tag)
	if !ok {
		return Failed(err)
	}
	if mode == Buffered {
		if err := c.bsend(b, to); err != nil {
			return Failed(c.fault(op, dst, tag, err))
		}
		return Request{over: fine}
	}
	return c.request(c.env.Loop.Isend(b, to, engineMode(mode), c.why(op)))
}

// request makes the request of a handle; the zero handle is a send that is over.
func (c *Comm) request(h progress.Handle) Request {
	if h.R == nil {
		return Request{over: fine}
	}
	return Request{h: h}
}

// Irecv starts a receive.
func (c *Comm) Irecv(b []byte, src, tag int) Request {
	if p := c.env.Profile; p != nil {
		defer p.End(p.Begin("irecv", calls.Nobody, 0))
	}
	from, ok, err := c.source("irecv", src, tag)
	if !ok {
		return Failed(err)
	}
	return c.request(c.env.Loop.Irecv(b, from, c.why("irecv")))
}

// TakeOver is Irecv for a receive that a guest has started. The loop's lock is held.
func (c *Comm) TakeOver(b []byte, src, tag int) Request {
	from, ok, err := c.source("irecv", src, tag)
	if !ok {
		return Failed(err)
	}
	return c.request(c.env.Loop.Adopt(b, from, c.why("irecv")))
}

// Probe waits for a message and leaves it.
func (c *Comm) Probe(src, tag int) (Status, error) {
	if p := c.env.Profile; p != nil {
		defer p.End(p.Begin("probe", calls.Nobody, 0))
	}
	from, ok, err := c.source("probe", src, tag)
	if !ok {
		return nullStatus, err
	}
	st, err := c.env.Loop.Probe(c.goctx, from, c.why("probe"))
	if err != nil {
		return nullStatus, c.fault("probe", src, tag, c.cause(err))
	}
	return c.status(st), nil
}

// Iprobe looks for a message and leaves it.
func (c *Comm) Iprobe(src, tag int) (Status, bool, error) {
	if p := c.env.Profile; p != nil {
		defer p.End(p.Begin("iprobe", calls.Nobody, 0))
	}
	from, ok, err := c.source("iprobe", src, tag)
	if !ok {
		return nullStatus, err == nil, err
	}
	st, found, err := c.env.Loop.Iprobe(from)
	if err != nil {
		return nullStatus, false, c.fault("iprobe", src, tag, err)
	}
	return c.status(st), found, nil
}

// Message is a message that a matched probe has taken: only Mrecv can receive it. The zero Message is none.
type Message struct {
	c  *Comm           // nil once somebody receives it
	m  *engine.Message // nil: from ProcNull
	st Status
}

// Status tells what is in the message.
func (m *Message) Status() Status { return m.st }

// Taken tells that there is no message, or none any more: it cannot be received.
func (m *Message) Taken() bool { return m.c == nil }

// Label says as which kind of elements the message is going to be received, if ranks compare that.
func (m *Message) Label(k reflect.Kind) {
	if m.c != nil && m.c.compares {
		m.c = m.c.Labelled(k)
	}
}

// Mprobe waits for a message and takes it; with wait false it returns the zero Message if there is none.
func (c *Comm) Mprobe(src, tag int, wait bool) (Message, error) {
	op := "improbe"
	if wait {
		op = "mprobe"
	}
	if p := c.env.Profile; p != nil {
		defer p.End(p.Begin(op, calls.Nobody, 0))
	}
	from, ok, err := c.source(op, src, tag)
	if err != nil {
		return Message{}, err
	}
	if !ok {
		return Message{c: c, st: nullStatus}, nil
	}
	var m *engine.Message
	if wait {
		m, err = c.env.Loop.Mprobe(c.goctx, from, c.why(op))
	} else {
		m, err = c.env.Loop.Improbe(from)
	}
	if err != nil {
		return Message{}, c.fault(op, src, tag, c.cause(err))
	}
	if m == nil {
		return Message{}, nil
	}
	return Message{c: c, m: m, st: c.status(m.Status())}, nil
}

// take gives what the message is, once; no engine.Message stands for one from nobody. The context
// of the probe has nothing to do with the receive: the message is here, or comes.
func (m *Message) take() (c *Comm, em *engine.Message) {
	c, em = m.c, m.m
	m.c, m.m = nil, nil
	return c, em
}

// Imrecv starts to receive the message, which nobody has taken.
func (m *Message) Imrecv(b []byte) Request {
	c, em := m.take()
	switch {
	case em == nil:
		return Request{over: fine}
	case c.goctx != nil:
		c = c.WithContext(context.Background())
	}
	return c.request(c.env.Loop.Imrecv(b, em, c.why("mrecv")))
}

// Mrecv receives the message, which nobody has taken.
func (m *Message) Mrecv(b []byte) (Status, error) {
	c, em := m.take()
	if em == nil {
		return nullStatus, nil
	}
	if p := c.env.Profile; p != nil {
		defer p.End(p.Begin("mrecv", calls.Nobody, 0))
	}
	st, err := c.env.Loop.Mrecv(b, em, c.why("mrecv"))
	if err == nil && c.label != 0 {
		err = compareTypes(st, c.label)
	}
	if err != nil {
		return c.status(st), c.fault("mrecv", m.st.Source, m.st.Tag, c.cause(err))
	}
	return c.status(st), nil
}
