package clock

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
)

// Scheduler is virtual time, and who runs in it. Tasks are goroutines of which exactly one runs; it goes on
// until it waits, and then the next event in time has its turn. Nothing depends on the machine: the same
// tasks with the same seed do the same things at the same nanoseconds.
//
// All methods but NewScheduler, Go and Run are for tasks and events, which is to say for the one that runs.
type Scheduler struct {
	now     int64
	queue   heap
	spare   []*event
	order   uint64
	chance  *rand.Rand // breaks ties between tasks; nil: first come, first served
	current *Task      // nil while an event runs
	beneath *Task      // the task on whose stack events run, nil if on none's
	tasks   []*Task
	alive   int // tasks that have to end before Run does
	switches,
	events uint64
	limit  int64
	failed error
	ending bool
	turns  func(t *Task, begins bool) // see Turns
}

// ErrLimit is the end of a run that takes longer, in virtual time, than its limit.
var ErrLimit = errors.New("virtual time is up")

// Deadlock is the end of a run in which everybody waits and nothing is going to happen.
type Deadlock struct {
	At    int64
	Waits []string // one line per task that has not ended
}

func (d *Deadlock) Error() string {
	return fmt.Sprintf("deadlock at %d ns: nobody can run and nothing is going to happen\n  %s", d.At, strings.Join(d.Waits, "\n  "))
}

// NewScheduler returns a scheduler at time 0. With a seed other than 0, tasks that become ready at the same
// nanosecond run in an order that depends on it.
func NewScheduler(seed uint64) *Scheduler {
	s := &Scheduler{limit: 1<<63 - 1}
	if seed != 0 {
		s.chance = rand.New(rand.NewPCG(seed, 0x5eed))
	}
	return s
}

// Limit makes Run end with ErrLimit at a time.
func (s *Scheduler) Limit(at int64) { s.limit = at }

// Turns has f told, in real time, when tasks begin and end to run. It must not change anything.
func (s *Scheduler) Turns(f func(t *Task, begins bool)) { s.turns = f }

// Task is one line of execution.
type Task struct {
	s      *Scheduler
	name   string
	daemon bool
	local  int64 // its own time: ahead of the scheduler's by what it was charged and has not yet waited out
	resume func() (struct{}, bool)
	stop   func()
	yield  func(struct{}) bool
	timer  *event // that lets it run again
	waits  bool
	rung   bool // Wake came while it did not wait
	dead   bool
	doomed bool // was killed by an event on its own stack
	why    func() string
}

// killed is what ends a task that is stopped from outside; it unwinds the task's stack.
type killed struct{}

// Go starts a task, at the caller's time.
func (s *Scheduler) Go(name string, f func()) *Task { return s.start(name, false, f) }

// Daemon starts a task that Run does not wait for; it is stopped at the end.
func (s *Scheduler) Daemon(name string, f func()) *Task { return s.start(name, true, f) }

func (s *Scheduler) start(name string, daemon bool, f func()) *Task {
	t := &Task{s: s, name: name, daemon: daemon, local: s.Now()}
	t.resume, t.stop = iter.Pull(func(yield func(struct{}) bool) {
		t.yield = yield
		defer t.end()
		f()
	})
	s.tasks = append(s.tasks, t)
	if !daemon {
		s.alive++
	}
	t.ready(t.local)
	return t
}

// end notes that a task is over, and why if that was not its own idea.
func (t *Task) end() {
	t.dead = true
	if !t.daemon {
		t.s.alive--
	}
	switch p := recover(); p.(type) {
	case nil, killed:
	default:
		if t.s.failed == nil {
			t.s.failed = fmt.Errorf("%s: panic: %v\n%s", t.name, p, debug.Stack())
		}
	}
}

// Run runs the tasks until all but daemons have ended. It fails if one panics, with a *Deadlock, or
// with ErrLimit. A task that calls runtime.Goexit has ended like any other.
func (s *Scheduler) Run() (err error) {
	defer s.stopAll()
	for !apart(func() { err = s.runAll() }) {
		s.current = nil
	}
	return err
}

// apart calls f on a goroutine of its own and tells whether it has returned: a task that calls
// runtime.Goexit takes the goroutine along that has let it run.
func apart(f func()) (returned bool) {
	over := make(chan struct{})
	var panicked any
	go func() {
		defer close(over)
		defer func() { panicked = recover() }()
		f()
		returned = true
	}()
	<-over
	if panicked != nil {
		panic(panicked)
	}
	return returned
}

// runAll is Run as far as no task ends it.
func (s *Scheduler) runAll() error {
	for s.alive > 0 && s.failed == nil {
		next := s.queue.first()
		if next == nil {
			return s.deadlock()
		}
		if next.at > s.limit {
			return fmt.Errorf("%w: %d ns\n  %s", ErrLimit, s.limit, strings.Join(s.waits(), "\n  "))
		}
		s.step()
	}
	return s.failed
}

// step lets the first event happen.
func (s *Scheduler) step() {
	m := s.queue.pop()
	s.now = m.at
	if t := m.e.task; t != nil {
		s.recycle(m.e)
		t.timer = nil
		t.run()
		return
	}
	s.happen(m.e)
}

// happen runs a function that was to run now.
func (s *Scheduler) happen(e *event) {
	f := e.f
	s.recycle(e)
	s.events++
	was := s.current
	s.current = nil
	f()
	s.current = was
}

// run lets a task go on until it waits.
func (t *Task) run() {
	s := t.s
	if t.dead {
		return
	}
	t.local = max(t.local, s.now)
	s.current = t
	s.switches++
	if s.turns != nil {
		s.turns(t, true)
	}
	t.resume()
	if s.turns != nil {
		s.turns(t, false)
	}
	s.current = nil
}

