package progress

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/weft-mpi/weft/internal/plan"
)

// Reductions that the program has made (Bound.Foreign) are the only code of the program's that runs
// inside the loop: with the lock held, in the midst of a plan, on whichever goroutine of the rank
// drives. One that panics or ends its goroutine unwinds all of that. The rank cannot go on then,
// for the plan's peers wait for what it will never send; but whoever else is in the loop must be
// told, and whoever ends the job must find the lock free. So every call that takes the lock defers
// to give it back, and what a reduction leaves behind is put in order before its stack is unwound.

// ErrAborted is the end of everything in a rank, or in all.
var ErrAborted = errors.New("job aborted")

var errGoexit = fmt.Errorf("%w: a reduction of this rank's called runtime.Goexit and did not return", ErrAborted)

// guarded is a reduction of the program's that calls torn, with the lock held, if f does not return.
func (l *Loop) guarded(f plan.Combine, torn func(error)) plan.Combine {
	return func(dst, src []byte, srcFirst bool) {
		returned := false
		l.foreign.Store(true)
		defer func() {
			l.foreign.Store(false)
			if returned {
				return
			}
			p, why := recover(), errGoexit
			if p != nil {
				why = fmt.Errorf("%w: a reduction of this rank's panicked: panic: %v\n%s", ErrAborted, p, debug.Stack())
			}
			if l.cfg.Broken != nil {
				l.cfg.Broken(why) // before others find out what follows from it
			}
			torn(why)
			l.breakOff(why)
			if p != nil {
				panic(p)
			}
		}()
		f(dst, src, srcFirst)
		returned = true
	}
}

// breakOff ends everything in flight though somebody is in the midst of carrying it out, who will
// not go on. That may be the driver; if another one is, it finds that it has nothing more to wait
// for.
func (l *Loop) breakOff(why error) {
	l.carrying = false
	l.fail(why)
	l.driver = nil
	l.handOver()
}

// tear ends a task whose plan is in the midst of a step that will never end. Neither it nor its run
// is used again. Ranks that share memory with it are not told: the end of this one tells them more.
func (l *Loop) tear(t *task, why error) {
	for i, r := range t.reqs {
		if r != nil { // it ends by itself, and nobody wants to know
			r.task, t.reqs[i] = nil, nil
			r.flags |= detached
		}
	}
	t.awaits = nil
	if r := t.whole; r != nil {
		r.task, r.Err = nil, why
		r.flags |= finished
		l.complete(r)
	}
}

// fellOff notes that the background has ended, perhaps because of a reduction: what is in flight
// has ended too, and the program's calls say why.
func (l *Loop) fellOff() {
	l.lock()
	l.bg.closed = true
	l.unlock()
	if l.cfg.Broken != nil {
		_ = recover() // whoever was told has the panic's words and stack
	}
}

// refuseForeign panics if the calling goroutine is in a reduction of the program's: it would wait
// for itself for ever.
func (l *Loop) refuseForeign() {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); strings.Contains(f.Function, "(*Loop).guarded.") {
			panic("mpi: a reduction has called the library, which waits for it to return; only Comm.Abort may be called there")
		}
	}
}

// Foreign tells whether a reduction of the program's is running: whoever asks may be that one, and
// must not wait for the lock.
func (l *Loop) Foreign() bool { return l.foreign.Load() }
