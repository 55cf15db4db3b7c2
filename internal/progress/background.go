package progress

import (
	"sync/atomic"
	"time"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/engine"
)

// background is the goroutine that makes progress while the program makes no calls. It starts with the
// first request that is left in flight, or at once if there is a pulse.
//
// Waking it costs microseconds, and most requests are waited for soon after they are posted. So in mode
// Auto it first looks every tick whether the program still calls the library, and sleeps on the doorbell
// only once it does not. While somebody waits, who drives, it rests.
//
// A program that computes and has nothing in flight need not be served: what comes can wait until it
// calls. But a peer that wants a message back waits for an answer. So there is a pulse: now and then,
// the background looks.
type background struct {
	stage    backstage
	waiter   waiter // stands in Loop.driver while the background drives
	state    bgState
	started  bool
	closed   bool
	busy     bool          // the program made many calls between the last two looks
	now      atomic.Bool   // a long message was left in flight on a network by a program that calls rarely: drive at once
	seen     uint64        // Loop.calls at the last look
	quiet    int           // looks in a row with nothing to do
	kick     chan struct{} // ends the pause between two looks
	done     chan struct{}
	restless bool // it looks a few times more while somebody drives, for to be kicked costs more
}

type bgState uint8

const (
	bgParked  bgState = iota // nothing is in flight: until the next beat of the pulse, or a kick
	bgResting                // somebody else waits: until a kick
	bgTicking                // looking whether the program is away
	bgAsleep                 // on the doorbell
)

const (
	tick       = 500_000 // nanoseconds between looks
	longTick   = 4e6     // at most, if the program is met in a call again and again
	fewCalls   = 8       // calls between two looks; more are a program that does not compute
	quietTicks = 4       // looks with nothing to do before parking or resting
)

func (b *background) init() {
	b.kick = make(chan struct{}, 1)
	b.done = make(chan struct{})
}

// engage makes sure that what is in flight advances though nobody waits. The lock is held.
func (l *Loop) engage() {
	l.calls++
	if l.cfg.Mode == Poll || l.cfg.Mode == Rendezvous && !l.owes() || l.bg.closed || (l.driver != nil && l.driver != &l.bg.waiter) {
		return
	}
	switch l.bg.state {
	case bgParked, bgResting:
		l.bg.quiet = 0 // it is wanted again soon: another kick would cost more than some looks
		l.rouse()
	case bgAsleep:
		l.cfg.Bell.Arm()
		l.armShared()
		if l.peek() {
			l.cfg.Bell.Ring()
		}
	}
}

// rouse has a background look that is parked or rests. The lock is held.
func (l *Loop) rouse() {
	l.bg.state = bgTicking
	l.bg.stage.rouse()
}

// Close ends the background goroutine and waits for it.
func (l *Loop) Close() {
	l.lock()
	ends := !l.bg.closed
	if ends {
		l.bg.closed = true
		l.bg.stage.nudge()
		if l.bg.state == bgAsleep {
			l.cfg.Bell.Arm()
			l.cfg.Bell.Ring()
		}
	}
	started := l.bg.started
	l.unlock()
	if started {
		l.bg.stage.join()
	}
}

func (l *Loop) background() {
	defer close(l.bg.done)
	defer l.fellOff()
	timer := time.NewTimer(0)
	defer timer.Stop()
	wanted, pause := l.cfg.Mode != Auto, time.Duration(tick)
	for {
		next, met := l.glimpse(wanted)
		if pause = min(2*pause, max(pause, longTick)); !met {
			pause = time.Duration(next)
		}
		var beat <-chan time.Time
		switch {
		case pause < 0:
			return
		case pause > 0:
			timer.Reset(pause)
			beat = timer.C
		}
		select {
		case <-beat:
			wanted = false
		case <-l.bg.kick:
			wanted, pause = l.cfg.Mode != Auto || l.bg.now.Load(), tick
		}
	}
}

// What glimpse and look answer if not in how many nanoseconds to look again.
const (
	whenKicked = 0
	never      = -1
)

// glimpse is a look with the lock, and tells in how many nanoseconds to look again. Unless it is wanted, it
// does not wait for a program that it meets in a call: that one has the messages advance, and would have to
// wake us in the middle of it.
func (l *Loop) glimpse(wanted bool) (pause int64, met bool) {
	if !l.tryLock() {
		if !wanted {
			return tick, true
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
	l.bg.now.Store(true)
	l.bg.stage.nudge()
}

// look is one turn of the background: it drives if the program is away, and tells in how many nanoseconds
// to look again. The lock is held.
func (l *Loop) look() (pause int64) {
	for !l.bg.closed {
		if l.driver == nil {
			l.letGo()
		}
		now, calls := l.bg.now.Swap(false), l.calls-l.bg.seen
		l.bg.seen = l.calls
		switch {
		case l.driver != nil && !l.bg.restless:
			l.bg.state = bgResting
			return whenKicked
		case l.driver != nil && calls == 0:
			return l.wait(bgResting, whenKicked)
		case l.driver != nil:
			return tick
		case !l.owes():
			l.bg.busy = false
			return l.beat(calls == 0)
		}
		l.bg.quiet = 0
		if !now {
			l.bg.busy = calls > fewCalls || l.bg.busy && calls > fewCalls/2
		}
		if l.cfg.Mode == Auto && calls > 0 && !now {
			return tick
		}
		if l.driveBackground(); l.cfg.Mode == Auto {
			return tick
		}
	}
	return never
}

// wait has the background pause in a state once it has found nothing to do for some ticks.
func (l *Loop) wait(state bgState, pause int64) int64 {
	if l.bg.quiet++; l.bg.quiet < quietTicks && l.bg.restless {
		return tick
	}
	l.bg.state = state
	return pause
}

// beat is a look while nothing is in flight: it polls if there is a pulse and the program is away.
func (l *Loop) beat(away bool) (pause int64) {
	if away && l.bg.state == bgParked && l.cfg.Pulse > 0 {
		l.poll()
		if l.handOver(); l.bg.state != bgParked { // something is in flight now
			return tick
		}
	}
	return l.wait(bgParked, l.cfg.Pulse)
}

// pollBackground is poll for nobody who waits.
func (l *Loop) pollBackground() bool {
	l.eng.Enter(engine.InBackground)
	defer l.eng.Enter(engine.InProgress)
	return l.poll()
}

// driveBackground polls and sleeps until nothing is in flight, somebody else drives, or a program turns out
// not to be away: it would find us in its way in each of its calls.
func (l *Loop) driveBackground() {
	me := &l.bg.waiter
	l.lead(me)
	l.bg.state = bgAsleep
	for since := l.calls; l.driver == me && l.owes() && !l.bg.closed; {
		if l.cfg.Mode == Auto && l.calls-since > fewCalls {
			l.bg.busy = true
			break
		}
		if l.foldOne(false) || l.pollBackground() {
			continue
		}
		if l.rest(me, func() int64 { return 0 }, func() bool { return !l.owes() || l.mayFold(false) }) && l.driver == me {
			l.patience.Woken()
			if l.cfg.Mode == Interrupt {
				l.spend(clock.Event, 1)
			}
		}
		if l.driver != me && l.driver != nil {
			l.cfg.Bell.Forward()
		}
	}
	l.bg.state = bgTicking
	l.bg.seen = l.calls
	if l.driver == me {
		l.driver = nil
		// We may have begun between two waiters: the second was woken to drive, was served by us and left, and a third
		// still sleeps.
		l.handOver()
	}
}
