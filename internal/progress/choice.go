package progress

import (
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/match"
)

// Ranks of a collective must have chosen the same algorithm. What each chose is part of the tag of
// its messages and of the flags that it raises, so that those of ranks which chose differently
// never meet: such a call ends with no wrong result, it only waits. Whoever has been waiting for a
// while looks for what has come of others' choices, and ends the call with an error that names
// both.

// A collective's tag: what its rank chose, and the number of the call.
const (
	choiceShift = 23
	numberMask  = 1<<choiceShift - 1
)

// CollTag is the tag of messages of the collective of that number on its communicator, of a rank
// that chose so.
func CollTag(choice uint8, number uint32) int32 {
	return int32(choice)<<choiceShift | int32(number&numberMask)
}

// markShift is where a flag says what was chosen by who raised it; below is the number of the run.
const markShift = 56

// mark is what a raised flag of a run holds.
func mark(choice uint8, run uint64) uint64 { return uint64(choice)<<markShift | run }

// settleDisputes ends the collectives that somebody waits for whose ranks have chosen differently,
// and tells whether there was one. The lock is held.
func (l *Loop) settleDisputes() (found bool) {
	found = l.driver != nil && l.disputes(l.driver)
	for _, w := range l.parked {
		found = l.disputes(w) || found
	}
	return found
}

func (l *Loop) disputes(w *waiter) (any bool) {
	for _, r := range w.reqs {
		if r == nil || r.waiter != w || r.flags&planned == 0 || r.task == nil || r.task.disputed {
			continue
		}
		if proc, theirs, found := r.task.otherChoice(); found {
			r.task.disputed, any = true, true
			l.stopTask(r.task, r.why.Home.Dispute(proc, r.task.choice(), theirs))
			l.carry()
		}
	}
	return any
}

// choice is what we chose for the task.
func (t *task) choice() uint8 { return uint8(t.tag >> choiceShift) }

// otherChoice finds a process that has chosen otherwise for the task's call, by a message that has
// come of it or by what it says in the memory of the node.
func (t *task) otherChoice() (proc int, theirs uint8, found bool) {
	t.loop.eng.EachHere(t.ctx, func(env match.Envelope) {
		if env.Tag&numberMask == t.tag&numberMask && env.Tag != t.tag && (!found || int(env.Peer) < proc) {
			proc, theirs, found = int(env.Peer), uint8(env.Tag>>choiceShift), true
		}
	})
	if c := t.share; c != nil && c.state == open && !found {
		for i := range c.procs {
			if said := atomic.LoadUint64(c.block.chosen(i, t.num)); said != t.mark && said&(1<<markShift-1) == t.num {
				return c.procs[i], uint8(said >> markShift), true
			}
		}
	}
	return proc, theirs, found
}
