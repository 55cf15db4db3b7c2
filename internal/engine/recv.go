package engine

import (
	"slices"

	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// PostRecv starts a receive into r.Buf of the earliest message that r's pattern takes.
func (e *Engine) PostRecv(r *Req) {
	r.Value = r
	if r.Rendezvous == wire.Announced {
		e.recvAnnounced(r)
		return
	}
	if en := e.unexpected.Take(r.Envelope); en != nil {
		e.receive(r, en.Value)
		return
	}
	if e.lost != nil {
		if err := e.sourceError(r); err != nil {
			e.finish(r, err)
			return
		}
	}
	r.state = queued
	if len(r.Buf) > r.EagerMax && (r.Rendezvous == wire.Speculate || e.spec != nil) {
		e.announce(r)
	}
	e.posted.Add(&r.Entry)
}

// RecvClaimed starts a receive of a message that Claim took out of the queue.
func (e *Engine) RecvClaimed(r *Req, m *Message) { e.receive(r, m) }

// Claim takes the earliest message that the pattern fits out of the queue, so that only RecvClaimed can
// receive it; nil if there is none. Its sender may have to be told: carry out the actions.
func (e *Engine) Claim(pattern match.Envelope) *Message {
	en := e.unexpected.Take(pattern)
	if en == nil {
		return nil
	}
	m := en.Value
	if m.header.Kind == wire.RTS && m.header.Flags&wire.Speculative != 0 {
		e.sayMet(int(en.Peer), m.header.Send, 0)
		m.acked = true
	}
	return m
}

// Peek tells about the earliest message that the pattern fits and leaves it.
func (e *Engine) Peek(pattern match.Envelope) (Status, bool) {
	if en := e.unexpected.Peek(pattern); en != nil {
		return en.Value.Status(), true
	}
	return Status{}, false
}

// Expects tells whether a receive has been posted that takes a message with envelope m.
func (e *Engine) Expects(m match.Envelope) bool { return e.posted.Peek(m) != nil }

// Quiet tells whether nothing waits for a message, and no message for a receive.
func (e *Engine) Quiet() bool {
	return e.posted.Len() == 0 && e.unexpected.Len() == 0 && len(e.probes) == 0
}

// PostProbe makes r complete as soon as a message that its pattern fits is in the queue. The message
// stays there.
func (e *Engine) PostProbe(r *Req) {
	r.Value = r
	if st, ok := e.Peek(r.Envelope); ok {
		r.Status = st
		e.finish(r, nil)
		return
	}
	if e.lost != nil {
		if err := e.sourceError(r); err != nil {
			e.finish(r, err)
			return
		}
	}
	r.state = queued
	e.probes = append(e.probes, r)
}

// receive joins receive r with message m, which is out of the queue.
func (e *Engine) receive(r *Req, m *Message) {
	r.Status = m.Status()
	r.answer = 0
	switch {
	case m.header.Kind == wire.RTS:
		place := e.place
		e.place = InIrecv
		e.rendezvous(r, int(m.entry.Peer), &m.header)
		e.place = place
		if m.header.Flags&wire.Speculative != 0 && !m.acked {
			e.owe(r, m.entry.Envelope, 0)
		}
		e.joinPrefix(r, m)
	case m.whole:
		e.ackIfSync(int(m.entry.Peer), &m.header)
		r.take(0, m.buf)
		e.settle(r)
		e.recycle(m)
	case e.PeerError(int(m.entry.Peer)) != nil: // its pieces will not come any more: a claimed message
		e.finish(r, e.PeerError(int(m.entry.Peer)))
		e.recycle(m)
	default: // its pieces are still arriving; End comes back to us
		e.ackIfSync(int(m.entry.Peer), &m.header)
		r.state = filling
		r.pkt.Peer = int(m.entry.Peer)
		e.nameID(r) // for Lost
		e.join(r, m)
	}
}

// join has receive r wait for the pieces of message m that are still to come.
func (e *Engine) join(r *Req, m *Message) {
	m.req = r
	e.joined = append(e.joined, m)
}

// part ends that, whatever came of it.
func (e *Engine) part(m *Message) {
	i := slices.Index(e.joined, m)
	e.joined = slices.Delete(e.joined, i, i+1)
	e.recycle(m)
}

// settle completes a receive whose bytes are in place, as truncated if they did not fit.
func (e *Engine) settle(r *Req) {
	var err error
	if n, room := r.Status.Len, len(r.Buf); n > room {
		r.Status.Len = room
		err = &Truncated{Len: n, Room: room}
	}
	e.finish(r, err)
}

// EachHere tells of every message of a context that waits for its receive, and of every announced
// receive that waits for its message, in no order.
func (e *Engine) EachHere(ctx uint32, tell func(match.Envelope)) {
	e.unexpected.EachIn(ctx, func(en *match.Entry[*Message]) { tell(en.Envelope) })
	for env := range e.announced.kept {
		if env.Ctx == ctx {
			tell(env)
		}
	}
}
