package progress

import (
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/wire"
)

// Picker is a link from which receives may pick short messages themselves, past Poll, the sink and the engine.
type Picker interface {
	// Head tells whether the next message from peer has come, and is short and without a label: its context, its tag,
	// and its payload, which stays where it is until Next.
	Head(peer int) (ctx uint32, tag int32, payload []byte, found wire.Found)
	// Next goes on behind the message that Head has just found.
	Next(peer int)
}

// Most receives take short messages, from a rank that they name, where nothing else is under way. To find out what
// belongs together is simple then. So they do it themselves: one that waits spins for its message (pickHere), and ones
// that are waited for later stand aside meanwhile, in their order, and the engine knows nothing of them. Whoever else
// takes the loop's lock has the engine know first (lock, tryLock), so nobody else has to know.
//
// One in so many takes the other way, so that whatever else peers ask of us is seen to.
type picking struct {
	row    []*Request // receives that stand aside, in the order in which they were started; nil: has ended
	first  int        // those before it have ended
	asides int        // how many have not
	unseen int        // messages that were picked since everything was looked at
}

// How many messages are picked before everything is looked at: by receives that wait, and by those that stand aside,
// which come in windows. And how many stand aside at most.
const (
	mostUnseen = 64
	mostWindow = 2048
	mostAside  = 512
)

// pickable is the link to peer if receives may pick messages there, nil if not.
func (l *Loop) pickable(peer int) *Link {
	if peer < 0 || peer == l.cfg.Self || l.priced || l.took != nil {
		return nil
	}
	if link := l.link(peer); link.Picker != nil {
		return link
	}
	return nil
}

// idle tells whether nothing is under way that a message may be for, or that has to be seen to, but for receives that
// stand aside.
func (l *Loop) idle() bool {
	return l.pending == l.asides && l.driver == nil && l.failed == nil && !l.over && !l.gaveUp &&
		l.backlogged.Load() == 0 && len(l.parked) == 0 && len(l.folds) == 0 && l.eng.Quiet() && !l.eng.AnyOdd()
}

// pickHere spins for a short message where nothing else is under way. It answers false if there is none that can be had
// like that, and how often it has looked; the lock is held all the time.
func (l *Loop) pickHere(b []byte, from Peer) (st engine.Status, spun int, ok bool) {
	link := l.pickable(from.Peer)
	if link == nil || !l.idle() || l.unseen >= mostUnseen {
		return st, 0, false
	}
	for spins := max(l.patience.Spins, 1); spun < spins && l.rivals.Load() == 0; spun++ {
		ctx, tag, payload, found := link.Picker.Head(from.Peer)
		switch {
		case found == wire.Nothing:
			clock.Pause()
			continue
		case found == wire.Other || ctx != from.Ctx || from.Tag >= 0 && tag != from.Tag || len(payload) > len(b):
			return st, spun, false
		}
		copy(b, payload)
		link.Picker.Next(from.Peer)
		l.picked(len(payload), spun)
		l.calls++
		return engine.Status{Peer: from.Peer, Tag: tag, Len: len(payload)}, spun, true
	}
	return st, spun, false
}

// picked counts a message of n bytes for which somebody has looked spun times.
func (l *Loop) picked(n, spun int) {
	l.unseen++
	l.eng.Counters.ArrivedBytes += uint64(n)
	l.eng.Counters.Expected++
	l.eng.Counters.Picked++
	if spun > 0 {
		l.patience.Answered()
	}
}

// standAside starts a receive that stands aside, if it may: of a short message, for the background has to know of long
// ones. The lock is held.
func (l *Loop) standAside(b []byte, from Peer, why Why) (h Handle, ok bool) {
	link := l.pickable(from.Peer)
	if link == nil || !l.idle() || l.gate != nil || l.unseen >= mostWindow || len(l.row) >= mostAside ||
		len(b) > link.EagerMax(from.Peer) {
		return h, false
	}
	r := l.get()
	r.Envelope, r.Buf, r.why = from.envelope(), b, why
	r.Req.Begin()
	r.flags |= counted | aside
	l.pending++
	l.asides++
	l.row = append(l.row, r)
	l.engage()
	return Handle{r, r.Gen}, true
}

// postAside has the engine know of receives that stand aside. The lock is held.
func (l *Loop) postAside() {
	all := l.row[l.first:]
	l.row, l.first, l.asides = l.row[:0], 0, 0
	for _, r := range all {
		if r == nil {
			continue
		}
		r.flags &^= aside
		l.postRecv(r)
	}
	l.carry()
}

// awaitAside waits for receives, all of which stand aside or have ended, as long as that is worth it. It tells whether
// all have ended.
func (l *Loop) awaitAside(hs []Handle) bool {
	spun, spins := 0, max(l.patience.Spins, 1)
	for _, h := range hs {
		r := h.R
		if r == nil || r.Gen != h.Gen {
			continue // whoever collects them sees to that
		}
		for !r.isDone() {
			if r.flags&aside == 0 {
				return false
			}
			switch l.pickAside(int(r.Peer), spun) {
			case wire.Short:
				spun = 0
			case wire.Other:
				return false
			default:
				if spun++; spun >= spins || l.rivals.Load() > 0 {
					return false
				}
				clock.Pause()
			}
		}
	}
	return true
}

// pickAside takes the next message from a peer to the first receive it is for, of those that stand aside. Other means
// that the engine has to find out what it is.
func (l *Loop) pickAside(peer, spun int) wire.Found {
	link := l.link(peer).Picker
	ctx, tag, payload, found := link.Head(peer)
	if found != wire.Short {
		return found
	}
	for i := l.first; i < len(l.row); i++ {
		r := l.row[i]
		if r == nil || int(r.Peer) != peer || r.Ctx != ctx || r.Tag >= 0 && r.Tag != tag {
			continue
		}
		if len(payload) > len(r.Buf) {
			return wire.Other
		}
		copy(r.Buf, payload)
		link.Next(peer)
		l.picked(len(payload), spun)
		r.flags &^= aside
		r.Req.End(engine.Status{Peer: peer, Tag: tag, Len: len(payload)})
		l.leftAside(i)
		l.complete(r)
		return wire.Short
	}
	return wire.Other
}

// leftAside takes the i-th of those that stand aside, which has ended, out of their row.
func (l *Loop) leftAside(i int) {
	l.asides--
	l.row[i] = nil
	for l.first < len(l.row) && l.row[l.first] == nil {
		l.first++
	}
	if l.first == len(l.row) {
		l.row, l.first = l.row[:0], 0
	}
}
