package progress

import (
	"context"
	"runtime"
)

// door is how the goroutines of a rank wait: for the lock, and for each other. There are two: a host's, where they
// are what Go makes of them, and that of virtual time. Both are a backstage, too.
type door interface {
	lock()   // waits for the lock, which somebody else has
	unlock() // gives it back
	// park returns after unpark, or when w has been interrupted. The lock is not held, but in unpark.
	park(w *waiter)
	unpark(w *waiter)
	// heed has w interrupted when ctx ends, until stop is called. The lock is held for both.
	heed(ctx context.Context, w *waiter) (stop func())
	// yield lets others of the process run; in virtual time, for d nanoseconds. The lock is not held.
	yield(d int64)
	cede() // lets those go on whom the caller has woken. The lock is not held
}

// backstage is who lets the background look. The lock is held, but in join.
type backstage interface {
	rouse() // has it look, and starts it if it has not been
	nudge() // ends a pause between two looks
	join()  // waits until it has ended
	kill()  // ends it where it stands; nobody needs that on a host
}

// host is the door of a rank on a host.
type host struct{ l *Loop }

func (h host) lock() {
	h.l.rivals.Add(1)
	h.l.mu.Lock()
	h.l.rivals.Add(-1)
}

func (h host) unlock() { h.l.mu.Unlock() }

func (h host) park(w *waiter) { <-w.wake }

func (h host) unpark(w *waiter) { w.wake <- struct{}{} }

func (h host) yield(int64) { runtime.Gosched() }

// cede yields twice: at every 61st turn Go's scheduler takes one from the queue of those that have yielded before it
// looks at those that have been woken, and would go on with the very goroutine that gives way.
func (h host) cede() {
	runtime.Gosched()
	runtime.Gosched()
}

func (h host) heed(ctx context.Context, w *waiter) (stop func()) {
	l := h.l
	over := make(chan struct{})
	cancel := context.AfterFunc(ctx, func() { l.interrupt(w); close(over) })
	return func() {
		if !cancel() { // the interruption is under way: let it finish before w is recycled
			l.unlock()
			<-over
			l.lock()
		}
	}
}

func (h host) rouse() {
	if !h.l.bg.started {
		h.l.bg.started = true
		go h.l.background()
	}
	h.nudge()
}

func (h host) nudge() {
	select {
	case h.l.bg.kick <- struct{}{}:
	default:
	}
}

func (h host) join() { <-h.l.bg.done }

func (h host) kill() {}

// Locked calls f while nothing else touches the links.
func (l *Loop) Locked(f func()) {
	l.lock()
	defer l.unlock()
	f()
}
