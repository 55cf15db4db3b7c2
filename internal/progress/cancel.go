package progress

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/wire"
)

// A call whose context ends still returns only when nothing uses its memory any more. Its request
// is taken back, as far as that can be done: what no peer has seen goes at once, what a peer may
// have seen when the peer has answered, which its background does if its program does not call.
// What has begun to move is waited for, and then the call has succeeded. The wait ends at the
// latest with the peer's answer, its loss, or the job.

// takeBack ends the wait of w for r, which a context has ended with cause. It answers nil if r has
// ended well or by itself, and else the cause: then r is recycled.
func (l *Loop) takeBack(w *waiter, r *Request, cause error) error {
	if r.flags&sided != 0 { // the window knows when it is over, and whose its memory is until then
		r.waiter = nil
		r.flags |= detached
		l.count(r)
		return cause
	}
	l.cancel(r)
	w.interrupted = false
	if w.need > 0 {
		l.await(context.Background(), w)
	}
	if !r.Taken() {
		return nil
	}
	l.put(r)
	return cause
}

// Taken tells whether a request has ended because it was taken back.
func (r *Request) Taken() bool {
	if r.flags&planned != 0 {
		return errors.Is(r.Err, engine.ErrCancelled)
	}
	return r.Cancelled
}

// cancel begins to take a request back. The lock is held.
func (l *Loop) cancel(r *Request) {
	switch {
	case r.isDone() || r.flags&sided != 0:
	case r.flags&planned != 0:
		l.stopTask(r.task, engine.ErrCancelled)
	default:
		l.eng.Cancel(&r.Req)
	}
	l.carry()
}

// Cancel asks to take the request back, unless it is a collective; it still has to be collected.
func (l *Loop) Cancel(h Handle) error {
	l.lock()
	defer l.unlock()
	if h.R == nil || h.R.Gen != h.Gen {
		return ErrStale
	}
	if h.R.flags&planned == 0 {
		l.cancel(h.R)
	}
	return nil
}

// CancelSome takes back those of the handles' requests that which names, collectives too. They
// still have to be collected.
func (l *Loop) CancelSome(hs []Handle, which func(i int) bool) {
	l.lock()
	defer l.unlock()
	for i, h := range hs {
		if h.R != nil && h.R.Gen == h.Gen && which(i) {
			l.cancel(h.R)
		}
	}
}

// stopTask ends a plan with err as soon as nothing of it is under way: what can be taken back is.
func (l *Loop) stopTask(t *task, err error) {
	if t.share != nil && t.share.refuse(t, err) {
		return
	}
	t.run.Stop(err)
}

// retract takes a packet out of the backlog of which no link has seen anything, and tells whether it did.
func (l *Loop) retract(p *wire.Packet) bool {
	q := l.backlog[p.Peer]
	if q == nil || p.Sent > 0 || !q.remove(p) {
		return false
	}
	if q.first == nil {
		l.backlogged.Add(-1)
	}
	return true
}

// given is a communicator that was given up, or revoked, by its context, and what its plans end with.
type given struct {
	ctx   uint32
	err   error
	plans bool // they alone end: a member is dead
}

// errGaveUp is within the error of a collective that another rank has given up.
var errGaveUp = errors.New("given this collective up")

// errGivenBefore is that of one which was not begun any more.
var errGivenBefore = fmt.Errorf("%w: a process has %w", engine.ErrLost, errGaveUp)

func gaveUp(peer int) error {
	return fmt.Errorf("%w: process %d has %w", engine.ErrLost, peer, errGaveUp)
}

// GaveUp tells whether err is of a collective that another rank has given up.
func GaveUp(err error) bool { return errors.Is(err, errGaveUp) }

// OnGiveUp has f told of every communicator that a rank has given up, or revoked, by its context of messages. The
// lock is held then.
func (l *Loop) OnGiveUp(f func(ctx uint32, revoked bool)) {
	l.lock()
	defer l.unlock()
	l.onGiven = f
}

// GiveUp ends all that is under way on the communicator of a context, at the processes procs too:
// its ranks no longer agree about it. Messages that are left there are nobody's fault.
func (l *Loop) GiveUp(ctx uint32, procs []int) {
	l.lock()
	defer l.unlock()
	if l.failed != nil {
		return
	}
	l.note(given{ctx: ctx, err: gaveUp(l.cfg.Self)})
	for _, p := range procs {
		if p != l.cfg.Self {
			l.send(&wire.Packet{Header: wire.Header{Kind: wire.GiveUp, Ctx: ctx}, Peer: p})
		}
	}
	l.posted()
	l.carry()
}

// note takes in that a communicator has been given up, or revoked. Its requests are ended later: links may
// be being polled.
func (l *Loop) note(g given) {
	if l.eng.Dead(g.ctx) {
		return
	}
	l.eng.Excuse(g.ctx)
	l.given, l.gaveUp = append(l.given, g), true
	l.stirred = true
	if l.onGiven != nil {
		l.onGiven(wire.ContextOf(g.ctx, wire.Messages), g.revoked())
	}
}

// endGiven ends what is under way on communicators that were given up.
func (l *Loop) endGiven() {
	all := l.given
	l.given = nil
	for _, g := range all {
		for _, t := range l.tasksOf(g.ctx) {
			if t.plan != nil { // else the end of another was its own
				l.stopTask(t, g.err)
			}
		}
		if g.plans {
			continue
		}
		for _, r := range l.requestsOf(g.ctx) {
			if r.flags&internal == 0 {
				l.eng.Cancel(&r.Req)
			}
		}
	}
}

// requestsOf returns the requests of a communicator that have not ended.
func (l *Loop) requestsOf(ctx uint32) (all []*Request) {
	for _, r := range l.eng.Of(ctx) {
		all = append(all, r.Owner.(*Request))
	}
	for _, peer := range slices.Sorted(maps.Keys(l.backlog)) {
		for p := l.backlog[peer].first; p != nil; p = p.Next {
			if r, ok := p.Owner.(*engine.Req); ok && p.Kind == wire.Eager && wire.Related(p.Ctx, ctx) { // all others the engine knows
				all = append(all, r.Owner.(*Request))
			}
		}
	}
	return all
}

// tasksOf returns the plans that run on a communicator, or are going to.
func (l *Loop) tasksOf(ctx uint32) (all []*task) {
	add := func(t *task) {
		if t != nil && wire.Related(t.ctx, ctx) && !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	for _, r := range l.requestsOf(ctx) {
		add(r.task)
	}
	for _, t := range l.foldsOf(ctx) {
		add(t)
	}
	for _, t := range l.watched {
		add(t)
		if t.held {
			for _, t := range t.share.queue {
				add(t)
			}
		}
	}
	return all
}

// Forget throws away what is left on the communicator of a context, which has been freed here, and
// what still comes.
func (l *Loop) Forget(ctx uint32) {
	l.lock()
	defer l.unlock()
	l.poll()
	l.unbar(ctx)
	l.eng.Forget(ctx)
	l.carry()
}

// Revive makes a context that of a new communicator.
func (l *Loop) Revive(ctx uint32) {
	l.lock()
	defer l.unlock()
	l.ReviveHeld(ctx)
	l.carry()
}

// ReviveHeld is Revive within a reduction of the library's: the lock is held.
func (l *Loop) ReviveHeld(ctx uint32) {
	l.unbar(ctx)
	l.eng.Revive(ctx)
}
