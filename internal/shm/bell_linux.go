package shm

import (
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Bell is a rank's doorbell: a word in the segment that is 1 while the rank sleeps.
type Bell struct{ word *uint32 }

// Arm makes peers ring from now on. The store is a full fence, so whatever a peer published before it saw
// the word is visible to the look that follows.
func (b Bell) Arm() { atomic.StoreUint32(b.word, 1) }

// Disarm makes peers stop ringing.
func (b Bell) Disarm() { atomic.StoreUint32(b.word, 0) }

// Sleep returns when the bell rings or limit nanoseconds have passed (0: no limit), and sometimes earlier.
// It is a Syscall, not a RawSyscall: a sleeper must not keep its processor from other goroutines.
func (b Bell) Sleep(limit int64) {
	const futexWait = 0
	var timeout unsafe.Pointer
	if limit > 0 {
		ts := unix.NsecToTimespec(limit)
		timeout = unsafe.Pointer(&ts)
	}
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(b.word)), futexWait, 1, uintptr(timeout), 0, 0)
}

// Ring wakes our own sleepers.
func (b Bell) Ring() { ring(b.word) }

// Forward has nothing to do: a ring wakes all sleepers.
func (b Bell) Forward() {}

// ring wakes everybody who sleeps on word, if it is armed.
func ring(word *uint32) {
	const futexWake, everybody = 1, 1 << 30
	if atomic.LoadUint32(word) == 1 && atomic.SwapUint32(word, 0) == 1 {
		unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWake, everybody, 0, 0, 0)
	}
}
