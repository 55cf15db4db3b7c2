package comm

import (
	"errors"

	"github.com/weft-mpi/weft/internal/calls"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/progress"
)

// persistent is an operation that can be started again and again.
type persistent struct {
	start func() Request
	now   Request // what was started last, inactive if nothing is in flight
	freed bool
}

// Again returns an inactive request, which Restart starts by calling start.
func Again(start func() Request) Request { return Request{again: &persistent{start: start}} }

// end has the operation not start again.
func (p *persistent) end() { p.freed = true }

var (
	errNotPersistent = errors.New("only requests of calls whose names end in Init can be started")
	errActive        = errors.New("the request is active: wait for it before starting it again")
	errEnded         = errors.New("the request has been freed")
)

// startable tells why a request cannot be started.
func (r *Request) startable() error {
	switch {
	case r.again == nil:
		return errors.Join(ErrRequest, errNotPersistent)
	case r.again.freed:
		return errors.Join(ErrRequest, errEnded)
	case r.again.now.Active():
		return errors.Join(ErrRequest, errActive)
	}
	return nil
}

// Restart starts requests that can be started again and again, in their order: all of them, or none if one
// cannot be. One that is named twice is started once, and then refused.
func Restart(reqs []Request) error {
	for i := range reqs {
		if err := reqs[i].startable(); err != nil {
			return err
		}
	}
	for i := range reqs {
		if err := reqs[i].startable(); err != nil {
			return err
		}
		reqs[i].again.now = reqs[i].again.start()
	}
	return nil
}

// SendInit makes a send that is started again and again, with what is in b by then.
func (c *Comm) SendInit(b []byte, dst, tag int, mode Mode) Request {
	return Again(func() Request { return c.Isend(b, dst, tag, mode) })
}

// RecvInit makes a receive that is started again and again.
func (c *Comm) RecvInit(b []byte, src, tag int) Request {
	return Again(func() Request { return c.Irecv(b, src, tag) })
}

// Init makes a collective that is started again and again. Its plan is chosen now, and kept; counts and
// displacements are copied. All ranks call it in the same order as other collectives, and start it so. An
// error comes with the wait.
func (c *Comm) Init(call *Call) Request {
	own := *call
	l := call.layouts()
	l = l.clone()
	own.SendCounts, own.SendDispls, own.RecvCounts, own.RecvDispls = l.sendCounts, l.sendDispls, l.recvCounts, l.recvDispls
	p, err := c.planOf(&own)
	if err != nil {
		return Again(func() Request { return Failed(err) })
	}
	return Again(func() Request { return c.startKept(&own, p) })
}

// startKept starts a call whose plan is kept.
func (c *Comm) startKept(call *Call, p *plan.Plan) Request {
	if r := c.env.Profile; r != nil {
		defer r.End(r.Begin("i"+call.name(), calls.Nobody, call.Bytes))
	}
	if err := c.usable(call.name()); err != nil {
		return Failed(err)
	}
	var b progress.Bound
	c.bindPlan(&b, call, p)
	return c.startBound(&b, call)
}
