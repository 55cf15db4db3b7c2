package progress

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

var errCannotRead = errors.New("progress: the link cannot read from this peer")

// startSend posts a send; the lock is held.
func (l *Loop) startSend(b []byte, to Peer, mode engine.Mode) *Request {
	return l.beginSend(l.get(), b, to, mode)
}

// beginSend is startSend with a fresh request.
func (l *Loop) beginSend(r *Request, b []byte, to Peer, mode engine.Mode) *Request {
	r.Envelope = to.envelope()
	r.Buf, r.Mode, r.Label = b, mode, to.Label
	if l.refuses(r) {
		return r
	}
	link := l.link(to.Peer)
	r.EagerMax, r.Rendezvous = link.EagerMax(to.Peer), link.rendezvous(to.Peer)
	l.askLong(r, link)
	if l.eng.WantsPoll(&r.Req, true) {
		l.initialPoll(engine.InIsend)
	}
	l.postSend(r)
	l.carry()
	switch {
	case l.timed == nil:
	case r.isDone():
		l.sentQuick()
	default:
		l.letGoFor()
	}
	return r
}

// postSend gives a send to the engine, which wants to know when long ones set out.
func (l *Loop) postSend(r *Request) {
	if len(r.Buf) > r.EagerMax {
		l.eng.Tick(l.clock.Now())
	}
	l.eng.PostSend(&r.Req)
}

// askLong asks the link whether a message that is longer than short ones may travel like them, and else
// about its prefix. The receiver need not know beforehand.
func (l *Loop) askLong(r *Request, link *Link) {
	peer, n := int(r.Peer), len(r.Buf)
	if n <= r.EagerMax || r.Rendezvous != wire.Pull || link.Long == nil {
		return
	}
	switch {
	case r.Mode == engine.Standard && n <= link.Long.EagerAlone(peer):
		r.EagerMax = n
		l.eng.Counters.EagerAlone++
	case l.eng.Ready(peer, n) && link.Long.Unasked(peer, n):
		r.Prefix = engine.Whole
	default:
		r.Prefix = link.Long.Prefix(peer)
	}
}

// initialPoll looks at what has arrived before a long message is posted that may meet it.
func (l *Loop) initialPoll(at engine.Place) {
	l.eng.Enter(at)
	l.poll()
	l.eng.Enter(engine.InProgress)
}

// startRecv posts a receive; the lock is held.
func (l *Loop) startRecv(b []byte, from Peer) *Request { return l.beginRecv(l.get(), b, from) }

// beginRecv is startRecv with a fresh request.
func (l *Loop) beginRecv(r *Request, b []byte, from Peer) *Request {
	r.Envelope = from.envelope()
	r.Buf = b
	if l.refuses(r) {
		return r
	}
	l.postRecv(r)
	l.carry()
	return r
}

// postRecv gives a receive to the engine.
func (l *Loop) postRecv(r *Request) {
	l.number(r)
	r.Rendezvous = wire.Pull
	if l.speculates {
		l.askLink(r, int(r.Peer))
	}
	l.eng.PostRecv(&r.Req)
	l.chargeKept(r)
}

// askLink fills in whether a receive may offer its buffer early, and has a long one look at what has arrived.
func (l *Loop) askLink(r *Request, peer int) {
	r.EagerMax = 0
	if peer < 0 {
		return
	}
	link := l.link(peer)
	if link.rendezvous(peer) != wire.Speculate {
		return
	}
	r.EagerMax, r.Rendezvous = link.EagerMax(peer), wire.Speculate
	l.eng.Tick(l.clock.Now())
	if l.eng.WantsPoll(&r.Req, false) {
		l.initialPoll(engine.InIrecv)
	}
}

// refuses completes a request that cannot be posted because the job is over, or its communicator
// was given up.
func (l *Loop) refuses(r *Request) bool {
	switch {
	case l.failed != nil:
		r.Err = l.failed
	case l.eng.Excused(r.Ctx):
		r.Err, r.Cancelled = engine.ErrCancelled, true
	default:
		return false
	}
	return true
}

// Send sends b and returns when the mode says so. It keeps b only until then. Short messages should be
// offered to SendShort first.
func (l *Loop) Send(ctx context.Context, b []byte, to Peer, mode engine.Mode, why Why) error {
	l.enter()
	defer l.unlock()
	if l.priced && mode == engine.Standard && l.quicklyWaited(b, to) {
		return nil
	}
	r := l.get()
	r.Waited()
	l.beginSend(r, b, to, mode)
	if !r.isDone() {
		if err := l.waitHere(ctx, r, why); err != nil {
			return err
		}
	}
	err := r.Err
	l.put(r)
	return err
}

