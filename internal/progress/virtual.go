package progress

import (
	"context"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/wire"
)

// In virtual time (Config.Virtual) the goroutines of a rank are tasks of a scheduler, of which one runs:
// nobody may block for real, whoever waits does so through the scheduler, and what the processor does is
// charged to the rank's clock. A task may be suspended inside a call of a link, with the loop's lock held.

// virtual is the door of a rank in virtual time.
type virtual struct {
	*clock.Scheduler
	l      *Loop
	rivals []*clock.Task // who waits for the lock
	bg     *clock.Task   // the background
	first  int64         // in how many nanoseconds it is to look first
	kicked bool          // it is to
}

// lock waits for the lock. Outside of tasks nobody else runs, and who held the lock has been ended.
func (v *virtual) lock() {
	for !v.l.mu.TryLock() {
		t := v.Current()
		if t == nil {
			return
		}
		v.rivals = append(v.rivals, t)
		v.Wait(0, nil)
	}
}

// unlock lets those run who want the lock once it is free by everybody's time. A task that is ended while
// it waits unlocks what it does not hold.
func (v *virtual) unlock() {
	if len(v.rivals) > 0 {
		v.Settle()
	}
	v.l.mu.TryLock()
	v.l.mu.Unlock()
	for _, t := range v.rivals {
		t.Wake()
	}
	v.rivals = v.rivals[:0]
}

func (v *virtual) park(w *waiter) {
	w.task = v.Current()
	for w.parked {
		v.Wait(w.lookAgain(0), nil)
		if w.ended() {
			w.parked = false
		}
	}
}

func (v *virtual) unpark(w *waiter) { w.task.Wake() }

// heed has w look whether its context has ended, because nothing else runs that could tell.
func (v *virtual) heed(ctx context.Context, w *waiter) (stop func()) {
	w.ctx = ctx
	return func() { w.ctx = nil }
}

// contextPause is how often a task looks whether the context of its wait has ended, in nanoseconds.
const contextPause = 10_000

// lookAgain shortens a sleep (0: for ever) to when w's context has to be looked at.
func (w *waiter) lookAgain(limit int64) int64 {
	if w.ctx == nil {
		return limit
	}
	return sooner(limit, contextPause)
}

// ended tells whether w has been interrupted, or should be.
func (w *waiter) ended() bool {
	if w.ctx != nil && w.ctx.Err() != nil {
		w.interrupted = true
	}
	return w.interrupted
}

// yield lets time pass: a program that loops on calls that do not wait would never see it go by.
func (v *virtual) yield(d int64) { v.l.clock.Sleep(d) }

func (v *virtual) cede() { v.yield(0) }

// taskSpins is how often a task looks, with the lock held, for a short message that may be caught: a few
// times, for each has its price.
const taskSpins = 8

// background is that of a host, as a task.
func (v *virtual) background() {
	l := v.l
	for !l.bg.closed {
		if !v.kicked {
			v.Wait(0, nil)
			continue
		}
		v.kicked = false
		if l.cfg.Mode == Auto {
			l.clock.Sleep(v.first)
		}
		for pause, _ := l.glimpse(true); pause > 0; pause, _ = l.glimpse(true) {
			v.Wait(pause, nil)
		}
	}
}

// rouse has the background look. In mode Auto its first look would find that the program has just called,
// so it is left out.
func (v *virtual) rouse() {
	l := v.l
	v.kicked, l.bg.seen, v.first = true, l.calls, tick
	if l.bg.now.Load() || l.holds() {
		v.first = soon
	}
	if v.bg == nil {
		l.bg.started = true
		v.bg = v.Daemon(l.cfg.Name, v.background)
		return
	}
	v.bg.Wake()
}

func (v *virtual) nudge() {
	if v.bg != nil && v.l.bg.state == bgTicking {
		v.bg.Wake()
	}
}

// join does not wait: the background ends by itself, or has been ended.
func (v *virtual) join() {}

func (v *virtual) kill() {
	if v.bg != nil {
		v.bg.Kill()
	}
}

// soon is how long after a call, in virtual time, the background sees to what cannot wait for a tick: the
// time that it takes to wake a thread.
const soon = 5_000

// spend charges the rank's processor with work. On a host that takes what it takes.
func (l *Loop) spend(w clock.Work, n int) {
	if l.priced {
		l.clock.Spend(w, n)
	}
}

// Kill ends the background where it stands, as the end of its process would. It is for virtual time.
func (l *Loop) Kill() {
	l.bg.closed = true
	l.bg.stage.kill()
}

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
	if l.priced && r.Req.Done() {
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
