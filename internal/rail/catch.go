package rail

import "github.com/weft-mpi/weft/internal/wire"

// Most frames are short messages that come one by one while somebody waits for them. A device that shows them to the link where they
// have landed, during Poll, spares a receive, its completion, and a copy. The link catches those for which it need not ask
// the device for anything: an eager packet, of one frame, that is the next of its stream.

// catcher is a queue pair whose device shows messages to whoever polls.
type catcher interface {
	// Catch has f see each message that comes while nothing waits in the completion queue. If f answers true, it has used the
	// message, which takes no receive and does not complete. The device is locked meanwhile.
	Catch(f func(message []byte) bool)
}

// catchFrames has the lane catch frames, if its device can and all of the channel's frames are of receives that are shared: those
// that a lane has of its own, and rings, are counted when they complete.
func (ln *lane) catchFrames() {
	l := ln.peer.link
	if c, ok := ln.qp.(catcher); ok && !l.cfg.NoPlace && !ln.class.long() && !l.cfg.Channel.ownRecvs() && !l.cfg.Channel.rings() {
		c.Catch(ln.catch)
	}
}

// catch takes a frame that the device shows, if it is one of those that can be caught. Frames behind one that has to be acknowledged
// at once complete: that ends the call of Poll, and so the peer does not wait for its acknowledgement.
func (ln *lane) catch(frame []byte) bool {
	p := ln.peer
	l := p.link
	if !l.catching || len(frame) < headerSize || frame[1] != 0 || int(le.Uint32(frame[4:])) != p.rank || !p.in.Plain(le.Uint32(frame[8:])) ||
		p.ackable || p.placed.on || p.streaming || len(p.bulk.tails) > 0 {
		return false
	}
	payload, ok := p.eagerIn(kind(frame[0]), frame[headerSize:])
	if !ok {
		return false
	}
	if !l.recent {
		l.now, l.recent = l.clock.Now(), true
	}
	p.out.Acked(le.Uint32(frame[12:]), le.Uint32(frame[16:]), l.now, release)
	p.in.Arrive(le.Uint32(frame[8:]), nil, l.now)
	p.received++
	p.away = 0
	l.Counters.EagerSR++
	l.Counters.Caught++
	l.sink.Arrive(p.rank, &l.arrived, payload)
	l.caught = true
	if due := p.in.Due(); !p.timed || l.nextTick == 0 || due < l.nextTick { // else the next tick sees to it
		p.owe(false)
	}
	return true
}

// eagerIn reads the header of an eager packet that is the body of a frame into Link.arrived. It answers false for all else.
func (p *peer) eagerIn(k kind, body []byte) ([]byte, bool) {
	h := &p.link.arrived
	switch {
	case k == kRepeat && p.lastIn.set:
		*h = wire.Header{Kind: wire.Eager, Ctx: p.lastIn.ctx, Tag: p.lastIn.tag, Len: len(body)}
		return body, true
	case k == kWhole && len(body) > 0 && wire.Kind(body[0]) == wire.Eager:
		payload, err := wire.Parse(body, h)
		if err != nil || len(payload) != h.Payload() {
			return nil, false
		}
		p.lastIn = envelope{h.Ctx, h.Tag, true}
		return payload, true
	}
	return nil, false
}
