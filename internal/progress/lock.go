package progress

import (
	"sync"
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/clock"
)

// mutex guards a loop.
type mutex struct {
	mu     sync.Mutex
	rivals atomic.Int32 // goroutines that wait for mu
	gate   *Gate        // what guests take, too; nil: there are none
	adopt  func()       // see Admit
}

// lock takes the lock and lets a driver that polls with it held know that it is wanted.
func (l *Loop) lock() {
	l.lockLightly()
	if l.asides > 0 {
		l.postAside()
	}
}

// lockLightly is lock for somebody who leaves receives that stand aside alone, or sees to them.
func (l *Loop) lockLightly() {
	if !l.mu.TryLock() {
		l.door.lock()
	}
	if l.gate != nil {
		l.comeIn()
	}
}

// enter is the beginning of a call of the library: it takes the lock.
func (l *Loop) enter() {
	l.lock()
	l.spend(clock.Call, 1)
}

// enterLightly is enter for a call that takes the lock lightly.
func (l *Loop) enterLightly() {
	l.lockLightly()
	l.spend(clock.Call, 1)
}

// unlock gives the lock back.
func (l *Loop) unlock() {
	if l.gate != nil {
		l.leaveGate()
	}
	l.door.unlock()
}

// tryLock is lock for somebody who does not wait, neither for a goroutine nor for a guest.
func (l *Loop) tryLock() bool {
	if !l.mu.TryLock() {
		return false
	}
	if l.gate != nil {
		if !l.gate.try() {
			l.mu.Unlock()
			return false
		}
		l.come()
	}
	if l.asides > 0 {
		l.postAside()
	}
	return true
}
