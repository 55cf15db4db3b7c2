//go:build !amd64

package shm

import "unsafe"

// prefetchWrite asks for the line at p before we write it; here there is no cheap way to.
func prefetchWrite(unsafe.Pointer) {}

// prefetchLines does the same for n lines.
func prefetchLines(unsafe.Pointer, int) {}
