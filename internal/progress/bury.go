package progress

import (
	"errors"
	"slices"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/wire"
)

// In a job that survives the death of a process, somebody outside knows who is dead: the launcher. What it says
// comes in here. Requests that only the dead could end, end with an error; so do plans on communicators with a dead
// member, all of them and at all ranks, since whoever waits for a rank that has given up would wait for ever. All
// else goes on. A communicator that a rank has revoked ends as a whole.

// Forsaker is a link that may not find out by itself that a peer has died.
type Forsaker interface {
	// Forsake tells that a peer is dead. Soon Poll says that it is lost, with err, after what had come from it; from
	// then on the link has nothing of the peer's, and says nothing about it.
	Forsake(peer int, err error)
}

// ErrRevoked is the end of everything on a communicator that a rank has revoked.
var ErrRevoked = errors.New("communicator revoked")

// forsakePolls is how often a link must be polled until it has told of the death of a peer, at most.
const forsakePolls = 3

// Bury tells that the process of a peer has died, which is a member of the communicators with these contexts. Every
// request that needs the peer ends with err, and so do collectives of these communicators, now and later, and receives
// from any source there, until Console.
func (l *Loop) Bury(peer int, ctxs []uint32, err error) {
	l.lock()
	defer l.unlock()
	if l.failed != nil || l.over {
		return
	}
	l.gaveUp = true
	for _, ctx := range ctxs {
		l.BereaveHeld(ctx, err)
	}
	link := l.link(peer)
	if link.Forsaker == nil {
		l.sink.Lost(peer, err)
	} else if l.eng.PeerError(peer) == nil {
		link.Forsaker.Forsake(peer, err)
	}
	for n := 0; n < forsakePolls && l.eng.PeerError(peer) == nil; n++ {
		l.poll()
	}
	l.posted()
	l.poll()
}

// BereaveHeld notes that a member of a communicator is dead, as Bury does: its plans end, soon. The lock is held.
func (l *Loop) BereaveHeld(ctx uint32, err error) {
	l.bar(ctx, err)
	l.eng.Bereave(wire.ContextOf(ctx, wire.Messages), err)
}

// Bereave is BereaveHeld for those who do not hold the lock.
func (l *Loop) Bereave(ctx uint32, err error) {
	l.lock()
	defer l.unlock()
	l.BereaveHeld(ctx, err)
	l.carry()
}

// Console has receives from any source on a communicator wait again: the program knows which members are dead.
func (l *Loop) Console(ctx uint32) {
	l.lock()
	defer l.unlock()
	l.eng.Console(wire.ContextOf(ctx, wire.Messages))
}

// Revoke ends all that is under way on the communicator of a context with ErrRevoked, and all that is begun later.
// Who has registered with OnGiveUp is told.
func (l *Loop) Revoke(ctx uint32) {
	l.lock()
	defer l.unlock()
	if l.failed != nil || l.over {
		return
	}
	if !l.eng.Dead(ctx) {
		l.bar(ctx, ErrRevoked)
	}
	l.note(given{ctx: ctx, err: ErrRevoked})
	l.posted()
	l.carry()
}

// bar has plans of a communicator end with err, and begins no more. That those under way end is seen to later: links
// may be being polled.
func (l *Loop) bar(ctx uint32, err error) {
	if l.barred == nil {
		l.barred = map[uint32]error{}
	}
	ctx = wire.ContextOf(ctx, wire.Messages)
	if errors.Is(l.barred[ctx], ErrRevoked) {
		return // nothing is worse
	}
	l.barred[ctx] = err
	l.given = append(l.given, given{ctx: ctx, err: err, plans: true})
	l.stirred = true
}

// barredFrom is why no plan goes on, on a context; nil if they do.
func (l *Loop) barredFrom(ctx uint32) error {
	if l.barred == nil {
		return nil
	}
	return l.barred[wire.ContextOf(ctx, wire.Messages)]
}

// unbar forgets that for a communicator that has been freed.
func (l *Loop) unbar(ctx uint32) { delete(l.barred, wire.ContextOf(ctx, wire.Messages)) }

// foldsOf returns the plans of a communicator that wait for reductions of the program's.
func (l *Loop) foldsOf(ctx uint32) (all []*task) {
	for _, f := range l.folds {
		if wire.Related(f.t.ctx, ctx) && !slices.Contains(all, f.t) {
			all = append(all, f.t)
		}
	}
	return all
}

// revoked tells whether requests that were cancelled have ended because their communicator was revoked.
func (g *given) revoked() bool { return errors.Is(g.err, ErrRevoked) }

// DeadPeer is the error of a rank that is dead, as the one who knows says it.
func DeadPeer(text string) error { return errDead{text} }

type errDead struct{ text string }

func (e errDead) Error() string { return e.text }
func (e errDead) Unwrap() error { return engine.ErrLost }
