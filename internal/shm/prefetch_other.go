//go:build !amd64

package shm

import "unsafe"

// prefetchWrite asks for the line at p before we write it; here there is no cheap way to.
func prefetchWrite(unsafe.Pointer) {}

// prefetchRead asks for the line at p before we read it.
func prefetchRead(unsafe.Pointer) {}

// prefetchLines is prefetchWrite for n lines.
func prefetchLines(unsafe.Pointer, int) {}
