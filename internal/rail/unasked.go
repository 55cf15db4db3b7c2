package rail

import (
	"github.com/weft-mpi/weft/internal/wire"
)

// A message that follows its RTS unasked is one frame, however long it is: in memory of ours there is its
// head, and the rest leaves from where the user has it, until the peer has acknowledged the frame. The
// device of the receiver asks where it goes when the head is there. If a receive waits for it, it goes
// there; else the device throws it away, and what is delivered is an RTS without payload.

// Unasked tells whether a message of n bytes to the peer may follow its RTS unasked: there is a connection
// that takes it at once, and the peer's device can tell from the first segment that it is longer than a
// receive.
func (l *Link) Unasked(rank, n int) bool {
	l.takeAck()
	p := l.peers.at(rank)
	return n <= l.cfg.Unasked && p != nil && p.express != nil && p.past > 0 && p.past < l.caps.FirstSegment && n > l.caps.FirstSegment &&
		!l.traits.datagrams && len(p.unsent) == 0
}

// sendLong sends an RTS and all of its message as one frame. Those that follow each other closely leave
// together, like short ones: the way to the socket is long after a call that has copied much.
func (p *peer) sendLong(pk *wire.Packet) bool {
	l := p.link
	if l.traits.datagrams { // which it would not fit, should it have to be sent again
		return p.sendAlone(pk)
	}
	b := p.room(headerSize + pk.Size())
	if b == nil {
		return false
	}
	e, err := l.mem.Acquire(pk.Data, 0)
	if err != nil {
		b.pool.put(b)
		return p.sendAlone(pk)
	}
	b.n = len(p.appendHeader(b.mem[:headerSize], pk))
	b.user, b.userKey, b.to, b.entry = pk.Data, e.LKey(), p, e
	pk.Sent = len(pk.Data)
	burst := p.follows(0)
	p.push(kLong, b)
	if !burst || !p.hold(len(pk.Data), holdLong) {
		p.sentShort()
	}
	return true
}

// sendAlone sends an RTS without its message: the receiver asks for it.
func (p *peer) sendAlone(pk *wire.Packet) bool {
	pk.Prefix, pk.Data = 0, nil
	return p.sendWhole(pk)
}

// placeLong tells the device where the message goes that a frame of several segments brings, which begins
// with head. If others, that come another way, have to come first, it does not answer yet: the device tells
// of the message again.
func (ln *lane) placeLong(head []byte) {
	p := ln.peer
	l, h, rts := p.link, &p.link.header, &p.link.arrived
	body, err := h.parse(head)
	rest := body
	if err == nil {
		rest, err = wire.Parse(body, rts)
	}
	if err != nil || h.kind != kLong || rts.Kind != wire.RTS || rts.Prefix != rts.Len {
		ln.qp.Place(0, nil)
		return
	}
	off := len(body) - len(rest)
	a := placed{on: true, lane: ln, kind: kLong, off: off, n: off, head: *rts}
	switch expected := p.in.Expected(); {
	case p.rank != int(h.from) || before(h.seq, expected): // nobody waits for it, or no more
	case h.seq != expected:
		return
	case p.placed.on && p.placed.kind == kLong: // it came over a lane that broke
		a.dst, p.placed.lane = p.placed.dst, ln
	case p.placed.on || p.streaming:
	default:
		if a.dst, a.token = l.sink.Place(p.rank, rts); a.token == nil {
			l.Counters.Thrown++
			break
		}
		p.placed = a
		l.Counters.Placed++
	}
	ln.qp.Place(headerSize+off, a.dst)
}

// deliverThrown delivers the RTS of a message that was thrown away.
func (p *peer) deliverThrown(body []byte) {
	l := p.link
	if _, err := wire.Parse(body, &l.arrived); err != nil || l.arrived.Kind != wire.RTS {
		l.Counters.BadFrames++
		return
	}
	l.arrived.Prefix = 0
	l.sink.Arrive(p.rank, &l.arrived, nil)
}
