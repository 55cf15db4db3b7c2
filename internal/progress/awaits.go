package progress

import (
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/engine"
)

// await is a step of a plan that waits for a flag of another rank.
type await struct {
	step      int
	rank      int // number on the node
	flag      *uint64
	withdrawn bool
}

// Set raises a flag of this rank.
func (t *task) Set(flag int) {
	c, raised := t.share, t.mark
	t.loop.shared.Flags++
	near := t.flags.at(c.self, int32(flag), false)
	if c.late == nil {
		atomic.StoreUint64(near, raised)
		c.wake()
		return
	}
	away := t.flags.at(c.self, int32(flag), true)
	c.see(func(far bool) {
		if far {
			*away = raised
		} else {
			*near = raised
		}
	})
}

// Await waits for a flag of another rank of the node.
func (t *task) Await(peer, flag, step int) bool {
	c := t.share
	i := int(c.index[peer])
	w := await{step: step, rank: i, flag: t.flags.at(i, int32(flag), c.far != nil && c.far[i])}
	if atomic.LoadUint64(w.flag) == t.mark {
		c.saw()
		return true
	}
	if len(t.awaits) == 0 {
		t.loop.watch(t)
	}
	t.awaits = append(t.awaits, w)
	return false
}

// over tells whether an await has ended, and how. A rank that has failed raises no more flags. Once the loop has failed, not even a
// flag that was raised ends an await well: the plan would go on and post receives that nobody ends.
func (t *task) over(w *await) (over bool, err error) {
	c, l := t.share, t.loop
	switch {
	case l.failed != nil:
		return true, l.failed
	case atomic.LoadUint64(w.flag) == t.mark:
		return true, nil
	case w.withdrawn:
		return true, engine.ErrCancelled
	case c.block.hasFailed(w.rank, t.num) && atomic.LoadUint64(w.flag) != t.mark:
		return true, c.givenUp(w.rank)
	}
	err = l.eng.PeerError(c.procs[w.rank])
	return err != nil, err
}

// saw is the cost of a raised flag in virtual time.
func (c *Commons) saw() {
	if c.late != nil {
		c.late.Saw()
	}
}

// watch adds a task to those that await flags.
func (l *Loop) watch(t *task) {
	if !t.watched {
		t.watched = true
		l.watched = append(l.watched, t)
	}
}

// lookShared goes on with the plans whose flags have been raised, and enters runs whose memory has become free. It tells whether
// it did anything.
func (l *Loop) lookShared() (moved bool) {
	l.stirred = false
	if len(l.given) > 0 {
		l.endGiven()
		moved = true
	}
	for i := 0; i < len(l.entering); {
		c := l.entering[i]
		before := len(c.queue)
		empty := c.advance()
		moved = moved || len(c.queue) != before
		if !empty {
			i++
			continue
		}
		last := len(l.entering) - 1
		copy(l.entering[i:], l.entering[i+1:])
		l.entering[last] = nil
		l.entering = l.entering[:last]
	}
	for i := 0; i < len(l.watched); {
		t := l.watched[i]
		if t.look() {
			moved = true
		}
		if len(t.awaits) > 0 {
			i++
			continue
		}
		t.watched = false
		last := len(l.watched) - 1
		copy(l.watched[i:], l.watched[i+1:])
		l.watched[last] = nil
		l.watched = l.watched[:last]
	}
	return moved
}

// look ends the awaits of t that are over.
func (t *task) look() (moved bool) {
	for i := 0; i < len(t.awaits); {
		w := &t.awaits[i]
		over, err := t.over(w)
		if !over {
			i++
			continue
		}
		moved = true
		t.share.saw()
		step := w.step
		copy(t.awaits[i:], t.awaits[i+1:])
		t.awaits = t.awaits[:len(t.awaits)-1]
		if t.run.Done(step, err) {
			t.loop.taskDone(t)
			break
		}
	}
	return moved
}

// spinShared looks for the flags of r, if that is a plan which waits for nothing else, for as long
// as a waiter would spin, and tells whether r has ended. It is the way of short collectives within
// a node: their flags are raised before the machinery of waiting would have been set up.
func (l *Loop) spinShared(r *Request) (ended bool) {
	t := r.task
	if t == nil || t.share == nil || l.virtual != nil || l.driver != nil && l.driver != &l.bg.waiter {
		return false
	}
	for n := 0; n < min(l.cfg.Policy.Spins, mostLooks) && l.rivals.Load() == 0 && t.posted == 0 && len(t.awaits) > 0; n++ {
		if (t.raised() || n%lookEvery == lookEvery-1) && t.look() {
			l.carry()
			if r.isDone() {
				return true
			}
			n = 0
		}
		clock.Pause()
	}
	return false
}

// lookEvery is how many glances at flags there are for one look at all that may end an await.
const lookEvery = 8

// raised tells whether a flag that t awaits has been raised.
func (t *task) raised() bool {
	for i := range t.awaits {
		if atomic.LoadUint64(t.awaits[i].flag) == t.mark {
			return true
		}
	}
	return false
}

// peekShared tells whether lookShared would do something.
func (l *Loop) peekShared() bool {
	if l.stirred {
		return true
	}
	for _, t := range l.watched {
		for i := range t.awaits {
			if over, _ := t.over(&t.awaits[i]); over {
				return true
			}
		}
	}
	for _, c := range l.entering {
		if len(c.queue) == 0 { // see armShared
			continue
		}
		if by, err := c.hindered(c.queue[0]); by == nobody || err != nil {
			return true
		}
	}
	return false
}

// armShared has those whom we wait for wake us, as far as plans can go on with what they do. The bell is armed, and what they
// have done by now is looked at afterwards.
func (l *Loop) armShared() {
	for _, t := range l.watched {
		if len(t.awaits) > 0 {
			t.run.Enough(len(t.awaits), func(i int) int { return t.awaits[i].step }, func(i int) { t.share.sleepFor(t.awaits[i].rank) })
		}
	}
	for _, c := range l.entering {
		if len(c.queue) == 0 { // its last plan is being started, and has led here
			continue
		}
		if by, err := c.hindered(c.queue[0]); by >= 0 && err == nil {
			c.sleepFor(by)
		}
	}
}

// sleepFor has rank i of the node wake us when it does something.
func (c *Commons) sleepFor(i int) {
	if i != c.self {
		c.block.sleeps(c.self, i)
	}
}

// withdraw ends the awaits of a step, or all, with the next look.
func (t *task) withdraw(step int) {
	for i := range t.awaits {
		if w := &t.awaits[i]; step < 0 || w.step == step {
			w.withdrawn = true
			t.loop.stirred = true
		}
	}
}
