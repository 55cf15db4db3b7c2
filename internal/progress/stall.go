package progress

import (
	"cmp"
	"slices"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/wire"
)

// Stalled tells of one goroutine that waits: for what, and for how many nanoseconds.
type Stalled struct {
	Wait
	For  int64
	Site string // file and line of the call, if known
	// Holding are processes that may only offer messages, because so many bytes of those that have
	// come wait for receives here.
	Holding    []int
	Unreceived int
	// Unasked are messages that have come and that no receive asks for, by sender and tag; the first wait
	// alone tells of them.
	Unasked []Unasked
}

// Unasked is a message that has come and that no receive asks for.
type Unasked struct {
	engine.Status
	Away bool // it is on another communicator than the call that waits
}

// untilStall returns how long w may sleep before a stall has to be reported; it reports one that is due.
func (l *Loop) untilStall(w *waiter) int64 {
	if l.cfg.Stall <= 0 {
		return 0
	}
	now := l.clock.Now()
	if left := w.since + l.cfg.Stall - now; left > 0 {
		return left
	}
	l.lock()
	due := now-l.lastWarned >= l.cfg.Stall || l.lastWarned == 0
	var report []Stalled
	if due {
		l.lastWarned = now
		report = l.waiting(now)
	}
	l.unlock()
	if due && l.cfg.Stalled != nil {
		l.cfg.Stalled(report)
	}
	return l.cfg.Stall
}

// siteAfter is how long somebody waits before it is worth finding out where in the program: much longer than
// messages take, much shorter than people wait before they ask.
const siteAfter = 100_000_000

// waitedLong tells that w has been waiting for that long.
func (l *Loop) waitedLong(w *waiter) bool { return l.clock.Now()-w.since >= siteAfter }

// nap returns how long w may sleep: until a stall has to be reported, or, the first time, until it
// is worth noting where the program waits and looking for ranks that chose another algorithm. It is
// called by the goroutine that waits.
func (l *Loop) nap(w *waiter) int64 {
	limit := l.untilStall(w)
	if left := w.since + siteAfter - l.clock.Now(); left > 0 {
		return sooner(limit, left)
	}
	if l.cfg.Site == nil || w.site != "" {
		return limit
	}
	site := l.cfg.Site()
	l.lock()
	w.site = site
	l.unlock()
	return limit
}

// Waiting tells who waits for what right now. Who has not slept yet, and perhaps never does, waits from the first time
// on that somebody asks.
func (l *Loop) Waiting() []Stalled {
	l.lock()
	defer l.unlock()
	now := l.clock.Now()
	for _, w := range append(l.parked[:len(l.parked):len(l.parked)], l.driver) {
		if w != nil && w != &l.bg.waiter && w.since == 0 {
			w.since = now
		}
	}
	return l.waiting(now)
}

// Unreceived is how many bytes messages take here that have come and that no receive has asked for.
func (l *Loop) Unreceived() (bytes int) {
	l.lock()
	defer l.unlock()
	_, bytes = l.eng.Holding()
	return bytes
}

func (l *Loop) waiting(now int64) (all []Stalled) {
	add := func(w *waiter) {
		for _, r := range w.reqs {
			if r != nil && r.waiter == w {
				s := Stalled{Wait: r.Wait(), Site: w.site}
				s.Holding, s.Unreceived = l.eng.Holding()
				if w.since != 0 {
					s.For = now - w.since
				}
				if len(all) == 0 {
					s.Unasked = l.unasked(r)
				}
				all = append(all, s)
			}
		}
	}
	if l.driver != nil && l.driver != &l.bg.waiter {
		add(l.driver)
	}
	for _, w := range l.parked {
		add(w)
	}
	return all
}

// unasked finds the messages that nobody asks for while r waits.
func (l *Loop) unasked(r *Request) (all []Unasked) {
	home := r.Ctx
	if r.task != nil {
		home = wire.ContextOf(r.task.ctx, wire.Messages)
	}
	l.eng.EachUnasked(func(ctx uint32, st engine.Status) {
		if wire.ContextKind(ctx) == wire.Messages {
			all = append(all, Unasked{st, ctx != home})
		}
	})
	slices.SortFunc(all, func(a, b Unasked) int { return cmp.Or(cmp.Compare(a.Peer, b.Peer), cmp.Compare(a.Tag, b.Tag)) })
	return all
}
