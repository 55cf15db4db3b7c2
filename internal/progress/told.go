package progress

import (
	"slices"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/wire"
)

// Messages in parts are several messages for which one request stands, of Expect's. Nobody waits for those
// alone: who has started them is told when each ends. All of this needs the lock, which Enter takes.

// Failing is told that the job is over. The lock is held.
type Failing interface{ Fail(err error) }

// TellFailing has f told if the job ends from now on.
func (l *Loop) TellFailing(f Failing) { l.failing = append(l.failing, f) }

// ForgetFailing undoes that.
func (l *Loop) ForgetFailing(f Failing) {
	if i := slices.Index(l.failing, f); i >= 0 {
		l.failing = slices.Delete(l.failing, i, i+1)
	}
}

// Over is why the job is; nil if it is not.
func (l *Loop) Over() error { return l.failed }

// SendTold sends b, which the caller keeps alive and unchanged until told is called: with nil if it has left
// at once, else with its request, when that has ended.
func (l *Loop) SendTold(b []byte, to Peer, told func(*Request)) {
	if l.quickly(b, to) {
		told(nil)
		return
	}
	l.tell(l.startSend(b, to, engine.Standard), told)
}

// RecvTold receives into b, and has told called with its request when that has ended; step is the caller's.
// It may be called by one who is told, so it neither polls nor carries out what follows.
func (l *Loop) RecvTold(b []byte, from Peer, step int, told func(*Request)) *Request {
	r := l.get()
	r.Envelope = from.envelope()
	r.Buf, r.Rendezvous, r.step = b, wire.Pull, step
	if l.refuses(r) {
		l.tell(r, told)
		return nil
	}
	r.flags |= detached
	r.then = told
	l.count(r)
	l.eng.PostRecv(&r.Req)
	l.launch()
	l.chargeKept(r)
	return r
}

// tell has told called when r ends, or now if it has.
func (l *Loop) tell(r *Request, told func(*Request)) {
	if r.isDone() {
		told(r)
		l.put(r)
		return
	}
	r.flags |= detached
	r.then = told
	l.leaveLong(len(r.Buf))
	l.count(r)
}

// Step is what the caller of RecvTold has given the request.
func (r *Request) Step() int { return r.step }

// Look polls once for somebody who looks whether something has happened.
func (l *Loop) Look(found func() bool) {
	l.enter()
	defer l.unlock()
	l.calls++
	l.glance(found)
}
