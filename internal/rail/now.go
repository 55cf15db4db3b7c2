package rail

import (
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// hasty is a queue pair that can send a short frame at once, without a work request.
type hasty interface {
	// SendNow sends b, which is registered with lkey, as an unsignaled Send, or answers false and has done nothing. The last bytes of
	// b are those of late, which is sent from where it is and copied to b afterwards.
	SendNow(b, late []byte, lkey uint32) bool
}

// hastyTo is the same of a queue pair of datagrams.
type hastyTo interface {
	// SendNow sends b, which is registered, as an unsignaled Send to queue pair num, or answers false and has done nothing.
	SendNow(at verbs.AH, num uint32, b []byte) bool
}

// leaveNow sends a frame of the stream that is neither to wait for others nor has others before it. It answers false if it has to
// go the usual way.
func (p *peer) leaveNow(b *buffer) bool {
	if b.via != nil || b.user != nil || len(p.link.batch)+len(p.unsent) > 0 || p.ring.out.slots > 0 || !p.hand(b, nil) {
		return false
	}
	p.heed()
	p.noteShort()
	return true
}

// hand gives a frame to the express lane, or sends it as a datagram, if that can be done at once. Late are its last bytes, if they
// are not in the buffer yet; they are then, whatever it answers.
func (p *peer) hand(b *buffer, late []byte) bool {
	p.stamp(b.mem)
	if ln := p.express; ln != nil && ln.hasty != nil && ln.hasty.SendNow(b.mem[:b.n], late, b.lkey) {
		return true
	}
	l := p.link
	copy(b.mem[b.n-len(late):b.n], late)
	l.spend(clock.Copy, len(late))
	return p.express == nil && p.ah != nil && l.hastyTo != nil && l.hastyTo.SendNow(p.ah, p.dgramQ, b.mem[:b.n])
}

// answer sends a packet by the shortest way there is: an eager one, with the envelope of the one before, that answers what has come
// since that, so that it is part of no burst, while nothing stands before it. It makes the same frame as sendWhole. If it answers
// false it has done nothing.
func (p *peer) answer(pk *wire.Packet) bool {
	l := p.link
	if p.answered == p.received || !p.open() || pk.Kind != wire.Eager || p.lastOut != (envelope{pk.Ctx, pk.Tag, true}) ||
		pk.Sent > 0 || pk.Rail != 0 || p.via != nil || len(pk.Data) >= l.lendMin && !p.lendsItself() || p.loan.entry != nil ||
		len(l.batch)+len(p.unsent) > 0 || p.ring.out.slots > 0 || headerSize+len(pk.Data) > p.whole || p.out.Full() {
		return false
	}
	b := l.sendBuffer(headerSize + len(pk.Data))
	if b == nil {
		return false
	}
	if p.express == nil {
		l.now = l.clock.Now() // it may have to be sent again
	}
	p.answered = p.received
	l.Counters.HeaderHits++
	late := p.load(b, pk.Data)
	pk.Sent = len(pk.Data)
	p.number(kRepeat, b)
	if p.hand(b, late) {
		p.heed()
	} else {
		p.add(b)
		p.flush()
	}
	p.noteShort()
	return true
}

// load makes data the payload of an answer, and returns it if it is to be copied later, which all are unless buffers are not to be
// used again at all: then who copies is asked for, and copies at first.
func (p *peer) load(b *buffer, data []byte) (late []byte) {
	l := p.link
	if len(data) >= l.lendMin {
		l.Counters.LateAnswers++
	} else {
		l.Counters.Copies += uint64(min(len(data), 1))
	}
	if l.mem.Table == nil {
		p.fill(b, headerSize, data)
		return nil
	}
	p.leaves(len(data))
	b.n = headerSize + len(data)
	return data
}

// lendsItself tells that what is answered leaves from where the user has it anyway, with a late copy, so that there is no reason to
// register and to lend it.
func (p *peer) lendsItself() bool {
	return p.express != nil && p.express.hasty != nil && !p.link.cfg.NoReconnect
}
