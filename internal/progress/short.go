package progress

import (
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// Most messages are short, leave at once, and meet a receive whose caller spins for them. Between the call
// of the kernel that brings such a message and the one that sends the answer, what counts is how much code
// is run through, for the kernel's own has pushed all of it out of the nearest cache. So they have a way of
// their own here: quick on the way out, spinHere on the way in. Both ask whether this is the usual case,
// and leave everything else to the others.

// quickMax is the longest message that a link takes whole or not at all.
const quickMax = 4 << 10

// quick sends a short message if its link has room: the way of most messages. It needs no request. Messages of plans
// (noted false) never meet receives that speculate.
func (l *Loop) quick(b []byte, to Peer, noted bool) bool {
	if len(b) > quickMax || l.backlogged.Load() > 0 || l.failed != nil || l.eng.AnyOdd() {
		return false
	}
	p := &l.packet
	p.Ctx, p.Tag, p.Len, p.Label, p.Peer, p.Data, p.Sent = to.Ctx, to.Tag, len(b), to.Label, to.Peer, b, 0
	link := l.link(p.Peer)
	l.spend(clock.Packet, 1)
	ok := p.Len <= link.EagerMax(p.Peer) && link.Send(p)
	p.Data = nil
	if ok {
		l.eng.Counters.EagerSends++
		l.eng.Counters.SentBytes += uint64(len(b))
		if l.speculates && noted && link.rendezvous(p.Peer) >= wire.Speculate {
			l.eng.NoteEager(match.Envelope{Ctx: p.Ctx, Peer: int32(p.Peer), Tag: p.Tag})
		}
		if l.timed != nil {
			l.sentQuick()
		}
	}
	return ok
}

// SendShort is Send for a message that is short and leaves at once. Of all others it answers false and has
// done nothing; Send takes them, or says why not. So it does in virtual time, where a call has its price,
// for Send to ask once.
func (l *Loop) SendShort(b []byte, to Peer) bool {
	if len(b) > quickMax && to.Peer != l.cfg.Self || l.priced {
		return false
	}
	l.enterLightly()
	ok := l.quicklyWaited(b, to)
	l.unlock()
	return ok
}

// quicklyWaited is quickly where the program waits until b is its own again.
func (l *Loop) quicklyWaited(b []byte, to Peer) bool {
	l.packet.Waited = true
	ok := l.quickly(b, to)
	l.packet.Waited = false
	return ok
}

// quickly is quick for a message of the program's. Where nobody polls behind its back, a program
// that only sends looks now and then whether a peer wants it to stop.
func (l *Loop) quickly(b []byte, to Peer) bool {
	if to.Peer == l.cfg.Self {
		l.postAside()
		return l.toSelf(b, to)
	}
	if !l.quick(b, to, true) {
		return false
	}
	if l.cfg.Mode.lazy() && l.eng.Counters.EagerSends%lookAfter == 0 {
		l.postAside()
		l.poll()
	}
	return true
}

// selfMax is the longest message to ourselves that is kept until it is received.
const selfMax = 16 << 10

// toSelf has a message to ourselves arrive at once, without a link: if it is short, or a receive
// waits for it. It cannot overtake another one, for carry leaves none in the link to ourselves.
func (l *Loop) toSelf(b []byte, to Peer) bool {
	if l.cfg.Loop == nil || l.carrying || l.failed != nil || l.eng.AnyOdd() {
		return false
	}
	if len(b) > selfMax && !l.eng.Expects(to.envelope()) {
		return false
	}
	p := &l.packet
	p.Ctx, p.Tag, p.Len, p.Label = to.Ctx, to.Tag, len(b), to.Label
	l.eng.Counters.EagerSends++
	l.eng.Counters.SentBytes += uint64(len(b))
	l.sink.Arrive(to.Peer, &p.Header, b)
	l.carry()
	return true
}

// lookAfter is how many messages a program sends before it looks.
const lookAfter = 64

// Catcher is a link that may deliver short messages from within Ready, but not between Arm and Poll.
// Whoever has asked it must carry out what comes of that before the lock is free, or a request is looked
// at: it may have ended.
type Catcher interface {
	// Caught tells, after Ready has answered true, that it has delivered something to the sink and that
	// Poll has nothing more to do: it need not be called.
	Caught() bool
}

// spinHere spins for a request that nobody else waits for. It tells whether the request has ended, by a
// message that was caught, and nothing else has happened; if not, how often it has looked in vain. The lock
// is held all the time, so nobody needs to know who waits, nor who drives: whoever wants either ends it.
func (l *Loop) spinHere(r *Request) (spun int, caught bool) {
	if l.catcher == nil || l.driver != nil || l.backlogged.Load() > 0 || len(l.folds) > 0 {
		return 0, false
	}
	spins := l.patience.Spins
	if l.priced {
		spins = taskSpins
	}
	for ; spun < spins && l.rivals.Load() == 0; spun++ {
		if l.peekOften(spun) {
			if !r.Done() || !l.catcher.Caught() || !l.eng.EndedOnly(&r.Req) {
				break
			}
			l.eng.Clear()
			l.complete(r)
			l.calls++
			if spun > 0 {
				l.patience.Answered()
			}
			return spun, true
		}
		clock.Pause()
	}
	return spun, false
}
