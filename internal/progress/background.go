package progress

import (
	"time"

	"github.com/weft-mpi/weft/internal/clock"
)

// background is the goroutine that makes progress while the program computes. It starts with the first
// request that is left in flight.
//
// Waking it costs microseconds, and most requests are waited for soon after they are posted. So in mode
// Auto it first looks every tick whether the program still calls the library, and sleeps on the doorbell
// only once it does not.
type background struct {
	waiter  waiter // stands in Loop.driver while the background drives
	state   bgState
	kick    chan struct{}
	done    chan struct{}
	started bool
	closed  bool
	task    *clock.Task   // virtual time: instead of the goroutine
	first   int64         // likewise: in how many nanoseconds it is to look first
	kicked  bool          // likewise: it has been kicked
	seen    uint64        // Loop.calls at the last tick
	quiet   int           // ticks in a row with nothing in flight
	nudge   chan struct{} // ends the pause between two looks
	busy    bool          // the program made many calls between the last two looks
	over    chan struct{} // ends the pulse
	still   chan struct{} // it has ended; nil if there is none
	now     bool          // a long message was left in flight on a network by a program that calls rarely: drive at once
}

type bgState uint8

const (
	bgParked  bgState = iota // waiting for kick
	bgTicking                // looking whether the program is away
	bgAsleep                 // on the doorbell
)

const (
	tick       = 500_000 // nanoseconds between looks
	longTick   = 4e6     // at most, if the program is met in a call again and again
	fewCalls   = 8       // calls between two looks; more are a program that does not compute
	quietTicks = 4       // ticks with nothing in flight before parking
)

func (b *background) init() {
	b.kick = make(chan struct{}, 1)
	b.done = make(chan struct{})
	b.nudge = make(chan struct{}, 1)
	b.over = make(chan struct{})
}

// engage makes sure that what is in flight advances though nobody waits. The lock is held.
func (l *Loop) engage() {
	l.calls++
	if l.cfg.Mode == Poll || l.bg.closed || (l.driver != nil && l.driver != &l.bg.waiter) {
		return
	}
	switch l.bg.state {
	case bgParked:
		if l.virtual != nil {
			l.bg.state = bgTicking
			l.kickTask()
			return
		}
		if !l.bg.started {
			l.bg.started = true
			go l.background()
		}
		l.bg.state, l.bg.quiet = bgTicking, 0 // it is wanted again soon: another kick would cost more than some looks
		l.bg.kick <- struct{}{}
	case bgAsleep:
		l.cfg.Bell.Arm()
		l.armShared()
		if l.peek() {
			l.cfg.Bell.Ring()
		}
	}
}

// Close ends the background goroutine and waits for it.
func (l *Loop) Close() {
	l.lock()
	ends := !l.bg.closed
	if ends {
		l.bg.closed = true
		close(l.bg.kick)
		close(l.bg.over)
		if l.bg.state == bgAsleep {
			l.cfg.Bell.Arm()
			l.cfg.Bell.Ring()
		}
	}
	started := l.bg.started
	l.unlock()
	if l.virtual != nil { // it ends by itself, or has been ended
		return
	}
	if started && ends {
		<-l.bg.done
	}
	if l.bg.still != nil {
		<-l.bg.still
	}
}

func (l *Loop) background() {
	defer close(l.bg.done)
	defer l.fellOff()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for range l.bg.kick {
		wanted, pause := l.cfg.Mode != Auto, time.Duration(tick)
		for again := true; again; {
			var met bool
			if again, met = l.glimpse(wanted); !again || l.cfg.Mode != Auto {
				continue
			}
			if pause = min(2*pause, longTick); !met {
				pause = tick
			}
			timer.Reset(pause)
			select {
			case <-timer.C:
				wanted = false
			case <-l.bg.nudge:
				wanted = true
			}
		}
	}
}

// glimpse is a look with the lock, and tells whether to look again. Unless it is wanted, it does not wait for a program that it meets
// in a call: that one has the messages advance, and would have to wake us in the middle of it.
func (l *Loop) glimpse(wanted bool) (again, met bool) {
	if !l.mu.TryLock() {
		if !wanted {
			return true, true
		}
		l.lock()
	}
	defer l.unlock()
	return l.look(), false
}

// leaveNow has a long message advance at once that a program which calls rarely has left in flight. The lock is held.
func (l *Loop) leaveNow() {
	if l.bg.busy {
		return
	}
	l.bg.now = true
	if l.virtual != nil {
		if l.bg.task != nil && l.bg.state == bgTicking {
			l.bg.task.Wake()
		}
		return
	}
	select {
	case l.bg.nudge <- struct{}{}:
	default:
	}
}

// look is one turn of the background: it drives if the program is away, and tells whether to look again. The lock is held.
func (l *Loop) look() (again bool) {
	if l.bg.closed {
		return false
	}
	if l.driver == nil {
		l.letGo()
	}
	now := l.bg.now
	l.bg.now = false
	if !l.owes() {
		l.bg.busy = false
		l.bg.quiet++
		if l.bg.quiet >= quietTicks || l.cfg.Mode == Wake {
			l.bg.state = bgParked
			return false
		}
		return true
	}
	l.bg.quiet = 0
	calls := l.calls - l.bg.seen
	l.bg.seen = l.calls
	if !now {
		l.bg.busy = calls > fewCalls || l.bg.busy && calls > fewCalls/2
	}
	switch {
	case l.driver != nil && (l.cfg.Mode == Wake || l.virtual != nil): // whoever drives engages us again when it leaves
		l.bg.state = bgParked
		return false
	case l.driver != nil, l.cfg.Mode == Auto && calls > 0 && !now:
		return true
	}
	l.driveBackground()
	return true
}

// driveBackground polls and sleeps until nothing is in flight, somebody else drives, or a program turns out not to be away: it
// would find us in its way in each of its calls.
func (l *Loop) driveBackground() {
	me := &l.bg.waiter
	l.driver = me
	l.bg.state = bgAsleep
	for since := l.calls; l.driver == me && l.owes() && !l.bg.closed; {
		if l.cfg.Mode == Auto && l.calls-since > fewCalls {
			l.bg.busy = true
			break
		}
		if l.poll() {
			continue
		}
		l.cfg.Bell.Arm()
		l.armShared()
		busy := l.flush() || l.peek()
		l.carry()
		busy = busy || l.holds()
		l.away = true
		l.unlock()
		if !busy {
			l.cfg.Bell.Sleep(l.untilDue(0))
		}
		l.lock()
		l.away = l.away && l.driver != me
		if l.driver != me && l.driver != nil {
			l.cfg.Bell.Forward()
		}
	}
	l.bg.state = bgTicking
	l.bg.seen = l.calls
	if l.driver == me {
		l.driver = nil
		l.cfg.Bell.Disarm()
		// We may have begun between two waiters: the second was woken to drive, was served by us and left, and a third
		// still sleeps.
		l.handOver()
	}
}
