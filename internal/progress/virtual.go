package progress

import (
	"context"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/wire"
)

// In virtual time (Config.Virtual) the goroutines of a rank are tasks of a scheduler, of which one runs: nobody may block for
// real, whoever waits does so through the scheduler, and what the processor does is charged to the rank's clock. A task may
// be suspended inside a call of a link, with the loop's lock held.

// spend charges the rank's processor with work. On a host that takes what it takes.
func (l *Loop) spend(w clock.Work, n int) {
	if l.virtual != nil {
		l.clock.Spend(w, n)
	}
}

// enter is the beginning of a call of the library: it takes the lock.
func (l *Loop) enter() {
	if l.virtual == nil && l.mu.TryLock() { // most calls
		return
	}
	l.lock()
	l.spend(clock.Call, 1)
}

// lockTask takes the lock in virtual time. Outside of tasks nobody else runs, and who held the lock has been ended.
func (l *Loop) lockTask() {
	for !l.mu.TryLock() {
		t := l.virtual.Current()
		if t == nil {
			return
		}
		l.rivalTasks = append(l.rivalTasks, t)
		l.virtual.Wait(0, nil)
	}
}

// unlockTask gives the lock back in virtual time, and lets those run who want it once it is free by everybody's time. A
// task that is ended while it waits unlocks what it does not hold.
func (l *Loop) unlockTask() {
	if len(l.rivalTasks) > 0 {
		l.virtual.Settle()
	}
	l.mu.TryLock()
	l.mu.Unlock()
	for _, t := range l.rivalTasks {
		t.Wake()
	}
	l.rivalTasks = l.rivalTasks[:0]
}

// parkTask sleeps until w is unparked or its context ends. The lock is not held.
func (l *Loop) parkTask(w *waiter) {
	w.task = l.virtual.Current()
	for w.parked {
		l.virtual.Wait(l.lookAgain(w, 0), nil)
		if w.ended() {
			w.parked = false
		}
	}
}

// unpark lets a parked waiter go on.
func (l *Loop) unpark(w *waiter) {
	w.parked = false
	if l.virtual != nil {
		w.task.Wake()
		return
	}
	w.wake <- struct{}{}
}

// contextPause is how often a task looks whether the context of its wait has ended, in nanoseconds.
const contextPause = 10_000

// lookAgain shortens a sleep (0: for ever) to when w's context has to be looked at.
func (l *Loop) lookAgain(w *waiter, limit int64) int64 {
	if w.ctx == nil {
		return limit
	}
	if limit == 0 {
		return contextPause
	}
	return min(limit, contextPause)
}

// ended tells whether w's context has, and interrupts w then.
func (w *waiter) ended() bool {
	if w.ctx != nil && w.ctx.Err() != nil {
		w.interrupted = true
	}
	return w.interrupted
}

// awaitTask is await for a task: contexts are looked at, because nothing else runs that could tell.
func (l *Loop) awaitTask(ctx context.Context, w *waiter) error {
	if ctx != nil && ctx.Done() != nil {
		w.ctx = ctx
		defer func() { w.ctx = nil }()
	}
	for w.need > 0 && !w.ended() {
		if l.driver == nil || l.driver == &l.bg.waiter {
			l.driveTask(w)
		} else {
			l.park(w)
		}
	}
	if w.need > 0 {
		return context.Cause(ctx)
	}
	return nil
}

// driveTask is drive in virtual time. Nothing comes between a poll and the sleep after it but what rings the armed bell, so it
// polls once.
func (l *Loop) driveTask(w *waiter) {
	l.driver = w
	bell := l.cfg.Bell
	for w.need > 0 && !w.ended() {
		bell.Arm()
		l.armShared()
		if l.poll() || w.need == 0 || l.settleDisputes() {
			continue
		}
		if w.since == 0 {
			w.since = l.clock.Now()
		}
		limit := int64(0)
		if at := l.due(); at != 0 {
			limit = max(at-l.clock.Now(), 1)
		}
		l.away = true
		l.unlock()
		bell.Sleep(l.lookAgain(w, limit))
		l.lock()
		l.away = false
	}
	bell.Disarm()
	l.driver = nil
	l.handOver()
}

// glanceTask lets a moment pass after a poll that found nothing and, by its clock, took no time: a program that loops on
// calls that do not wait would never see time go by.
func (l *Loop) glanceTask(since int64) {
	if l.clock.Now() == since {
		l.unlock()
		l.clock.Sleep(glancePause)
		l.lock()
	}
}

