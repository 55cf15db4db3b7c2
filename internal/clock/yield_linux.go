package clock

import "golang.org/x/sys/unix"

// Yield offers the processor to another thread that waits for it. Go's own scheduler cannot: it only knows
// goroutines of this process, while the partner we wait for is another process.
func Yield() { unix.RawSyscallNoError(unix.SYS_SCHED_YIELD, 0, 0, 0) }

// nap sleeps for d nanoseconds. An interruption may end it early.
func nap(d int64) {
	t := unix.NsecToTimespec(max(d, 0))
	_ = unix.Nanosleep(&t, nil)
}
