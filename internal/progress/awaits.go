package progress

import (
	"slices"
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

// Await waits for a flag of another rank of the node: here, if whoever starts the plan stays, for as
// long as a look may take.
func (t *task) Await(peer, flag, step int) bool {
	c := t.share
	i := int(c.index[peer])
	at := t.flags.at(i, int32(flag), c.far != nil && c.far[i])
	if atomic.LoadUint64(at) == t.mark || t.stays && t.loop.spinUntil(func() bool { return atomic.LoadUint64(at) == t.mark }) {
		c.saw()
		return true
	}
	t.stays = false
	t.awaits = append(t.awaits, await{step: step, rank: i, flag: at})
	t.loop.watch(t)
	return false
}

// outcome tells whether an await has ended, and how. A rank that has failed raises no more flags. Once the
// loop has failed, not even a flag that was raised ends an await well: the plan would go on and post
// receives that nobody ends.
func (t *task) outcome(w *await) (over bool, err error) {
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

// watch adds a task to those that await flags, or their turn to use memory of the node.
func (l *Loop) watch(t *task) {
	if !t.watched {
		t.watched = true
		l.watched = append(l.watched, t)
	}
}

// lookShared goes on with the plans whose flags have been raised, and begins those whose memory has
// become free. It tells whether it did anything.
func (l *Loop) lookShared() (moved bool) {
	l.stirred = false
	if len(l.given) > 0 {
		l.endGiven()
		moved = true
	}
	if len(l.folds) > 0 && l.dropFolds() {
		moved = true
	}
	for i := 0; i < len(l.watched); {
		t := l.watched[i]
		if t.held && t.share.advance() || !t.held && t.look() {
			moved = true
		}
		if t.held || len(t.awaits) > 0 {
			i++
			continue
		}
		t.watched = false
		l.watched = slices.Delete(l.watched, i, i+1)
	}
	return moved
}

// look ends the awaits of t that are over.
func (t *task) look() (moved bool) {
	for i := 0; i < len(t.awaits); {
		w := &t.awaits[i]
		over, err := t.outcome(w)
		if !over {
			i++
			continue
		}
		moved = true
		t.share.saw()
		step := w.step
		t.awaits = slices.Delete(t.awaits, i, i+1)
		if t.run.Done(step, err) {
			t.loop.endTask(t, t.run.Err())
			break
		}
	}
	return moved
}

// spins tells whether a caller may look for flags by itself, with the lock held: nobody else drives.
func (l *Loop) spins() bool {
	return l.driver == nil || l.driver == &l.bg.waiter
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
			return happened()
		}
		if yields {
			clock.Yield()
		} else {
			clock.Pause()
		}
	}
}

const (
	lookEvery = 8    // glances at flags for one look at all that may come
	mostLooks = 1000 // glances at flags, whatever the policy: other things may end a wait, and somebody has to see them
)

// spinShared goes on with r, if that is a plan which awaits nothing but flags, for as long as a
// waiter would spin, and tells whether it has ended: flags of short collectives within a node are
// raised before the machinery of waiting would have been set up.
func (l *Loop) spinShared(r *Request) (ended bool) {
	t := r.task
	if t == nil || t.share == nil || !l.spins() {
		return false
	}
	for !r.isDone() && t.posted == 0 && len(t.awaits) > 0 && l.spinUntil(t.raised) {
		t.look()
		l.carry()
	}
	return r.isDone()
}

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
		if t.held {
			if by, err := t.share.hindered(t); by == nobody || err != nil {
				return true
			}
		}
		for i := range t.awaits {
			if over, _ := t.outcome(&t.awaits[i]); over {
				return true
			}
		}
	}
	return false
}

// armShared has those whom we wait for wake us, as far as plans can go on with what they do. The bell is
// armed, and what they have done by now is looked at afterwards.
func (l *Loop) armShared() {
	for _, t := range l.watched {
		if t.held {
			if by, err := t.share.hindered(t); by >= 0 && err == nil {
				t.share.sleepFor(by)
			}
		} else if len(t.awaits) > 0 {
			t.run.Enough(len(t.awaits), func(i int) int { return t.awaits[i].step }, func(i int) { t.share.sleepFor(t.awaits[i].rank) })
		}
	}
}

// sleepFor has rank i of the node wake us when it does something.
func (c *Commons) sleepFor(i int) {
	if i != c.self {
		c.block.sleeps(c.self, i)
	}
}

// withdraw ends the await of a step, or its reduction by the program, with the next look.
func (t *task) withdraw(step int) {
	for i := range t.awaits {
		if w := &t.awaits[i]; w.step == step {
			w.withdrawn = true
			t.loop.stirred = true
		}
	}
	t.withdrawFold(step)
}
