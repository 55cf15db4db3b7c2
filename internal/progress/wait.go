package progress

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/engine"
)

// ErrStale is the answer to a handle whose request has already been waited for.
var ErrStale = errors.New("the request has already completed and been waited for")

var errWaited = fmt.Errorf("a copy of the request is being waited for already: %w", ErrStale)

// Handle names a request for as long as nobody has collected its result. The zero Handle names none.
type Handle struct {
	R   *Request
	Gen uint32
}

// Want says what Collect waits for and takes.
type Want struct {
	Need  int  // wait until this many have completed; 0: look once, do not wait
	First bool // take only the first that has completed
	All   bool // take nothing unless all have completed
}

// Collect waits until want.Need of the handles' requests have completed, then calls take for the completed
// ones in order and recycles them. Zero handles are passed over; active is how many were not zero.
func (l *Loop) Collect(ctx context.Context, hs []Handle, want Want, take func(int, *Request)) (active int, err error) {
	l.enterLightly()
	defer l.unlock()
	l.calls++
	active, done, err := l.survey(hs)
	if err != nil {
		return active, err
	}
	need := min(want.Need, active)
	if done < active && l.asides > 0 {
		if need < active || !l.awaitAside(hs) {
			l.postAside()
		}
		_, done, _ = l.survey(hs)
	}
	if done < need && len(hs) == 1 && l.spinShared(hs[0].R) {
		done = need
	}
	if done < need {
		err = l.waitSome(ctx, hs, need-done)
		if err != nil {
			return active, err
		}
	} else if want.Need == 0 && done < active {
		l.glance(func() bool { _, now, _ := l.survey(hs); return now > done })
		l.disputesOf(hs)
	} else {
		l.letGo()
	}
	if want.All {
		if _, done, _ := l.survey(hs); done < active {
			return active, nil
		}
	}
	for i, h := range hs {
		if h.R == nil || !h.R.isDone() {
			continue
		}
		if h.R.Gen != h.Gen { // the same request twice
			return active, stale(i, len(hs))
		}
		take(i, h.R)
		l.put(h.R)
		if want.First {
			break
		}
	}
	return active, nil
}

// One is Collect for a single request, whose wait no context ends: it waits until that has completed, or only looks,
// and takes it if it has. bad is nil if it has ended well.
func (l *Loop) One(h Handle, waits bool) (st engine.Status, bad *Bad, taken bool, err error) {
	l.enterLightly()
	defer l.unlock()
	l.calls++
	r := h.R
	if l.asides > 0 && !r.isDone() && (!waits || !l.awaitAside([]Handle{h})) {
		l.postAside()
	}
	switch {
	case r.Gen != h.Gen:
		return st, nil, false, stale(0, 1)
	case r.isDone():
		l.letGo()
	case !waits:
		if l.glance(r.isDone); !r.isDone() && r.Gen == h.Gen {
			return st, nil, false, nil
		}
	case r.waiter != nil: // by another goroutine
		return st, nil, false, waited(0, 1)
	case !l.spinShared(r):
		var endless context.Context
		_ = l.waitHere(endless, r, r.why) // nothing but its end ends it
	}
	if r.Gen != h.Gen { // taken by another goroutine, while the lock was free
		return st, nil, false, stale(0, 1)
	}
	st, bad = r.Status, r.Bad()
	l.put(r)
	return st, bad, true, nil
}

// Done tells whether the request of a handle has completed, and how, and leaves it to who collects it. bad is
// nil if it has ended well.
func (l *Loop) Done(h Handle) (st engine.Status, bad *Bad, done bool, err error) {
	l.enter()
	defer l.unlock()
	l.calls++
	r := h.R
	if r.Gen == h.Gen && !r.isDone() {
		l.glance(r.isDone)
	}
	switch {
	case r.Gen != h.Gen:
		return st, nil, false, stale(0, 1)
	case !r.isDone():
		return st, nil, false, nil
	}
	return r.Status, r.Bad(), true, nil
}

