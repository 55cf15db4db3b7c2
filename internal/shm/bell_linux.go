package shm

import (
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A rank's doorbell is a word in the segment that tells where the rank sleeps. One that waits for nothing
// but the segment sleeps on the word itself. One that has sockets to watch, too, sleeps at these, where
// others reach it by a file: an eventfd of its own, of which each of them has got a descriptor (see
// OpenBells).
const (
	awake  uint32 = iota
	onWord        // it is woken as a futex
	atFile        // it is woken by a write to its file
)

// chime is how we ring one rank of the segment.
type chime struct {
	word *uint32
	file int // our descriptor of its file, once OpenBells has got one
}

// ring wakes the rank if it sleeps.
func (c *chime) ring() {
	if atomic.LoadUint32(c.word) != awake {
		c.wake()
	}
}

// wake wakes everybody who sleeps there, unless somebody else has just done so.
func (c *chime) wake() {
	const futexWake, everybody = 1, 1 << 30
	switch atomic.SwapUint32(c.word, awake) {
	case onWord:
		unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(c.word)), futexWake, everybody, 0, 0, 0)
	case atFile:
		one := uint64(1)
		unix.RawSyscall(unix.SYS_WRITE, uintptr(c.file), uintptr(unsafe.Pointer(&one)), 8) // fails only if the count reaches 2^64-1
	}
}

// Bell is a rank's own doorbell.
type Bell struct{ chime *chime }

// Bell returns the rank's doorbell.
func (l *Link) Bell() Bell { return Bell{&l.chimes[l.cfg.Self]} }

// Arm makes peers ring from now on. The store is a full fence, so whatever a peer published before it saw
// the word is visible to the look that follows.
func (b Bell) Arm() { atomic.StoreUint32(b.chime.word, onWord) }

// ArmFile is Arm for a rank that will sleep at its file, not in Sleep. All ranks of the segment must have opened it.
func (b Bell) ArmFile() { atomic.StoreUint32(b.chime.word, atFile) }

// Rung tells whether somebody has rung since the bell was armed, or it has been disarmed.
func (b Bell) Rung() bool { return atomic.LoadUint32(b.chime.word) == awake }

// Disarm makes peers stop ringing.
func (b Bell) Disarm() { atomic.StoreUint32(b.chime.word, awake) }

// Sleep returns when the bell rings or limit nanoseconds have passed (0: no limit), and sometimes earlier.
// It is a Syscall, not a RawSyscall: a sleeper must not keep its processor from other goroutines.
func (b Bell) Sleep(limit int64) {
	const futexWait = 0
	var timeout unsafe.Pointer
	if limit > 0 {
		ts := unix.NsecToTimespec(limit)
		timeout = unsafe.Pointer(&ts)
	}
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(b.chime.word)), futexWait, uintptr(onWord), uintptr(timeout), 0, 0)
}

// Ring wakes our own sleepers. Any goroutine may call it.
func (b Bell) Ring() { b.chime.ring() }

// Forward has nothing to do: a ring wakes all sleepers.
func (b Bell) Forward() {}

// OfferBell says at which file the rank may sleep, before any rank of the segment opens it.
func (l *Link) OfferBell(fd int) { atomic.StoreUint32(l.seg.file(l.cfg.Self), uint32(fd)+1) }

// openBells gets descriptors of the files of all ranks, our own included, and tells whether it has them
// all. They are kept until the process ends: a rank that is ringing must not meet a descriptor that now is
// somebody else's.
func (l *Link) openBells() bool {
	for r := range l.chimes {
		fd := int(atomic.LoadUint32(l.seg.file(r))) - 1
		if fd < 0 {
			return false
		}
		var err error
		if l.chimes[r].file, err = descriptorOf(int(atomic.LoadUint32(l.seg.pid(r))), fd); err != nil {
			return false
		}
	}
	return true
}

// descriptorOf returns a descriptor of ours for the file that another process has open as fd. The kernel
// allows it to whom it allows to read that process's memory.
func descriptorOf(pid, fd int) (int, error) {
	process, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return -1, err
	}
	defer unix.Close(process)
	return unix.PidfdGetfd(process, fd, 0)
}