// Recv receives into b and returns when the message is there.
func (l *Loop) Recv(ctx context.Context, b []byte, from Peer, why Why) (engine.Status, error) {
	l.enter()
	defer l.unlock()
	st, spun, ok := l.pickHere(b, from)
	if ok {
		return st, nil
	}
	r := l.startRecv(b, from)
	if spun == 0 || r.isDone() {
		return l.result(ctx, r, why)
	}
	return l.collected(r, l.waitLong(ctx, r, why, spun))
}

// result waits for a receive or probe that has just been posted, and recycles it; the lock is held.
func (l *Loop) result(ctx context.Context, r *Request, why Why) (engine.Status, error) {
	if r.isDone() {
		return l.collected(r, nil)
	}
	return l.collected(r, l.waitHere(ctx, r, why))
}

// collected recycles a receive or probe that has been waited for, unless the wait was given up.
func (l *Loop) collected(r *Request, gaveUp error) (engine.Status, error) {
	if gaveUp != nil {
		return engine.Status{}, gaveUp
	}
	st, err := r.Status, r.Err
	l.put(r)
	return st, err
}

// waitHere waits for r with the lock held. An error is the cause of the context: it has ended the
// wait, r was taken back, and nothing uses its memory any more. What could not be taken back has
// ended, and counts though the context has ended too.
func (l *Loop) waitHere(ctx context.Context, r *Request, why Why) error {
	spun, caught := l.spinHere(r)
	if caught {
		return nil
	}
	return l.waitLong(ctx, r, why, spun)
}

// waitLong is waitHere for somebody who has looked spun times, and perhaps found something else. A message
// that was caught meanwhile counts, even if the context has ended.
func (l *Loop) waitLong(ctx context.Context, r *Request, why Why, spun int) error {
	if l.carry(); r.isDone() {
		l.poll() // there is more to do
		return nil
	}
	r.why = why
	w := l.newWaiter()
	w.watch(r)
	w.need, w.spun = 1, spun
	err := l.await(ctx, w)
	if err != nil {
		err = l.takeBack(w, r, err)
	}
	l.freeWaiter(w)
	return err
}

// Isend starts a send. The caller keeps b alive and unchanged until the request is done. The zero handle means
// that it is done already.
func (l *Loop) Isend(b []byte, to Peer, mode engine.Mode, why Why) Handle {
	l.enterLightly()
	defer l.unlock()
	if mode == engine.Standard && l.quickly(b, to) {
		return Handle{}
	}
	l.postAside()
	return l.leave(l.startSend(b, to, mode), why)
}

// IsendDetached sends b, which is the loop's from now on, without anybody waiting for it, and calls then
// when it is gone. The error is that of a send that failed at once.
func (l *Loop) IsendDetached(b []byte, to Peer, then func(*Request)) error {
	l.enter()
	defer l.unlock()
	l.spend(clock.Copy, len(b))
	r := l.startSend(b, to, engine.Standard)
	if r.isDone() {
		err := r.Err
		then(r)
		l.put(r)
		return err
	}
	r.flags |= detached
	r.then = then
	l.count(r)
	return nil
}

// Irecv starts a receive. The caller leaves b alone until the request is done.
func (l *Loop) Irecv(b []byte, from Peer, why Why) Handle {
	l.enterLightly()
	defer l.unlock()
	if h, ok := l.standAside(b, from, why); ok {
		return h
	}
	l.postAside()
	return l.leave(l.startRecv(b, from), why)
}

// leave notes what r is, makes sure somebody drives it, and gives a handle to it.
func (l *Loop) leave(r *Request, why Why) Handle {
	r.why = why
	if !r.isDone() {
		l.leaveLong(len(r.Buf))
		l.count(r)
	}
	return Handle{r, r.Gen}
}

func (l *Loop) count(r *Request) {
	r.flags |= counted
	l.pending++
	if r.flags&internal != 0 {
		l.ownPending++
	}
	if l.isLong(r) {
		r.flags |= long
		l.long++
	}
	l.engage()
}

// isLong tells whether a request that is left in flight is a message that is negotiated, or a plan with
// such messages. Of a receive only its room is known.
func (l *Loop) isLong(r *Request) bool {
	switch {
	case r.flags&sided != 0:
		return false
	case r.flags&planned != 0:
		return r.Status.Len > l.shortest()
	case r.Peer < 0:
		return len(r.Buf) > l.shortest()
	}
	peer := int(r.Peer)
	return len(r.Buf) > max(r.EagerMax, l.link(peer).EagerMax(peer))
}