// survey counts the handles that name a request and those whose request has completed.
func (l *Loop) survey(hs []Handle) (active, done int, err error) {
	for i, h := range hs {
		if h.R == nil {
			continue
		}
		if h.R.Gen != h.Gen {
			return active, done, stale(i, len(hs))
		}
		active++
		if h.R.isDone() {
			done++
		}
	}
	return active, done, nil
}

func stale(i, n int) error  { return fmt.Errorf("request %d of %d: %w", i, n, ErrStale) }
func waited(i, n int) error { return fmt.Errorf("request %d of %d: %w", i, n, errWaited) }

// waitSome waits until need more of the requests have completed.
func (l *Loop) waitSome(ctx context.Context, hs []Handle, need int) error {
	w := l.newWaiter()
	w.need = need
	var err error
	for i, h := range hs {
		switch r := h.R; {
		case r == nil || r.isDone():
		case r.waiter != nil: // by another goroutine, or named twice here
			err = waited(i, len(hs))
		default:
			w.watch(r)
		}
	}
	if err == nil {
		err = l.await(ctx, w)
	}
	for _, r := range w.reqs {
		if r.waiter == w {
			r.waiter = nil
		}
	}
	l.freeWaiter(w)
	return err
}

// Free lets go of a request: it runs to its end and nobody collects it.
func (l *Loop) Free(h Handle) error {
	l.lock()
	defer l.unlock()
	if h.R == nil || h.R.Gen != h.Gen {
		return ErrStale
	}
	if h.R.isDone() {
		l.put(h.R)
		return nil
	}
	h.R.Gen++
	h.R.flags |= detached
	return nil
}

func (l *Loop) newWaiter() *waiter {
	w := l.spare
	if w == nil {
		return &waiter{wake: make(chan struct{}, 1)}
	}
	l.spare = w.next
	w.next = nil
	return w
}

func (l *Loop) freeWaiter(w *waiter) {
	w.need, w.spun, w.interrupted, w.since, w.site = 0, 0, false, 0, ""
	w.reqs = w.reqs[:0] // requests are never freed, so the stale pointers behind keep nothing alive
	w.next = l.spare
	l.spare = w
}

// watch makes r's completion count for w.
func (w *waiter) watch(r *Request) {
	r.waiter = w
	w.reqs = append(w.reqs, r)
}

// await blocks until w's need is met or ctx ends. The lock is held on entry and exit, not between.
func (l *Loop) await(ctx context.Context, w *waiter) error {
	l.calls++
	if ctx != nil && ctx.Done() != nil {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		defer l.door.heed(ctx, w)()
	}
	for w.need > 0 && !w.ended() {
		switch {
		case l.foldOne(true):
		case l.driver == nil || l.driver == &l.bg.waiter:
			l.drive(w)
		default:
			l.park(w)
		}
	}
	if w.need > 0 {
		return context.Cause(ctx)
	}
	return nil
}

// interrupt ends a wait whose context has ended.
func (l *Loop) interrupt(w *waiter) {
	l.lock()
	defer l.unlock()
	w.interrupted = true
	l.fire(w)
}

// park sleeps until w fires or is to drive.
func (l *Loop) park(w *waiter) {
	w.parked = true
	if w.since == 0 {
		w.since = l.clock.Now()
	}
	l.parked = append(l.parked, w)
	l.unlock()
	l.door.park(w)
	l.lock()
	for i, p := range l.parked {
		if p == w {
			l.parked = append(l.parked[:i], l.parked[i+1:]...)
			break
		}
	}
	if w.need == 0 || w.interrupted { // woken to drive perhaps, but leaving
		l.handOver()
	}
}

// unpark lets a parked waiter go on.
func (l *Loop) unpark(w *waiter) {
	w.parked = false
	l.door.unpark(w)
}

// lead makes w the driver.
func (l *Loop) lead(w *waiter) { l.driver, l.away, l.woke = w, false, false }

