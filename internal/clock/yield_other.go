//go:build !linux

package clock

import (
	"runtime"
	"time"
)

// Yield offers the processor to other goroutines; there is nothing better to call here.
func Yield() { runtime.Gosched() }

func nap(d int64) { time.Sleep(time.Duration(d)) }
