package clock

import (
	"sync/atomic"
	"time"
)

// Bell is a doorbell for goroutines of one process.
type Bell struct {
	armed atomic.Bool
	ring  chan struct{}
	timer atomic.Pointer[time.Timer] // of the last sleeper, for the next
}

// NewBell returns a bell that nobody has rung.
func NewBell() *Bell { return &Bell{ring: make(chan struct{}, 1)} }

// Arm makes Ring wake the sleeper.
func (b *Bell) Arm() { b.armed.Store(true) }

// Disarm makes Ring do nothing, and forgets a ring that nobody heard.
func (b *Bell) Disarm() {
	b.armed.Store(false)
	select {
	case <-b.ring:
	default:
	}
}

// Sleep returns when the bell rings or limit nanoseconds have passed; 0 is no limit.
func (b *Bell) Sleep(limit int64) {
	if limit <= 0 {
		<-b.ring
		return
	}
	t := b.timer.Swap(nil) // nobody else's now
	if t == nil {
		t = time.NewTimer(time.Duration(limit))
	} else {
		t.Reset(time.Duration(limit))
	}
	select {
	case <-b.ring:
	case <-t.C:
	}
	t.Stop()
	b.timer.Store(t)
}

// Ring wakes the sleeper if there is one.
func (b *Bell) Ring() {
	if b.armed.Load() && b.armed.Swap(false) {
		b.Forward()
	}
}

// Forward passes a ring on to another sleeper.
func (b *Bell) Forward() {
	select {
	case b.ring <- struct{}{}:
	default:
	}
}
