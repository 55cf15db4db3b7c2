//go:build !linux

package clock

import "runtime"

// Yield offers the processor to other goroutines; there is nothing better to call here.
func Yield() { runtime.Gosched() }
