//go:build !amd64 && !arm64

package clock

// Pause does nothing: there is no instruction here that tells the processor that we are polling.
func Pause() {}