// shortest is the length up to which messages travel with their envelope, whichever way they take.
func (l *Loop) shortest() int {
	least := math.MaxInt
	for _, link := range l.links {
		least = min(least, link.EagerMax(l.cfg.Self))
	}
	return least
}

// Iprobe tells about the earliest waiting message that fits, after one poll.
func (l *Loop) Iprobe(from Peer) (engine.Status, bool, error) {
	l.enter()
	defer l.unlock()
	l.calls++
	l.glanceFor(from)
	st, ok := l.eng.Peek(from.envelope())
	return st, ok, l.failed
}

// Improbe takes the earliest waiting message that fits out of the queue, after one poll.
func (l *Loop) Improbe(from Peer) (*engine.Message, error) {
	l.enter()
	defer l.unlock()
	l.calls++
	l.glanceFor(from)
	m := l.eng.Claim(from.envelope())
	l.carry()
	return m, l.failed
}

// Probe waits until a message that fits has arrived and leaves it in the queue.
func (l *Loop) Probe(ctx context.Context, from Peer, why Why) (engine.Status, error) {
	l.enter()
	defer l.unlock()
	return l.probe(ctx, from, why)
}

// Mprobe waits until a message that fits has arrived and takes it out of the queue.
func (l *Loop) Mprobe(ctx context.Context, from Peer, why Why) (*engine.Message, error) {
	l.enter()
	defer l.unlock()
	for {
		if _, err := l.probe(ctx, from, why); err != nil {
			return nil, err
		}
		if m := l.eng.Claim(from.envelope()); m != nil { // else another goroutine was faster
			l.carry()
			return m, nil
		}
	}
}

// probe waits for a message; the lock is held.
func (l *Loop) probe(ctx context.Context, from Peer, why Why) (engine.Status, error) {
	if l.failed != nil {
		return engine.Status{}, l.failed
	}
	r := l.get()
	r.Envelope = from.envelope()
	if !l.refuses(r) {
		l.eng.PostProbe(&r.Req)
		l.carry()
	}
	return l.result(ctx, r, why)
}

// Imrecv starts to receive a message that Mprobe or Improbe took.
func (l *Loop) Imrecv(b []byte, m *engine.Message, why Why) Handle {
	l.enter()
	defer l.unlock()
	return l.leave(l.startMrecv(b, m), why)
}

// Mrecv receives a message that Mprobe or Improbe took. No context ends it: the message is here, or comes.
func (l *Loop) Mrecv(b []byte, m *engine.Message, why Why) (engine.Status, error) {
	l.enter()
	defer l.unlock()
	return l.result(context.Background(), l.startMrecv(b, m), why)
}

// startMrecv posts the receive of a message that was taken; the lock is held.
func (l *Loop) startMrecv(b []byte, m *engine.Message) *Request { return l.beginMrecv(l.get(), b, m) }

// beginMrecv is startMrecv with a fresh request.
func (l *Loop) beginMrecv(r *Request, b []byte, m *engine.Message) *Request {
	st := m.Status()
	r.Envelope = match.Envelope{Peer: int32(st.Peer), Tag: st.Tag}
	r.Buf = b
	if l.failed != nil { // a payload that was only offered may be gone
		r.Err = l.failed
		return r
	}
	l.number(r)
	r.posted = -r.posted
	l.eng.RecvClaimed(&r.Req, m)
	l.chargeKept(r)
	l.carry()
	return r
}

// Fail ends everything in flight, and everything that starts from now on, with err.
func (l *Loop) Fail(err error) {
	l.lock()
	defer l.unlock()
	l.fail(err)
}

// fail is Fail with the lock held.
func (l *Loop) fail(err error) {
	if l.failed != nil {
		return
	}
	l.failed = err
	l.dropBacklog(err)
	l.eng.Fail(err)
	l.eachWindow(func(w Window) { w.Fail(err) })
	for _, f := range slices.Clone(l.failing) {
		f.Fail(err)
	}
	l.stirred = true
	l.carry()
	if l.away {
		l.cfg.Bell.Ring() // who serves peers looks whether there is a reason to
	}
}

// Unmatched returns the messages that the program should have received and has not, after one poll.
func (l *Loop) Unmatched() []engine.Status {
	l.lock()
	defer l.unlock()
	l.poll()
	var all []engine.Status
	l.eng.Unmatched(func(st engine.Status) { all = append(all, st) })
	return all
}

// Pending is how many requests of the program are in flight.
func (l *Loop) Pending() int {
	l.lock()
	defer l.unlock()
	return l.pending - l.ownPending
}
