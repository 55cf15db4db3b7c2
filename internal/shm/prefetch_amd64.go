package shm

import "unsafe"

// prefetchWrite asks for the line at p, which we are going to write, before we do.
//
//go:noescape
func prefetchWrite(p unsafe.Pointer)