// drive polls for everybody until w's own need is met, or the program's code is to reduce, then hands over. A
// message that comes while we spin is taken without another round of locking; to yield or sleep we let go of
// the lock.
func (l *Loop) drive(w *waiter) {
	l.lead(w)
	vain := false // the last poll found nothing, and nobody has slept since the last that did
	for idle := w.spun; w.need > 0 && !w.ended() && len(l.folds) == 0; {
		if l.poll() {
			if vain {
				l.patience.Answered()
			}
			idle, vain = 0, false
			if l.woke && w.need > 0 {
				l.giveWay()
			}
			continue
		}
		if l.spin(&idle) || l.pass(&idle) {
			vain = true
			continue
		}
		l.patience.Slept()
		l.doze(w)
		idle, vain = 0, false
	}
	l.driver = nil
	l.handOver()
}

// giveWay lets those go on whom the driver has woken, before it polls on: a switch of goroutines takes a
// fraction of a microsecond, while another thread that is to run them would wait for the processor that we
// poll on.
func (l *Loop) giveWay() {
	l.away = true
	l.unlock()
	l.door.cede()
	l.lock()
	l.away, l.woke = false, false
}

// pass lets a moment pass after a poll in vain, the idle-th in a row, and tells whether to poll again
// rather than to sleep.
func (l *Loop) pass(idle *int) (again bool) {
	policy := l.patience.Policy
	l.away = true
	l.unlock()
	for l.rivals.Load() > 0 {
		runtime.Gosched() // they take the lock before we do
	}
	var before, took int64
	if l.cfg.Learns {
		before = l.clock.Now()
	}
	if again = policy.Pass(*idle); again {
		*idle++
	}
	if l.cfg.Learns {
		took = l.clock.Now() - before
	}
	l.lock()
	l.away = false
	if again && l.cfg.Learns {
		l.patience.Yielded(took)
	}
	return again
}

// Learned tells what the rank has learned about its waits.
func (l *Loop) Learned() clock.Learned {
	l.lock()
	defer l.unlock()
	return l.patience.Learned()
}

// handOver finds a new driver if nobody drives: the oldest waiter that sleeps, else the background. Waiters
// that have been woken already are passed over: they may leave without driving.
func (l *Loop) handOver() {
	if l.driver != nil {
		return
	}
	for _, w := range l.parked {
		if w.parked {
			l.unpark(w)
			return
		}
	}
	switch {
	case l.owes():
		l.engage()
	case l.cfg.Pulse > 0 && l.bg.state == bgResting && !l.bg.closed:
		l.bg.quiet = quietTicks
		l.rouse()
	}
}

// spin polls with the lock held for as long as nobody else wants it, and tells whether there is something.
func (l *Loop) spin(idle *int) bool {
	for ; *idle < l.patience.Spins && l.rivals.Load() == 0; *idle++ {
		if l.peekOften(*idle) {
			return true
		}
		clock.Pause()
	}
	return false
}

// doze is the rest of a driver that waits for requests.
func (l *Loop) doze(w *waiter) {
	if w.since == 0 {
		w.since = l.clock.Now()
	}
	l.rest(w, func() int64 { return w.lookAgain(l.nap(w)) }, func() bool {
		return w.need == 0 || w.ended() || len(l.folds) > 0 || l.waitedLong(w) && l.settleDisputes()
	})
}

// rest has the driver w sleep until the doorbell rings or a link is due, but no longer than limit says (0:
// no limit). It does not sleep if something has come or over says that the wait is: both are looked at once
// the bell is armed, so that no ring gets lost. over is called with the lock held, limit without; the lock
// is held on entry and exit, not between. It tells whether the driver has slept.
func (l *Loop) rest(w *waiter, limit func() int64, over func() bool) (slept bool) {
	bell := l.cfg.Bell
	l.away = true
	bell.Arm()
	l.armShared()
	busy := l.flush() || l.peek()
	l.carry()
	busy = busy || over() || l.holds()
	l.unlock()
	if !busy {
		bell.Sleep(l.untilDue(limit()))
	}
	l.lock()
	if l.driver == w { // else somebody has taken over, who sees to both
		bell.Disarm()
		l.away = false
	}
	return !busy
}
