package progress

import (
	"errors"
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// Ranks of a collective must call it alike, and choose the same algorithm. A digest of both is part of
// the tag of its messages and of the flags that it raises, so that those of ranks which differ never
// meet: such a call ends with no wrong result, it only waits. Whoever has been waiting for a while
// looks for what has come of other calls, and ends its own with an error that names both. It costs
// nothing to compare what has to be equal for messages to meet.

// ErrMismatch is the error of a collective that ranks have called differently.
var ErrMismatch = errors.New("ranks called different collectives")

// Terms are what the ranks of a collective have alike: the call, and the algorithm that they chose.
type Terms struct {
	Op        uint8  // number of the operation, from 1; 0: it has none
	Choice    uint8  // of the algorithm
	Kind      uint8  // of the elements; 0: unknown
	Reduction uint8  // 0: none, or unknown
	Short     uint8  // digest of the other fields, below 251: for tags
	Long      uint16 // another one: for flags
	Root      int32  // -1: there is none
	Number    uint32 // of the call on its communicator
	Bytes     int    // -1: they may differ
}

// A collective's tag: its operation, a digest of its terms, and its number. A digest below 251 leaves
// the tags -5 to -1 to others.
const (
	opShift     = 27
	digestShift = 19
	numberMask  = 1<<digestShift - 1
)

// Tag is the tag of the messages of a collective.
func (t *Terms) Tag() int32 {
	return int32(uint32(t.Op)<<opShift | uint32(t.Short)<<digestShift | t.Number&numberMask)
}

// FreeTag is that of the last collective of a communicator, which is not numbered like others.
const FreeTag = -2

// A mark: what a raised flag of a run holds. It tells the terms of the run, some of the bits of its
// call's number, and the number of the run.
const (
	choiceShift = 56
	longShift   = 40
	callShift   = 36
	callMask    = 1<<(longShift-callShift) - 1
	runMask     = 1<<callShift - 1
)

// mark is what a raised flag of a run of the call holds.
func (t *Terms) mark(run uint64) uint64 {
	return uint64(t.Choice)<<choiceShift | uint64(t.Long)<<longShift | uint64(t.Number&callMask)<<callShift | run&runMask
}

// A brand: what a rank of the node says of a call in one word, never 0 as calls are numbered from 1.
const (
	brandChoice = 56
	brandLong   = 40
	brandOp     = 32
)

func (t *Terms) brand() uint64 {
	return uint64(t.Choice)<<brandChoice | uint64(t.Long)<<brandLong | uint64(t.Op)<<brandOp | uint64(t.Number)
}

// branded is what a brand tells of terms.
func branded(b uint64) *Terms {
	return &Terms{Op: uint8(b >> brandOp), Choice: uint8(b >> brandChoice), Long: uint16(b >> brandLong), Number: uint32(b)}
}

// Unequal is the error of a collective in which a rank has sent another number of bytes than was
// expected of it.
type Unequal struct {
	Proc       int
	Sent, Room int
}

// Error says it in one line.
func (u *Unequal) Error() string {
	return fmt.Sprintf("%v: process %d sent %d bytes, and %d were expected of it", ErrMismatch, u.Proc, u.Sent, u.Room)
}

// Unwrap makes it an ErrMismatch.
func (u *Unequal) Unwrap() error { return ErrMismatch }

// Dispute is that a process has called a collective on other terms than we have. Of those that were
// told by a message only the operation is known, and the number.
type Dispute struct {
	Call         string // what our program has called
	Proc         int
	Ours, Theirs *Terms
	Known        bool // all of theirs
	Stray        bool // theirs is a call before ours, which has not received its message
}

// settleDisputes ends the collectives that somebody waits for whose ranks have called differently,
// and tells whether there was one. The lock is held.
func (l *Loop) settleDisputes() (found bool) {
	if l.driver != nil {
		found = l.disputes(l.driver)
	}
	for _, w := range l.parked {
		found = l.disputes(w) || found
	}
	return found
}

func (l *Loop) disputes(w *waiter) (any bool) {
	for _, r := range w.reqs {
		if r != nil && r.waiter == w {
			any = l.dispute(r) || any
		}
	}
	return any
}

// dispute ends r if it is a collective whose ranks have called differently, and tells whether it is.
func (l *Loop) dispute(r *Request) bool {
	if r.flags&(planned|disputed) != planned || r.task == nil {
		return false
	}
	d := Dispute{Call: r.why.Op, Ours: &r.task.terms}
	if !r.task.saidOtherwise(&d) && !r.task.sentOtherwise(&d) && !r.task.findStray(&d) {
		return false
	}
	r.flags |= disputed
	l.stopTask(r.task, r.why.Home.Dispute(d))
	l.carry()
	return true
}

// saidOtherwise finds a rank of the node that says it has called the task's collective, or one before, on other terms.
func (t *task) saidOtherwise(d *Dispute) bool {
	return t.node != nil && t.node.saidOtherwise(t.terms.Number, d)
}

// saidOtherwise finds a rank of the node that says it has made the call of that number, or one of those
// before it that are remembered, on other terms than we have.
func (c *Commons) saidOtherwise(last uint32, d *Dispute) bool {
	if c.state != open {
		return false
	}
	for back := uint32(0); back < slots && back < last; back++ {
		ours := c.block.brandOf(c.self, last-back)
		for i := range c.procs {
			if theirs := c.block.brandOf(i, last-back); ours != 0 && theirs != 0 && theirs != ours {
				d.Proc = c.procs[i]
				d.Ours, _ = c.block.terms(c.self, ours)
				d.Theirs, d.Known = c.block.terms(i, theirs)
				return true
			}
		}
	}
	return false
}

// SaidOtherwise finds a rank of the node that has made one of its last calls on other terms than we have.
// All ranks have made their last call.
func (l *Loop) SaidOtherwise(c *Commons, last uint32) (d Dispute, found bool) {
	l.lock()
	defer l.unlock()
	return d, c.saidOtherwise(last, &d)
}

// sentOtherwise finds a process of which a message has come, or the announcement of a receive, of a call
// with our number on other terms.
func (t *task) sentOtherwise(d *Dispute) (found bool) {
	if t.tag == FreeTag {
		return false
	}
	t.loop.eng.EachHere(t.ctx, func(env match.Envelope) {
		switch {
		case env.Tag == noteTag || env.Tag == FreeTag || env.Tag == t.tag || env.Tag&numberMask != t.tag&numberMask:
		case !found || int(env.Peer) < d.Proc:
			d.Proc, found, d.Theirs = int(env.Peer), true, new(termsOf(env.Tag))
		}
	})
	return found
}

// findStray finds a message of a call that we have left: all that were meant for us have been received.
// While the task is that of Finalize, after which there are no calls, those of all communicators are.
func (t *task) findStray(d *Dispute) (found bool) {
	l := t.loop
	l.eng.EachUnasked(func(ctx uint32, st engine.Status) {
		behind := uint32(t.tag-st.Tag) & numberMask
		switch {
		case found || wire.ContextKind(ctx) != wire.Collectives || st.Tag == noteTag || st.Tag == FreeTag || t.tag == FreeTag || l.eng.Excused(ctx):
		case ctx == t.ctx && (behind == 0 || behind > numberMask/2), ctx != t.ctx && d.Call != Finalize:
		case !slices.ContainsFunc(l.tasksOf(ctx), func(o *task) bool { return o.tag == st.Tag }):
			d.Proc, found, d.Theirs, d.Stray = st.Peer, true, new(termsOf(st.Tag)), true
		}
	})
	return found
}

// Finalize is the call in which all ranks meet at the end of a job.
const Finalize = "finalize"

// disputesOf looks for disputes about requests that are looked at again and again in vain.
func (l *Loop) disputesOf(hs []Handle) {
	if g := &l.glances; g.since == 0 || g.n%napEvery != 0 || l.clock.Now()-g.since < siteAfter {
		return
	}
	for _, h := range hs {
		if h.R != nil && !h.R.isDone() {
			l.dispute(h.R)
		}
	}
}

// Stray is a message of a collective that nobody has received: its sender has called something else than we have.
type Stray struct {
	Proc  int
	Terms Terms // operation and number
}

// Strays returns the messages of collectives that are left though all ranks have made their last call.
func (l *Loop) Strays() (all []Stray) {
	l.lock()
	defer l.unlock()
	l.poll()
	l.eng.EachUnasked(func(ctx uint32, st engine.Status) {
		if wire.ContextKind(ctx) == wire.Collectives && !l.eng.Excused(ctx) && st.Tag != noteTag && st.Tag != FreeTag {
			all = append(all, Stray{st.Peer, termsOf(st.Tag)})
		}
	})
	return all
}

// termsOf is what a tag tells of its sender's terms.
func termsOf(tag int32) Terms {
	t := uint32(tag)
	return Terms{Op: uint8(t >> opShift), Short: uint8(t >> digestShift), Number: t & numberMask}
}
