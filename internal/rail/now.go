package rail

import (
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// leaveNow sends a frame of the stream that is neither to wait for others nor has others before it. It
// answers false if it has to go the usual way.
func (p *peer) leaveNow(b *buffer) bool {
	if b.via != nil || b.user != nil || len(p.link.batch)+len(p.unsent) > 0 || p.ring.out.slots > 0 || !p.hand(b, nil) {
		return false
	}
	p.heed()
	p.noteShort()
	return true
}

// hand posts a frame inline to the express lane, or as a datagram: the device has all of it when that
// returns. It answers false if that cannot be. Late are the frame's last bytes, if they are not in the
// buffer yet; they leave from where they are, and are in the buffer afterwards, whatever it answers.
func (p *peer) hand(b *buffer, late []byte) bool {
	l := p.link
	p.stamp(b.mem)
	first := b.n - len(late)
	taken := b.n <= l.inline && p.postInline(b.mem[:first], late)
	copy(b.mem[first:b.n], late)
	l.spend(clock.Copy, len(late))
	return taken
}

// postInline posts a Send of two pieces inline.
func (p *peer) postInline(first, second []byte) bool {
	l := p.link
	l.sges[0].Buf, l.sges[1].Buf = first, second
	wrs := l.wrs[:1]
	wrs[0] = verbs.SendWR{ID: idSend, Op: verbs.Send, Flags: verbs.Inline, SGL: l.sges[:2]}
	qp := l.dgramQP
	switch {
	case p.express != nil:
		qp = p.express.qp
		p.express.mark(&wrs[0], 1)
	case p.ah == nil || l.cfg.Channel == RD: // whose completions tell of peers that are gone
		return false
	default:
		wrs[0].AH, wrs[0].DestQP = p.ah, p.dgramQ
		if l.unmarked++; l.unmarked >= markEvery {
			l.unmarked, wrs[0].Flags = 0, verbs.Inline|verbs.Signaled
		}
	}
	n, _ := qp.PostSend(wrs)
	return n == 1
}

// answer sends a packet by the shortest way there is: an eager one, with the envelope of the one before,
// that answers what has come since that, so that it is part of no burst, while nothing stands before it. It
// makes the same frame as sendWhole. If it answers false it has done nothing.
func (p *peer) answer(pk *wire.Packet) bool {
	l := p.link
	if p.answered == p.received || !p.open() || pk.Kind != wire.Eager || pk.Label != 0 || p.lastOut != (envelope{pk.Ctx, pk.Tag, true}) ||
		pk.Sent > 0 || pk.Rail != 0 || p.via != nil || len(pk.Data) >= l.lendMin && !p.lendsItself(len(pk.Data)) || p.loan.entry != nil ||
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

// load makes data the payload of an answer, and returns it if it is to be copied later, which all are
// unless buffers are not to be used again at all: then who copies is asked for, and copies at first.
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

// lendsItself tells that an answer of n bytes leaves from where the user has it anyway, with a late copy,
// so that there is no reason to register and to lend it.
func (p *peer) lendsItself(n int) bool {
	return p.express != nil && headerSize+n <= p.link.inline && !p.link.cfg.NoReconnect
}
