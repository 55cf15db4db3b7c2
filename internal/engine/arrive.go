package engine

import (
	"slices"

	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// Engine is the Sink of its links.
var _ wire.Sink = (*Engine)(nil)

// Arrive takes a whole packet.
func (e *Engine) Arrive(peer int, h *wire.Header, payload []byte) {
	if h.Kind == wire.Eager { // most of them
		e.arriveEager(peer, h, payload)
	} else if arrive := arrivals[h.Kind]; arrive != nil {
		arrive(e, peer, h, payload)
	} else {
		e.Counters.BadPackets++
	}
}

// keep puts a message without a receive into the unexpected queue and tells the probes; nil if its
// context is dead.
func (e *Engine) keep(env match.Envelope, h *wire.Header) *Message {
	if e.refuses(env, h) {
		return nil
	}
	e.Counters.Unexpected++
	e.Counters.ArrivedBytes += uint64(h.Len)
	m := e.message()
	m.header = *h
	m.entry.Envelope, m.entry.Value = env, m
	e.unexpected.Add(&m.entry)
	if len(e.probes) > 0 {
		e.endProbes(func(r *Req) bool { r.Status = m.Status(); return r.Fits(env) }, nil)
	}
	return m
}

// endProbes completes some of the probes.
func (e *Engine) endProbes(which func(*Req) bool, err error) {
	e.probes = slices.DeleteFunc(e.probes, func(r *Req) bool {
		if !which(r) {
			return false
		}
		e.finish(r, err)
		return true
	})
}

func (e *Engine) message() *Message {
	m := e.freeMsg
	if m == nil {
		return new(Message)
	}
	e.freeMsg = m.next
	e.kept--
	e.keptBytes -= cap(m.buf)
	m.next = nil
	return m
}

// recycle takes back a message that has been received.
func (e *Engine) recycle(m *Message) {
	e.UnexpectedBytes -= len(m.buf)
	if e.crowd.held != nil {
		e.release()
	}
	if e.kept >= keptMessages {
		return
	}
	buf := m.buf[:0]
	if e.keptBytes+cap(buf) > keptBytes {
		buf = nil
	}
	e.keptBytes += cap(buf)
	*m = Message{buf: buf, next: e.freeMsg}
	e.freeMsg = m
	e.kept++
}

// Begin takes a packet whose payload comes in pieces: straight into the posted buffer if there is one.
func (e *Engine) Begin(peer int, h *wire.Header) (dst []byte, token any) {
	switch h.Kind {
	case wire.Eager, wire.Sync:
		env := match.Envelope{Ctx: h.Ctx, Peer: int32(peer), Tag: h.Tag}
		if en := e.posted.Take(env); en != nil {
			r := en.Value
			if r.state != queued || r.grant != nil {
				e.metEager(r)
			}
			e.ackIfSync(peer, h)
			e.fills(r, peer, h)
			return r.Buf, r.token()
		}
		if m := e.keep(env, h); m != nil {
			return e.makeRoom(m, h.Len), m
		}
		return nil, nil
	case wire.RTS:
		if h.Prefix == 0 {
			break
		}
		switch r, m := e.offers(peer, h); {
		case m != nil:
			return e.makeRoom(m, h.Prefix), m
		case r != nil:
			return r.Buf[:r.first], r.token()
		}
		return nil, nil
	case wire.Data:
		if r := e.awaiting(peer, h); r != nil {
			e.revoke(r)
			r.state = filling
			return r.Buf[r.first:], r.token()
		}
		return nil, nil
	}
	e.Counters.BadPackets++
	return nil, nil
}

// makeRoom gives message m memory for n bytes that are going to arrive.
func (e *Engine) makeRoom(m *Message, n int) []byte {
	if cap(m.buf) < n {
		m.buf = make([]byte, n)
	}
	m.buf = m.buf[:n]
	e.kepts(int(m.entry.Peer), n)
	return m.buf
}

// Place is Begin for an eager packet, or an RTS with a prefix, that need not come in pieces: if a
// receive waits for it, it goes straight there. For all others, and where links speculate, it
// answers no token and has done nothing. Of an RTS the rest of the message is asked for at once:
// carry out the actions.
func (e *Engine) Place(peer int, h *wire.Header) (dst []byte, token any) {
	if h.Kind != wire.Eager && (h.Kind != wire.RTS || h.Prefix == 0 || h.Flags != 0) || e.spec != nil {
		return nil, nil
	}
	en := e.posted.Take(match.Envelope{Ctx: h.Ctx, Peer: int32(peer), Tag: h.Tag})
	if en == nil {
		return nil, nil
	}
	r := en.Value
	if h.Kind == wire.RTS {
		r.answer = wire.Waited
		e.expected(h.Len)
		r.Status = Status{Peer: peer, Tag: h.Tag, Len: h.Len, Label: h.Label}
		e.rendezvous(r, peer, h)
		return r.Buf[:r.first], r.token()
	}
	e.fills(r, peer, h)
	return r.Buf, r.token()
}

// fills notes that a packet is being written to r's buffer.
func (e *Engine) fills(r *Req, peer int, h *wire.Header) {
	e.expected(h.Len)
	r.Status = Status{Peer: peer, Tag: h.Tag, Len: h.Len, Label: h.Label}
	r.state = filling
	r.pkt.Peer = peer
	e.nameID(r) // for Lost
}

// End tells that all pieces are in place.
func (e *Engine) End(token any) {
	switch t := token.(type) {
	case *Req:
		e.filled(t)
	case *laden:
		r := (*Req)(t)
		if !r.direct && r.state != complete {
			r.unpackPieces()
		}
		r.direct = false
		e.filled(r)
	case *Message:
		if t.thrown {
			e.recycle(t)
			return
		}
		t.whole = true
		r := t.req
		if r == nil {
			return
		}
		if r.state != complete { // else the job is over
			r.take(0, t.buf)
		}
		e.filled(r)
		e.part(t)
	}
}

// filled goes on with a receive of which all pieces of a packet are in place.
func (e *Engine) filled(r *Req) {
	if r.awaits {
		e.tookPrefix(r)
	} else if r.state == filling {
		e.settle(r)
	}
}
