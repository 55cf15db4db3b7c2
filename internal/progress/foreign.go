package progress

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/plan"
)

// A reduction of the program's may take long, call the library, or wait for a lock that a goroutine
// holds which waits for ours. So it never runs under the loop's lock. A step of a plan that reduces
// by it is put down as a fold; whoever is inside a call of the program, and has nothing better to do
// than to wait, takes folds up one by one, lets go of the lock and of driving, runs them, and tells
// the plan. If nobody is in a call the background does, unless the function must run on the
// program's own threads: then the fold waits for a call.

// Foreign tells whose code the reduction of a plan is, and so who runs it.
type Foreign uint8

// Whose a reduction is.
const (
	Ours    Foreign = iota // the library's: it runs under the lock, where its step is reached
	Anybody                // the program's: any goroutine runs it
	Callers                // the program's: only goroutines run it that are inside a call of the program
)

// foreign is a reduction of the program's; the zero one is none.
type foreign struct {
	reduce plan.Combine
	whose  Foreign
}

// fold is a step that reduces by the program's code and that nobody has taken up.
type fold struct {
	t         *task
	step      *plan.Step
	dst, src  []byte
	index     int // of the step
	withdrawn bool
}

// ErrAborted is the end of everything in a rank, or in all.
var ErrAborted = errors.New("job aborted")

var errGoexit = fmt.Errorf("%w: a reduction of this rank's called runtime.Goexit and did not return", ErrAborted)

// Reduce puts a reduction of the program's down, and wakes a driver that sleeps to take it up.
func (t *task) Reduce(s *plan.Step, dst, src []byte, step int) {
	l := t.loop
	l.folds = append(l.folds, fold{t: t, step: s, dst: dst, src: src, index: step})
	if l.away {
		l.cfg.Bell.Ring()
	}
}

// mayFold tells whether there is a fold for a goroutine that is inside a call of the program, or is not.
func (l *Loop) mayFold(inCall bool) bool {
	return len(l.folds) > 0 && l.nextFold(inCall) >= 0
}

func (l *Loop) nextFold(inCall bool) int {
	return slices.IndexFunc(l.folds, func(f fold) bool { return inCall || f.t.own.whose == Anybody })
}

// foldOne runs the oldest fold that its caller may run, if there is one, and has the plan go on. The
// lock is held on entry and exit, not between, and the caller does not drive.
func (l *Loop) foldOne(inCall bool) bool {
	if len(l.folds) == 0 {
		return false
	}
	i := l.nextFold(inCall)
	if i < 0 {
		return false
	}
	f := l.folds[i]
	l.folds = slices.Delete(l.folds, i, i+1)
	l.spend(clock.Reduce, len(f.dst))
	l.runFold(f)
	// A plan that has failed elsewhere must not go on: it would post receives that nobody ends.
	l.endFold(f, cmp.Or(l.failed, l.barredFrom(f.t.ctx)))
	l.carry()
	return true
}

// foldAll runs folds for as long as there are some, for a call that does not wait.
func (l *Loop) foldAll() {
	for l.foldOne(true) {
		continue
	}
}

// runFold calls the program, without the lock. If the reduction panics or ends its goroutine, the
// rank cannot go on: the plan's peers wait for what it will never send.
func (l *Loop) runFold(f fold) {
	reduce, returned := f.t.own.reduce, false
	l.unlock()
	defer func() {
		if returned {
			l.lock()
			return
		}
		p, why := recover(), errGoexit
		if p != nil {
			why = fmt.Errorf("%w: a reduction of this rank's panicked: panic: %v\n%s", ErrAborted, p, debug.Stack())
		}
		if l.cfg.Broken != nil {
			l.cfg.Broken(why) // before others find out what follows from it
		}
		l.lock()
		f.t.silent = true // the end of this rank tells the others more
		l.endFold(f, why)
		l.fail(why)
		if p != nil {
			panic(p)
		}
	}()
	reduce(f.dst, f.src, f.step.SrcFirst)
	returned = true
}

// endFold tells the plan of a fold that it has ended, well or with err.
func (l *Loop) endFold(f fold, err error) {
	if f.t.run.Done(f.index, err) {
		l.endTask(f.t, f.t.run.Err())
	}
}

// withdrawFold ends the fold of a step with the next look at shared things, if nobody has taken it up.
func (t *task) withdrawFold(step int) {
	for i := range t.loop.folds {
		if f := &t.loop.folds[i]; f.t == t && f.index == step {
			f.withdrawn = true
			t.loop.stirred = true
		}
	}
}

// dropFolds ends the folds that nobody is to take up any more, and tells whether there was one.
func (l *Loop) dropFolds() (dropped bool) {
	for i := 0; i < len(l.folds); {
		f := l.folds[i]
		if !f.withdrawn && l.failed == nil {
			i++
			continue
		}
		dropped = true
		l.folds = slices.Delete(l.folds, i, i+1)
		l.endFold(f, cmp.Or(l.failed, engine.ErrCancelled))
	}
	return dropped
}

// fellOff notes that the background has ended, perhaps because of a reduction: what is in flight
// has ended too, and the program's calls say why.
func (l *Loop) fellOff() {
	l.lock()
	l.bg.closed = true
	if l.driver == &l.bg.waiter {
		l.driver = nil
		l.handOver()
	}
	l.unlock()
	if l.cfg.Broken != nil {
		_ = recover() // whoever was told has the panic's words and stack
	}
}
