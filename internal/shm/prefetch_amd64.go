package shm

import "unsafe"

// prefetchWrite asks for the line at p, which we are going to write, before we do.
//
//go:noescape
func prefetchWrite(p unsafe.Pointer)

// prefetchRead asks for the line at p, which a peer has written and we are going to read.
//
//go:noescape
func prefetchRead(p unsafe.Pointer)

// prefetchLines is prefetchWrite for n lines from p on; n is not 0.
//
//go:noescape
func prefetchLines(p unsafe.Pointer, n int)
