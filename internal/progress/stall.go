package progress

import "github.com/weft-mpi/weft/internal/clock"

// Stalled tells of one goroutine that waits: for what, and for how many nanoseconds.
type Stalled struct {
	Wait
	For int64
}

// untilStall returns how long w may sleep before a stall has to be reported; it reports one that is due.
func (l *Loop) untilStall(w *waiter) int64 {
	if l.cfg.Stall <= 0 {
		return 0
	}
	now := clock.Now()
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
	l.mu.Unlock()
	if due && l.cfg.Stalled != nil {
		l.cfg.Stalled(report)
	}
	return l.cfg.Stall
}

// Waiting tells who waits for what right now.
func (l *Loop) Waiting() []Stalled {
	l.lock()
	defer l.mu.Unlock()
	return l.waiting(clock.Now())
}

func (l *Loop) waiting(now int64) (all []Stalled) {
	add := func(w *waiter) {
		for _, r := range w.reqs {
			if r != nil && r.waiter == w {
				s := Stalled{Wait: r.Wait()}
				if w.since != 0 {
					s.For = now - w.since
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
