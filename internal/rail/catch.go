package rail

import (
	"net/netip"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// Most frames are short messages that come one by one while somebody waits for them. A device that shows them to the link where they
// have landed, during Poll, spares a receive, its completion, and a copy. The link catches those for which it need not ask
// the device for anything: an eager packet, of one frame, that is the next of its stream.

// catchFrames has the lane catch frames, if its device can and all of the channel's frames are of receives that are shared: those
// that a lane has of its own, and rings, are counted when they complete.
func (ln *lane) catchFrames() {
	l := ln.peer.link
	if c, ok := ln.qp.(verbs.Catching); ok && !l.cfg.NoPlace && !ln.class.long() && !l.traits.ownRecvs && !l.traits.rings {
		c.Catch(ln)
	}
}

// Catch takes a frame that the device shows, if it is one of those that can be caught.
func (ln *lane) Catch(frame []byte, _ netip.AddrPort) bool {
	if len(frame) < headerSize || !ln.peer.catch(frame) {
		return false
	}
	ln.peer.link.Counters.EagerSR++
	return true
}

// catchDatagrams has datagrams caught, if the device can.
func (l *Link) catchDatagrams() {
	if c, ok := l.dgramQP.(verbs.Catching); ok && !l.cfg.NoPlace && !l.traits.reliable {
		c.Catch(datagrams{l})
	}
}

// Catches tells whether the device shows messages, so that short ones may be delivered from within Ready.
func (l *Link) Catches() bool { return l.steers }

// datagrams is the link as a catcher of these.
type datagrams struct{ *Link }

// Catch takes a datagram of a peer that is known at the address that it comes from. One that may have earned a
// connection is left to the usual way, which asks for it.
func (l datagrams) Catch(frame []byte, from netip.AddrPort) bool {
	if len(frame) < headerSize {
		return false
	}
	p := l.knownAt(from, le.Uint32(frame[4:]))
	if p == nil || p.lost != nil || l.traits.climbs && p.mayAsk() || !p.catch(frame) {
		return false
	}
	l.Counters.Datagrams++
	return true
}

// catch takes a frame, of headerSize bytes at least, if it can be caught. Frames behind one that has to be acknowledged
// at once complete: that ends the call of Poll, and so the peer does not wait for its acknowledgement. So do all while receives are to
// be taken back, which only those that complete do.
func (p *peer) catch(frame []byte) bool {
	l := p.link
	if le.Uint64(frame)&plainMask != uint64(p.rank)<<32 || !p.catches(frame) || p.placed.on {
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
	p.caught(frame)
	l.sink.Arrive(p.rank, &l.arrived, payload)
	p.oweCaught()
	return true
}

// catches tells whether a frame of the peer may be caught, as far as others than itself go.
func (p *peer) catches(frame []byte) bool {
	return p.link.catching && p.in.Plain(le.Uint32(frame[8:])) && !p.ackable && !p.streaming && len(p.bulk.tails) == 0 && p.link.surplus == 0
}

// caught takes note of a frame that is being caught.
func (p *peer) caught(frame []byte) {
	l := p.link
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
}

// oweCaught notes that a frame that was caught is to be acknowledged.
func (p *peer) oweCaught() {
	l := p.link
	if due := p.in.Due(); !p.timed || l.nextTick == 0 || due < l.nextTick { // else the next tick sees to it
		p.owe(false)
	}
}

// CatchPlaced takes a frame whose payload is where it belongs, if it is an eager packet, whole, whose turn has come: so the device can
// ask about the next one at once. One that has to be acknowledged at once ends the call of Poll.
func (ln *lane) CatchPlaced(frame []byte, size int) (caught bool, next verbs.Next) {
	p := ln.peer
	l, a := p.link, &p.placed
	if !a.on || a.lane != ln || a.kind != kWhole && a.kind != kRepeat || a.head.Kind != wire.Eager || len(frame) != headerSize+a.off ||
		size != headerSize+a.n || kind(frame[0]) != a.kind || int(le.Uint32(frame[4:])) != p.rank || !p.catches(frame) {
		return false, verbs.Fetch
	}
	token := a.token
	p.lastIn = envelope{a.head.Ctx, a.head.Tag, true}
	p.placed = placed{}
	l.Counters.EagerSR++
	p.caught(frame)
	l.sink.End(token)
	if frame[1]&fUrge != 0 {
		l.Counters.Urged++
		p.owe(true)
		return true, verbs.Pause
	}
	p.oweCaught()
	return true, verbs.Fetch
}

// plainMask are the bits in the first eight bytes of a frame that are the sender's rank in one that is caught: its flags are 0.
const plainMask = 0xffffffff_0000ff00

// takeAck takes in what the frame that was caught last says about our own stream. An answer to that frame should not have to wait for
// it, so that is left until the next look at the device, or until somebody has to know what is in flight.
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

// eagerIn reads the header of an eager packet that is the body of a frame into Link.arrived, and tells how long it is. It answers 0 for
// all else.
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
