package window

import (
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/wire"
)

// A fence of a native window is a meeting in shared memory: every rank writes down to how many it has come,
// and looks at what the others have written. Who has looked for a while says that it sleeps; who comes then
// and finds that knocks, with a packet that asks for nothing.

// meetMost is how many ranks meet in this way: each looks at all others.
const meetMost = 16

// meeting is a fence that sleeps.
type meeting struct {
	number uint64
	req    *progress.Request
}

// mayMeet tells whether fences of this window could meet in shared memory, as far as this rank knows. In
// virtual time, and where somebody observes collectives, they are barriers like others.
func (w *Window) mayMeet() bool {
	return w.limits.Meet && w.native && len(w.parts) <= meetMost && !w.loop.Virtual() && w.c.Env().Observer == nil
}

// meet returns when all ranks have called it, or one has died.
func (w *Window) meet(op string) error {
	if !w.quick {
		return w.meetAll(op)
	}
	w.stats.met.Add(1)
	number := w.parts[w.self].ctl.came.Add(1)
	w.rouse()
	if w.loop.Spin(func() bool { return w.allCame(number) }) {
		return nil
	}
	w.loop.Enter()
	defer w.loop.Exit()
	if err := w.sleepUntil(op, number); err != nil {
		return w.fail(op, comm.None, err)
	}
	return nil
}

// allCame tells whether all ranks have come to a meeting.
func (w *Window) allCame(number uint64) bool {
	for i := range w.parts {
		if w.parts[i].ctl.came.Load() < number {
			return false
		}
	}
	return true
}

// rouse knocks at those who sleep until we come.
func (w *Window) rouse() {
	for i := range w.parts {
		p := &w.parts[i]
		if i == w.self || p.ctl.asleep.Load() == 0 || !p.ctl.asleep.CompareAndSwap(1, 0) {
			continue
		}
		w.loop.Enter()
		w.sendSync(p, wire.RMASync{Verb: wire.RMAFlush})
		w.loop.Exit()
	}
}

// sleepUntil waits for a meeting to be complete. The loop's lock is held on entry and exit.
func (w *Window) sleepUntil(op string, number uint64) error {
	if err := w.loop.Failed(w.parts[w.self].proc); err != nil {
		return err
	}
	if w.core.lost != nil {
		return w.core.lost
	}
	r := w.loop.Expect(w.parts[w.self].proc, 0)
	w.meets = append(w.meets, meeting{number, r})
	w.knocked()
	return w.loop.Await(w.c.Waits(), r, w.c.Why(op))
}

// knocked ends the meetings that are complete. It says that we sleep before it looks, so that whoever comes
// later knocks. The loop's lock is held.
func (w *Window) knocked() {
	if len(w.meets) == 0 {
		return
	}
	own := w.parts[w.self].ctl
	own.asleep.Store(1)
	left := w.meets[:0]
	for _, m := range w.meets {
		if w.allCame(m.number) {
			w.loop.Finish(m.req, nil)
		} else {
			left = append(left, m)
		}
	}
	if w.meets = left; len(left) == 0 {
		own.asleep.Store(0)
	}
}

// abandonMeetings ends those that will never be complete. The loop's lock is held.
func (w *Window) abandonMeetings(err error) {
	all := w.meets
	w.meets = nil
	for _, m := range all {
		w.loop.Finish(m.req, err)
	}
}
