//go:build rdma && linux && (amd64 || arm64)

package ffi

import (
	"errors"
	"runtime"
	"syscall"
	"unsafe"

	_ "github.com/ebitengine/purego" // the half of cgo that is in the runtime
)

// cgocall runs a C function on the system's stack. The runtime keeps it for purego, whose import makes it work.
//
//go:linkname cgocall runtime.cgocall
//go:noescape
func cgocall(fn, arg unsafe.Pointer) int32

// call is a call of a C function, which its owner keeps, so that nothing is allocated. The trampoline knows
// the order of the fields.
type call struct {
	fn, a1, a2, a3, a4, a5 uintptr
	result                 uintptr
	where                  uintptr // the function that tells where errno is, or 0 if nobody asks for it
	errno                  int32
}

// trampolineABI0 is the address of the trampoline.
var trampolineABI0 uintptr

// do makes the call and gives the result as C's int. What the words point to is on the heap, and kept alive
// by the caller.
func (c *call) do() int32 {
	cgocall(pointer(trampolineABI0), unsafe.Pointer(c))
	return int32(c.result)
}

// pointer is an address of C as a pointer.
func pointer(at uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&at)) }

// load reads a value of C's.
func load[T any](at, offset uintptr) T { return *(*T)(unsafe.Add(pointer(at), offset)) }

// address is where a value on the heap is; it is there until the caller lets go of it.
func address[T any](p *T) uintptr {
	if escape.always {
		escape.to = unsafe.Pointer(p)
	}
	return uintptr(unsafe.Pointer(p))
}

// escape makes the compiler keep what C looks at off the stacks, which move.
var escape struct {
	always bool
	to     unsafe.Pointer
}

// failed turns what a function that answers with an error number says into an error; some drivers say it negative.
func failed(code int32) error {
	if code == 0 {
		return nil
	}
	return syscall.Errno(max(code, -code))
}

// rare makes a call of a function whose arguments change.
func (l *library) rare(fn uintptr, args []uintptr) *call {
	c := &call{fn: fn, where: l.errnoLocation}
	copy(unsafe.Slice(&c.a1, 5), args)
	c.do()
	return c
}

var errUnsaid = errors.New("the driver does not say why")

// made calls a function that makes something; it answers nil, and errno says why. Not all drivers set it, so
// what an earlier call has left there is taken away.
func (l *library) made(fn uintptr, args ...uintptr) (uintptr, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	*(*int32)(pointer(l.rare(l.errnoLocation, nil).result)) = 0
	c := l.rare(fn, args)
	switch {
	case c.result != 0:
		return c.result, nil
	case c.errno == 0:
		return 0, errUnsaid
	}
	return 0, syscall.Errno(max(c.errno, -c.errno))
}

// done calls a function that answers with an error number.
func (l *library) done(fn uintptr, args ...uintptr) error {
	return failed(int32(l.rare(fn, args).result))
}
