package sim

import (
	"slices"

	"github.com/weft-mpi/weft/internal/clock"
)

// Bell is a doorbell in virtual time. Arm, Disarm and Sleep are for the tasks of one rank; anybody may ring.
type Bell struct {
	s        *clock.Scheduler
	armed    bool
	rung     bool // and nobody slept
	sleepers []*clock.Task
	why      func() string
}

// NewBell returns a bell that nobody has rung.
func NewBell(s *clock.Scheduler) *Bell {
	return &Bell{s: s, why: func() string { return "sleeps until its doorbell rings" }}
}

// Arm makes Ring wake the sleeper.
func (b *Bell) Arm() { b.armed = true }

// Disarm makes Ring do nothing, and forgets a ring that nobody heard.
func (b *Bell) Disarm() { b.armed, b.rung = false, false }

// Sleep returns when the bell rings or limit nanoseconds have passed; 0 is no limit. Outside of tasks it returns at once.
func (b *Bell) Sleep(limit int64) {
	b.s.Settle()
	t := b.s.Current()
	if b.rung || t == nil {
		b.rung = false
		return
	}
	b.sleepers = append(b.sleepers, t)
	b.s.Wait(max(limit, 0), b.why)
	if i := slices.Index(b.sleepers, t); i >= 0 {
		b.sleepers = slices.Delete(b.sleepers, i, i+1)
	}
}

// Ring wakes who sleeps, if the bell is armed.
func (b *Bell) Ring() {
	if b.armed {
		b.armed = false
		b.Forward()
	}
}

// Forward wakes who sleeps, or else who sleeps next.
func (b *Bell) Forward() {
	if len(b.sleepers) == 0 {
		b.rung = true
	}
	for _, t := range b.sleepers {
		t.Wake()
	}
}
