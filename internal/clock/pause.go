//go:build amd64 || arm64

package clock

// Pause tells the processor that we are polling: it takes a few nanoseconds, and leaves more of the
// core to its other thread.
func Pause()
