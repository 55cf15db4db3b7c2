package progress

// Timed is a link that has things to do at certain times though nothing arrives, and a device that can go on by itself.
type Timed interface {
	// Due is when Poll has to be called at the latest, in nanoseconds of clock.Now; 0 for never.
	Due() int64
	// Urgent tells whether somebody has to drive until then, although no request is in flight: packets that were
	// sent may have to be sent again.
	Urgent() bool
	// Arm tells that nobody polls from now on, as a Bell's Arm does: the device should see to what is in flight, and to
	// what peers do to our memory meanwhile.
	Arm()
	// Idle tells whether peers have everything that was sent to them.
	Idle() bool
	// Holds tells whether short messages wait for more of their kind, to leave together with the next Poll.
	Holds() bool
	// LetGo sends them now. It delivers nothing.
	LetGo()
}

// due is when the next link wants to be polled, 0 for never. The lock is held.
func (l *Loop) due() (at int64) {
	for _, t := range l.timed {
		if d := t.Due(); d != 0 && (at == 0 || d < at) {
			at = d
		}
	}
	return at
}

// untilDue shortens how long a sleeper may sleep (0: for ever) to when a link wants to be polled.
func (l *Loop) untilDue(limit int64) int64 {
	if l.timed == nil {
		return limit
	}
	l.lock()
	at := l.due()
	l.unlock()
	if at == 0 {
		return limit
	}
	return sooner(limit, max(at-l.clock.Now(), 1))
}

// sooner is the shorter of a limit (0: none) and another one.
func sooner(limit, other int64) int64 {
	if limit == 0 {
		return other
	}
	return min(limit, other)
}

// urgent tells whether a link has to be driven though no request is in flight. The lock is held.
func (l *Loop) urgent() bool {
	for _, t := range l.timed {
		if t.Urgent() {
			return true
		}
	}
	return false
}

// letGo has links send what they hold back. Nothing arrives meanwhile, so a plan may be in the midst of its
// steps. The lock is held.
func (l *Loop) letGo() {
	for _, t := range l.timed {
		t.LetGo()
	}
}

// holds tells whether a link holds something back.
func (l *Loop) holds() bool {
	for _, t := range l.timed {
		if t.Holds() {
			return true
		}
	}
	return false
}

// leaveMin is the length from which a message that is left in flight on a network should advance soon
// though nobody waits.
const leaveMin = 64 << 10

// leaveLong notes that n bytes are left in flight. Where nobody makes progress in the background, the
// links' devices go on by themselves, as hardware would. The lock is held.
func (l *Loop) leaveLong(n int) {
	if n < leaveMin || l.timed == nil {
		return
	}
	if l.cfg.Mode != Poll {
		l.leaveNow()
		return
	}
	for _, t := range l.timed {
		t.Arm()
	}
}

// sentQuick has somebody drive a link that may have to send a packet again, or holds it back, though its
// request has ended.
func (l *Loop) sentQuick() {
	l.letGoFor()
	if l.urgent() {
		l.engage()
	}
}

// letGoFor lets go of what was held back for a driver that is away, which may sleep until something comes.
// Whoever has posted a request that has not ended drives it, or leaves it to the background: nobody else
// has to be woken.
func (l *Loop) letGoFor() {
	if l.driver != nil && l.away {
		l.letGo()
	}
}

// Settle drives the links until peers have everything that was sent to them, but no longer than limit nanoseconds.
func (l *Loop) Settle(limit int64) {
	end := l.clock.Now() + limit
	l.serve(limit, func() bool {
		idle := true
		for _, t := range l.timed {
			idle = idle && (t.Idle() || l.failed != nil)
		}
		return idle || l.clock.Now() >= end
	})
}

// Serve drives the links for the sake of peers that still need us, until over says that none does. What
// they do not know then they need not know: an acknowledgement that got lost is not waited for. over is
// called with the lock held, until it says so; Ring has it called.
func (l *Loop) Serve(over func() bool) { l.serve(0, over) }

func (l *Loop) serve(limit int64, over func() bool) {
	l.lock()
	defer l.unlock()
	w, said := l.newWaiter(), false
	ended := func() bool {
		said = said || over()
		return said
	}
	for len(l.timed) > 0 && !ended() {
		if l.driver == nil || l.driver == &l.bg.waiter {
			l.lead(w)
		}
		switch {
		case l.poll():
		case l.driver == w:
			l.rest(w, func() int64 { return limit }, ended)
		default: // somebody else drives
			l.unlock()
			l.clock.Sleep(servePause)
			l.lock()
		}
	}
	if l.driver == w {
		l.driver = nil
		l.handOver()
	}
	l.freeWaiter(w)
}

// servePause is how often who serves looks while somebody else drives, in nanoseconds.
const servePause = 1_000_000

// Ring wakes whoever sleeps in Serve, to look again whether it is over.
func (l *Loop) Ring() { l.cfg.Bell.Ring() }
