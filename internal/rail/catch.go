package rail

import (
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// Most frames are short messages that come one by one while somebody waits for them. A device that lends
// them where they have landed spares a receive and a copy. Of those, eager packets of one frame that are
// the next of their stream go the shortest way: the link catches them as soon as it looks.

// Catches tells whether the device lends messages, so that short ones may be delivered from within Ready.
func (l *Link) Catches() bool { return l.catches }

// lookAndCatch asks the completion queue, and catches what it finds.
func (l *Link) lookAndCatch() {
	for l.look(); l.catchFound(); {
		l.look()
	}
}

// catchFound catches the frames that a look has found, up to the first that has to go the usual way, and
// tells the device where those go whose beginning has come. It does neither if it is called from within a
// call of the sink, or between Arm and Poll. It answers whether the rest of a frame is yet to come, and is
// worth another look.
func (l *Link) catchFound() (more bool) {
	if l.busy || l.sink == nil || l.armed {
		return false
	}
	for ; l.at < len(l.found); l.at++ {
		c := &l.found[l.at]
		if more = c.Op == verbs.RecvHead && c.Len > 0; more {
			l.place(c)
		} else if c.Op != verbs.Recv || c.Data == nil || !l.catches || !l.catch(c) {
			return false
		}
	}
	return more && !l.caught
}

// catch takes a frame that the device lends, if it is one of those that can be caught.
func (l *Link) catch(c *verbs.Completion) bool {
	if len(c.Data) < headerSize {
		return false
	}
	if c.QP == l.dgramNum && l.dgramQP != nil {
		return l.catchDatagram(c)
	}
	ln := l.lane(c.QP)
	if ln == nil || ln.class.long() || !ln.peer.catch(c.Data) {
		return false
	}
	l.Counters.EagerSR++
	return true
}

// catchDatagram takes a datagram of a peer that is known at the address that it comes from. One that may have earned a
// connection is left to the usual way, which asks for it.
func (l *Link) catchDatagram(c *verbs.Completion) bool {
	p := l.knownAt(c.Src, le.Uint32(c.Data[4:]))
	if p == nil || p.lost != nil || l.traits.climbs && p.mayAsk() || !p.catch(c.Data) {
		return false
	}
	l.Counters.Datagrams++
	return true
}

// catch takes a frame, of headerSize bytes at least, if it can be caught. One behind a frame that has to be
// acknowledged at once goes the usual way.
func (p *peer) catch(frame []byte) bool {
	l := p.link
	if le.Uint64(frame)&plainMask != uint64(p.rank)<<32 || !p.in.Plain(le.Uint32(frame[8:])) || p.ackable || p.streaming ||
		len(p.bulk.tails) > 0 || p.placed.on {
		return false
	}
	payload := frame[headerSize:]
	if kind(frame[0]) == kRepeat && p.lastIn.set { // most of them
		l.arrived = wire.Header{Kind: wire.Eager, Ctx: p.lastIn.ctx, Tag: p.lastIn.tag, Len: len(payload)}
	} else if n := p.eagerIn(kind(frame[0]), payload); n > 0 {
		payload = payload[n:]
	} else {
		return false
	}
	if !l.recent {
		l.now, l.recent = l.clock.Now(), true
	}
	l.takeAck()
	l.unheard, p.news = p, le.Uint64(frame[12:])
	p.in.Arrive(le.Uint32(frame[8:]), nil, l.now)
	p.received++
	p.away = 0
	l.Counters.Caught++
	l.caught = true
	l.sink.Arrive(p.rank, &l.arrived, payload)
	if due := p.in.Due(); !p.timed || l.nextTick == 0 || due < l.nextTick { // else the next tick sees to it
		p.owe(false)
	}
	return true
}

// plainMask are the bits in the first eight bytes of a frame that are the sender's rank in one that is
// caught: its flags are 0.
const plainMask = 0xffffffff_0000ff00

// takeAck takes in what the frame that was caught last says about our own stream. An answer to that frame
// should not have to wait for it, so that is left until the next look at the device, or until somebody has
// to know what is in flight.
func (l *Link) takeAck() {
	if l.unheard != nil { // small enough to be inlined
		l.unheard.takeNews()
	}
}

//go:noinline
func (p *peer) takeNews() {
	p.link.unheard = nil
	p.out.Acked(uint32(p.news), uint32(p.news>>32), p.link.now, release)
}

// eagerIn reads the header of an eager packet that is the body of a frame into Link.arrived, and tells how
// long it is. It answers 0 for all else.
func (p *peer) eagerIn(k kind, body []byte) int {
	h := &p.link.arrived
	if k != kWhole || len(body) == 0 || wire.Kind(body[0]) != wire.Eager {
		return 0
	}
	payload, err := wire.Parse(body, h)
	if err != nil || len(payload) != h.Payload() {
		return 0
	}
	p.lastIn = envelope{h.Ctx, h.Tag, true}
	return len(body) - len(payload)
}
