package progress

import (
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/plan"
)

// dash takes the steps of a brisk plan one by one, without a task, for as long as every flag that
// it comes to is raised or is so before a waiter would stop spinning: the way of most short
// collectives between ranks that have a processor each. False means that the plan has to be started
// as any other; then the steps that were taken are passed over. Who is not to wait finds raised
// what is raised.
func (l *Loop) dash(b *Bound, waits bool) (ended bool) {
	c, p := b.Commons, b.Plan
	if c == nil || c.state != open || c.late != nil || len(c.queue) > 0 || l.virtual != nil || l.failed != nil || l.eng.Excused(b.Ctx) || b.Sign != nil ||
		c.long(p) || l.driver != nil && l.driver != &l.bg.waiter {
		return false
	}
	run := c.last + 1
	if apart := c.apart(p); run > c.clear+apart && !l.spinForRun(c, run-apart, apart/2, waits) {
		return false
	}
	c.put = plan.Span{}
	bufs := plan.Bufs{In: b.In, Out: b.Out}
	var f flags
	if bufs.Node, f = c.slot(p, run); p.Lacks(&bufs) != nil {
		return false
	}
	c.last = run
	raised := mark(uint8(b.Tag>>choiceShift), run)
	atomic.StoreUint64(c.block.chosen(c.self, run), raised)
	l.shared.begin(p)
	combine := b.Combine
	if b.Foreign {
		combine = l.guarded(b.Combine, func(error) {})
	}
	for i := range p.Steps {
		s := &p.Steps[i]
		switch s.Kind {
		case plan.Copy:
			copy(bufs.Bytes(&s.Dst), bufs.Bytes(&s.Src))
		case plan.Reduce:
			combine(bufs.Bytes(&s.Dst), bufs.Bytes(&s.Src), s.SrcFirst)
		case plan.Set:
			l.shared.Flags++
			atomic.StoreUint64(f.at(c.self, s.Flag, false), raised)
			c.wake()
		case plan.Await:
			flag := f.at(int(c.index[s.Peer]), s.Flag, false)
			if atomic.LoadUint64(flag) != raised && !(waits && l.spinFor(flag, raised)) {
				c.taken = i
				return false
			}
		}
	}
	l.shared.Dashes++
	c.leave(run, false)
	return true
}

// spinFor waits for a flag as spinUntil does.
func (l *Loop) spinFor(flag *uint64, raised uint64) bool {
	return l.spinUntil(func() bool { return atomic.LoadUint64(flag) == raised })
}

// spinForRun waits until all ranks have left a run. Who finds that they have not is ahead of
// somebody as far as can be: it waits until they have left some runs more, so that both are seldom
// at the same lines, and asks again only when it has used these up.
func (l *Loop) spinForRun(c *Commons, run, more uint64, waits bool) bool {
	if _, left := c.allLeft(run); left || !waits {
		return left
	}
	if l.spinUntil(func() bool { _, left := c.allLeft(run + more); return left }) {
		return true
	}
	_, left := c.allLeft(run)
	return left
}

// spinUntil looks whether something has happened for as long as a waiter would before it sleeps:
// where ranks share processors it offers ours to the others between looks, for the one that we wait
// for may be waiting for it. It ends early if somebody else wants the lock, or something has come
// that only a poll would take: whoever we wait for may wait for that to be taken.
func (l *Loop) spinUntil(happened func() bool) bool {
	p := l.cfg.Policy // a look at a flag costs next to nothing: even who has learned to be brief looks as often
	looks := min(p.Spins, mostLooks)
	if p.Spins == 1 {
		looks += min(l.patience.Yields, mostLooks)
	}
	for n := 0; ; n++ {
		if happened() {
			return true
		}
		if n >= looks || l.rivals.Load() != 0 {
			return false
		}
		yields := n >= p.Spins
		if (yields || n%lookEvery == lookEvery-1) && l.peek() {
			return false
		}
		if yields {
			clock.Yield()
		} else {
			clock.Pause()
		}
	}
}

// mostLooks is how often flags alone are looked at, whatever the policy: other things may end a wait, and somebody has to see them.
const mostLooks = 1000

// resume goes on with a run that dash has begun.
func (c *Commons) resume(t *task) {
	t.enter(c.last)
	t.bufs.Node, t.flags = c.slot(t.plan, t.num)
	taken := c.taken
	c.taken = -1
	if t.run.Resume(t.plan, &t.bufs, t.combine, t, taken) {
		c.loop.taskDone(t)
	}
}
