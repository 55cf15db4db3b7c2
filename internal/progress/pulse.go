package progress

import "time"

// A program that computes and has nothing in flight is served by nobody, and need not be: what
// comes can wait until it calls. But a peer that wants a message back waits for an answer. So there
// is a pulse: now and then, somebody looks.

// pulse looks with every tick, until Close.
func (l *Loop) pulse() {
	defer close(l.bg.still)
	defer func() { // of a reduction that panicked
		if l.cfg.Broken != nil {
			_ = recover() // whoever was told has the panic's words and stack
		}
	}()
	t := time.NewTicker(time.Duration(l.cfg.Pulse))
	defer t.Stop()
	seen := ^uint64(0) // no number of calls
	for {
		select {
		case <-l.bg.over:
			return
		case <-t.C:
			seen = l.beat(seen)
		}
	}
}

// beat polls once if the program has made no call since the last beat, when seen were counted, and
// nobody else drives. It does not wait for who has the lock: that one has packets answered.
func (l *Loop) beat(seen uint64) uint64 {
	if !l.mu.TryLock() {
		return seen
	}
	defer l.unlock()
	if calls := l.calls; calls != seen {
		return calls
	}
	if l.driver == nil && !l.bg.closed {
		l.poll()
		l.handOver()
	}
	return l.calls
}
