package rail

import (
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Bell is the doorbell of a rank that waits for nothing but this link: who sleeps at it drives the device
// meanwhile, so that an arriving message wakes one thread and not two.
type Bell struct {
	cq    verbs.CQ
	armed atomic.Bool
}

// Bell returns the link's own doorbell. It is of use if Config.Bell is nil.
func (l *Link) Bell() *Bell { return &l.bell }

// Arm makes Ring wake the sleeper.
func (b *Bell) Arm() { b.armed.Store(true) }

// Disarm makes Ring do nothing.
func (b *Bell) Disarm() { b.armed.Store(false) }

// File is an eventfd: a write to it, by whomever, has Sleep ask Config.Rung. There is none, -1, with
// devices that do not sleep at sockets.
func (b *Bell) File() int { return b.cq.Doorbell() }

// Sleep returns when something has come, the bell rings, Config.Rung says so or limit nanoseconds have
// passed (0: no limit).
func (b *Bell) Sleep(limit int64) {
	if limit <= 0 {
		limit = -1
	}
	b.cq.Wait(limit)
}

// Ring wakes the sleeper if there is one. Any goroutine may call it, callbacks of the device included.
func (b *Bell) Ring() {
	if b.armed.Load() && b.armed.Swap(false) {
		b.cq.Wake()
	}
}

// Forward passes a ring on to another sleeper.
func (b *Bell) Forward() { b.cq.Wake() }
