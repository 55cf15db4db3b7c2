package clock

import "slices"

// TaskBell is a doorbell for tasks of a scheduler. One ring wakes everybody who sleeps at it.
type TaskBell struct {
	s        *Scheduler
	why      func() string
	armed    bool
	rung     bool // since it was armed
	sleepers []*Task
}

// NewTaskBell returns a bell that nobody has rung. why tells what its sleepers wait for, in a deadlock's
// report; it may be nil.
func NewTaskBell(s *Scheduler, why func() string) *TaskBell { return &TaskBell{s: s, why: why} }

// Arm makes Ring wake the sleepers, and forgets a ring that nobody heard.
func (b *TaskBell) Arm() { b.armed, b.rung = true, false }

// Disarm makes Ring do nothing, and forgets likewise.
func (b *TaskBell) Disarm() { b.armed, b.rung = false, false }

// Sleep returns when the bell rings, unless it has rung since it was armed, or when limit nanoseconds have
// passed (0: no limit). It may return early. Who runs outside of tasks cannot sleep.
func (b *TaskBell) Sleep(limit int64) {
	t := b.s.Current()
	if b.rung || t == nil {
		b.rung = false
		return
	}
	b.sleepers = append(b.sleepers, t)
	b.s.Wait(limit, b.why)
	if i := slices.Index(b.sleepers, t); i >= 0 {
		b.sleepers = slices.Delete(b.sleepers, i, i+1)
	}
}

// Ring wakes the sleepers if the bell is armed.
func (b *TaskBell) Ring() {
	if b.armed {
		b.armed = false
		b.Forward()
	}
}

// Forward wakes them in any case.
func (b *TaskBell) Forward() {
	b.rung = true
	for _, t := range b.sleepers {
		t.Wake()
	}
}

// Killed tells whether what recover returned is the end of a task that was stopped from outside. Who
// recovers it panics with it again.
func Killed(recovered any) bool {
	_, is := recovered.(killed)
	return is
}
