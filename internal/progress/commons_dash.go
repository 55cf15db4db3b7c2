package progress

import (
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/plan"
)

// dash takes the steps of a brisk plan one by one, without a task, for as long as every flag that it comes to is raised or is so
// before a waiter would stop spinning: the way of most short collectives between ranks that have a processor each. False means
// that the plan has to be started as any other; then the steps that were taken are passed over.
func (l *Loop) dash(b *Bound) (ended bool) {
	c, p := b.Commons, b.Plan
	if c == nil || c.state != open || c.late != nil || len(c.queue) > 0 || l.virtual != nil || l.failed != nil || b.Sign != nil ||
		c.long(p) || l.driver != nil && l.driver != &l.bg.waiter {
		return false
	}
	run := c.last + 1
	if run > slots {
		if _, all := c.allLeft(run - slots); !all {
			return false
		}
	}
	c.put = plan.Span{}
	bufs := plan.Bufs{In: b.In, Out: b.Out}
	var f flags
	if bufs.Node, f = c.slot(p, run); p.Lacks(&bufs) != nil {
		return false
	}
	c.last = run
	l.shared.Runs++
	for i := range p.Steps {
		s := &p.Steps[i]
		switch s.Kind {
		case plan.Copy:
			copy(bufs.Bytes(&s.Dst), bufs.Bytes(&s.Src))
		case plan.Reduce:
			b.Combine(bufs.Bytes(&s.Dst), bufs.Bytes(&s.Src), s.SrcFirst)
		case plan.Set:
			l.shared.Flags++
			atomic.StoreUint64(f.at(c.self, s.Flag, false), run)
			c.wake()
		case plan.Await:
			if !l.spinFor(f.at(int(c.index[s.Peer]), s.Flag, false), run) {
				c.taken = i
				return false
			}
		}
	}
	l.shared.Dashes++
	c.leave(run, false)
	return true
}

// spinFor looks at a flag for as long as a waiter would spin.
func (l *Loop) spinFor(flag *uint64, run uint64) bool {
	for n := 0; ; n++ {
		if atomic.LoadUint64(flag) == run {
			return true
		}
		if n >= l.cfg.Policy.Spins || l.rivals.Load() != 0 {
			return false
		}
		clock.Pause()
	}
}

// resume goes on with a run that dash has begun.
func (c *Commons) resume(t *task) {
	t.num = c.last
	t.bufs.Node, t.flags = c.slot(t.plan, t.num)
	taken := c.taken
	c.taken = -1
	if t.run.Resume(t.plan, &t.bufs, t.combine, t, taken) {
		c.loop.taskDone(t)
	}
}