const glancePause = 50

// taskSpins is how often a task looks, with the lock held, for a short message that may be caught: a few times, for each has its price.
const taskSpins = 8

// serveTask is serve in virtual time: the task drives, if nobody else does.
func (l *Loop) serveTask(limit int64, over func() bool) {
	w := l.newWaiter()
	for len(l.timed) > 0 && !over() {
		if l.driver == nil || l.driver == &l.bg.waiter {
			l.driver = w
		}
		if !l.poll() {
			l.restTask(w, limit, over)
		}
	}
	if l.driver == w {
		l.driver = nil
		l.handOver()
	}
	l.freeWaiter(w)
}

// restTask sleeps until the doorbell rings or a link is due, unless it is over: the ring that told so may have come while the
// bell was not armed. The lock is held on entry and exit, not between.
func (l *Loop) restTask(w *waiter, limit int64, over func() bool) {
	bell := l.cfg.Bell
	bell.Arm()
	l.armShared()
	busy := over() || l.flush() || l.peek()
	l.carry()
	l.away = l.away || l.driver == w
	l.unlock()
	if !busy {
		bell.Sleep(l.untilDue(limit))
	}
	bell.Disarm()
	l.lock()
	l.away = l.away && l.driver != w
}

// backgroundTask is background in virtual time.
func (l *Loop) backgroundTask() {
	for !l.bg.closed {
		if !l.bg.kicked {
			l.virtual.Wait(0, nil)
			continue
		}
		l.bg.kicked = false
		if l.cfg.Mode == Auto {
			l.clock.Sleep(l.bg.first)
		}
		for pause, _ := l.glimpse(true); pause > 0; pause, _ = l.glimpse(true) {
			l.virtual.Wait(pause, nil)
		}
	}
}

// kickTask has the background look, and starts it with the first kick. In mode Auto its first look would find that the program
// has just called, so it is left out.
func (l *Loop) kickTask() {
	l.bg.kicked, l.bg.seen, l.bg.first = true, l.calls, tick
	if l.bg.now.Load() || l.holds() {
		l.bg.first = soon
	}
	if !l.bg.started {
		l.bg.started = true
		l.bg.task = l.virtual.Daemon(l.cfg.Name, l.backgroundTask)
		return
	}
	l.bg.task.Wake()
}

// soon is how long after a call, in virtual time, the background sees to what cannot wait for a tick: the time that it takes to
// wake a thread.
const soon = 5_000

// Kill ends the background where it stands, as the end of its process would. It is for virtual time.
func (l *Loop) Kill() {
	l.bg.closed = true
	if l.bg.task != nil {
		l.bg.task.Kill()
	}
}

// Ring wakes whoever sleeps in Serve, to look again whether it is over.
func (l *Loop) Ring() { l.cfg.Bell.Ring() }

// meter is a sink that charges the rank's processor with what it passes on to the engine.
type meter struct {
	wire.Sink
	loop *Loop
}

func (m *meter) Arrive(peer int, h *wire.Header, payload []byte) {
	m.loop.spend(clock.Packet, 1)
	m.loop.spend(clock.Copy, len(payload))
	m.Sink.Arrive(peer, h, payload)
}

func (m *meter) Begin(peer int, h *wire.Header) ([]byte, any) {
	m.loop.spend(clock.Packet, 1)
	return m.Sink.Begin(peer, h)
}

// Place charges for a packet that a receive waits for, as Begin does.
func (m *meter) Place(peer int, h *wire.Header) (dst []byte, token any) {
	if dst, token = m.Sink.Place(peer, h); token != nil {
		m.loop.spend(clock.Packet, 1)
	}
	return dst, token
}

// ReadDone and WriteDone charge nothing: a device that reports them has charged for the report.

// chargeKept charges for a message that had come before its receive: it was kept, and is copied once more.
func (l *Loop) chargeKept(r *Request) {
	if l.virtual != nil && r.Req.Done() {
		l.spend(clock.Copy, min(r.Status.Len, len(r.Buf)))
	}
}

// meterCombine charges what a plan combines.
func (l *Loop) meterCombine(combine plan.Combine) plan.Combine {
	if combine == nil {
		return nil
	}
	return func(dst, src []byte, srcFirst bool) {
		l.spend(clock.Reduce, len(dst))
		combine(dst, src, srcFirst)
	}
}