func (s *Scheduler) deadlock() error { return &Deadlock{At: s.now, Waits: s.waits()} }

// waits tells what each task waits for.
func (s *Scheduler) waits() []string {
	var lines []string
	for _, t := range s.tasks {
		if t.dead || t.daemon {
			continue
		}
		line := t.name + ": is running"
		if t.waits && t.why != nil {
			line = t.name + ": " + t.why()
		} else if t.waits {
			line = t.name + ": waits"
		}
		lines = append(lines, line)
	}
	return lines
}

// stopAll unwinds the tasks that are left, so that no goroutine stays.
func (s *Scheduler) stopAll() {
	s.ending = true
	for _, t := range slices.Clone(s.tasks) {
		t.stopNow()
	}
	for _, m := range s.queue.rest() { // what is left of them can be cancelled still
		m.e.spot = 0
		m.e.gen++
	}
	s.tasks, s.queue, s.current = nil, heap{}, nil
}

func (t *Task) stopNow() {
	if !t.dead {
		t.s.current = t
		t.dead, t.local = true, t.s.now
		if !t.daemon {
			t.s.alive--
			t.daemon = true
		}
		apart(t.stop)
		t.s.current = nil
	}
}

// Kill ends another task where it stands, as a crash would: nothing of it runs again but what it has deferred.
func (t *Task) Kill() {
	switch t {
	case t.s.current:
		panic(killed{})
	case t.s.beneath: // what kills it has to come to its end first
		t.doomed = true
		return
	}
	was := t.s.current
	t.s.drop(t.timer)
	t.timer = nil
	t.stopNow()
	t.s.current = was
}

// Name is what the task was called when it was started.
func (t *Task) Name() string { return t.name }

// Current is the task that runs, nil while an event does.
func (s *Scheduler) Current() *Task { return s.current }

// Now is the time of who runs.
func (s *Scheduler) Now() int64 {
	if t := s.current; t != nil {
		return t.local
	}
	return s.now
}

// Time is how far everything has happened: the running task may be ahead of it.
func (s *Scheduler) Time() int64 { return s.now }

// Charge makes the task that runs busy for d nanoseconds: its own time goes on at once, everybody else's
// when it next waits or settles. What it sends until then is sent late, as it should be; what it looks at
// it should settle for first.
func (s *Scheduler) Charge(d int64) {
	if t := s.current; t != nil && d > 0 {
		t.local += d
	}
}

// Settle lets everything happen that happens until the running task's own time.
func (s *Scheduler) Settle() {
	t := s.current
	if t == nil {
		return
	}
	t.live()
	for s.now < t.local {
		next := s.queue.first()
		if later := next == nil || next.at > t.local; later && t.local <= s.limit {
			s.now = t.local
			return
		} else if later || next.e.task != nil {
			t.ready(t.local)
			t.suspend()
			return
		}
		m := s.queue.pop()
		s.now = m.at
		s.beneath = t
		s.happen(m.e)
		s.beneath = nil
		if t.doomed {
			t.local = s.now
			panic(killed{})
		}
	}
}

// Sleep lets d nanoseconds pass for the task that runs.
func (s *Scheduler) Sleep(d int64) {
	s.Charge(max(d, 0))
	s.Settle()
}

// Yield lets everybody run who is ready now.
func (s *Scheduler) Yield() {
	s.Settle()
	if t := s.current; t != nil {
		t.ready(s.now)
		t.suspend()
	}
}

// Wait lets the running task wait until Wake, or for limit nanoseconds (0: for ever), and tells whether it
// was woken. why says what for, in a deadlock's report; it may be nil.
func (s *Scheduler) Wait(limit int64, why func() string) bool {
	t := s.current
	t.live()
	if t.rung {
		s.Settle()
		t.rung = false
		return true
	}
	if limit > 0 {
		t.ready(t.local + limit)
	} else if t.local > s.limit { // nobody may wake it before the end, which must be seen to have come
		t.ready(t.local)
		t.suspend()
	}
	t.waits, t.why = true, why
	t.suspend()
	woken := t.rung
	t.waits, t.why, t.rung = false, nil, false
	return woken
}

// Wake ends the task's Wait, or its next one if it does not wait. A task that was charged goes on when its
// own time has come.
func (t *Task) Wake() {
	if t.rung || t.dead {
		return
	}
	t.rung = true
	if s := t.s; t.waits {
		if at := max(s.now, t.local); t.timer == nil || s.when(t.timer) > at {
			s.drop(t.timer)
			t.ready(at)
		}
	}
}

// ready lets the task run at a time.
func (t *Task) ready(at int64) {
	luck := uint32(0)
	if t.s.chance != nil {
		luck = t.s.chance.Uint32()
	}
	t.timer = t.s.plan(at, luck, t, nil)
}

// suspend gives the turn away.
func (t *Task) suspend() {
	t.live()
	if !t.yield(struct{}{}) {
		panic(killed{})
	}
}

// live unwinds a task that has been stopped and yet wants to do something.
func (t *Task) live() {
	if t.dead {
		panic(killed{})
	}
}

// At has f called at a time, by which nothing else runs. f must not wait. Cancel undoes it.
func (s *Scheduler) At(at int64, f func()) Timer {
	e := s.plan(max(at, s.now), 0, nil, f)
	return Timer{e, e.gen}
}

// Timer is a call that is going to happen.
type Timer struct {
	e   *event
	gen uint32
}

// Cancel undoes At and tells whether it was in time.
func (s *Scheduler) Cancel(t Timer) bool {
	if t.e == nil || t.e.gen != t.gen {
		return false
	}
	s.drop(t.e)
	return true
}

// Stats tells how often a task was given its turn, and how many events have happened.
func (s *Scheduler) Stats() (switches, events uint64) { return s.switches, s.events }
