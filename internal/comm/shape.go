package comm

import (
	"context"
	"fmt"

	"github.com/weft-mpi/weft/internal/calls"
	"github.com/weft-mpi/weft/internal/datatype"
	"github.com/weft-mpi/weft/internal/progress"
)

// Messages of data that do not lie next to each other are those of one run of bytes in all but how they are copied: a
// receive need not know of what shape the data of the send were. A shape that is one run of bytes travels as such.

// SendShape is Send of a shape.
func (c *Comm) SendShape(s datatype.Shape, dst, tag int, mode Mode) error {
	if b, plain := s.Plain(); plain {
		return c.Send(b, dst, tag, mode)
	}
	op := sendNames[mode]
	if p := c.env.Profile; p != nil {
		defer p.End(p.BeginSend(op, c.message(dst, tag), s.Len()))
	}
	to, ok, err := c.target(op, dst, tag)
	if !ok {
		return err
	}
	if mode == Buffered {
		err = c.bsendShape(s, to)
	} else {
		err = c.env.Loop.SendCargo(c.goctx, c.env.cargo(s), to, engineMode(mode), c.why(op))
	}
	if err != nil {
		return c.fault(op, dst, tag, c.cause(err))
	}
	return nil
}

// bsendShape is bsend of a shape.
func (c *Comm) bsendShape(s datatype.Shape, to progress.Peer) error {
	k := c.env.space(s.Len())
	s.Pack(k.Bytes, 0)
	err := c.bsend(k.Bytes, to) // a second copy, for what cannot leave at once is rare
	k.Free()
	return err
}

// IsendShape is Isend of a shape.
func (c *Comm) IsendShape(s datatype.Shape, dst, tag int, mode Mode) Request {
	if b, plain := s.Plain(); plain {
		return c.Isend(b, dst, tag, mode)
	}
	op := isendNames[mode]
	if p := c.env.Profile; p != nil {
		defer p.End(p.BeginSend(op, c.message(dst, tag), s.Len()))
	}
	to, ok, err := c.target(op, dst, tag)
	if !ok {
		return Failed(err)
	}
	if mode == Buffered {
		if err := c.bsendShape(s, to); err != nil {
			return Failed(c.fault(op, dst, tag, err))
		}
		return Request{over: fine}
	}
	return c.request(c.env.Loop.IsendCargo(c.env.cargo(s), to, engineMode(mode), c.why(op)))
}

// ErrTwice is the error of a receive into a shape that names a byte twice.
var ErrTwice = fmt.Errorf("%w: the layout names an element twice, and nobody could say what it holds afterwards; receive into elements that are apart", ErrBuffer)

// landing refuses to receive into a shape that names a byte twice.
func (c *Comm) landing(op string, s datatype.Shape, src, tag int) error {
	if !s.Overlaps() {
		return nil
	}
	return c.fault(op, src, tag, ErrTwice)
}

// RecvShape is Recv into a shape.
func (c *Comm) RecvShape(s datatype.Shape, src, tag int) (Status, error) {
	if b, plain := s.Plain(); plain {
		return c.Recv(b, src, tag)
	}
	if err := c.landing("recv", s, src, tag); err != nil {
		return nullStatus, err
	}
	if p := c.env.Profile; p != nil {
		defer p.End(p.Begin("recv", calls.Nobody, 0))
	}
	from, ok, err := c.source("recv", src, tag)
	if !ok {
		return nullStatus, err
	}
	st, err := c.env.Loop.RecvCargo(c.goctx, c.env.cargo(s), from, c.why("recv"))
	if err == nil && c.label != 0 {
		err = compareTypes(st, c.label)
	}
	if err != nil {
		return c.status(st), c.fault("recv", src, tag, c.cause(err))
	}
	return c.status(st), nil
}

// IrecvShape is Irecv into a shape.
func (c *Comm) IrecvShape(s datatype.Shape, src, tag int) Request {
	if b, plain := s.Plain(); plain {
		return c.Irecv(b, src, tag)
	}
	if err := c.landing("irecv", s, src, tag); err != nil {
		return Failed(err)
	}
	if p := c.env.Profile; p != nil {
		defer p.End(p.Begin("irecv", calls.Nobody, 0))
	}
	from, ok, err := c.source("irecv", src, tag)
	if !ok {
		return Failed(err)
	}
	return c.request(c.env.Loop.IrecvCargo(c.env.cargo(s), from, c.why("irecv")))
}

// ImrecvShape is Imrecv into a shape.
func (m *Message) ImrecvShape(s datatype.Shape) Request {
	if b, plain := s.Plain(); plain {
		return m.Imrecv(b)
	}
	if err := m.c.landing("imrecv", s, m.st.Source, m.st.Tag); err != nil {
		return Failed(err)
	}
	c, em := m.take()
	switch {
	case em == nil:
		return Request{over: fine}
	case c.goctx != nil:
		c = c.WithContext(context.Background())
	}
	return c.request(c.env.Loop.ImrecvCargo(c.env.cargo(s), em, c.why("mrecv")))
}

// MrecvShape is Mrecv into a shape.
func (m *Message) MrecvShape(s datatype.Shape) (Status, error) {
	if b, plain := s.Plain(); plain {
		return m.Mrecv(b)
	}
	if err := m.c.landing("mrecv", s, m.st.Source, m.st.Tag); err != nil {
		return nullStatus, err
	}
	c, em := m.take()
	if em == nil {
		return nullStatus, nil
	}
	st, err := c.env.Loop.MrecvCargo(c.env.cargo(s), em, c.why("mrecv"))
	if err == nil && c.label != 0 {
		err = compareTypes(st, c.label)
	}
	if err != nil {
		return c.status(st), c.fault("mrecv", m.st.Source, m.st.Tag, c.cause(err))
	}
	return c.status(st), nil
}
