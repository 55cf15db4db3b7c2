package clock

import "golang.org/x/sys/unix"

// processorTime is the time that this process has had processors for, in nanoseconds.
func processorTime() int64 {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t) != nil {
		return Now()
	}
	return t.Nano()
}
