//go:build cgo && linux

// Command libmpi is the C library: built with -buildmode=c-shared it is libmpi_abi.so.1, MPI 5.0's binary
// interface. It is the only package with cgo. C's half (shims.c, written from the table) puts arguments on the
// stack and calls Go by a number; internal/abi does the rest, and calls C for functions that the program has
// given. Short messages within a host C sends and receives by itself (guests.c).
package main

// #cgo CFLAGS: -std=gnu11 -O2 -fno-strict-aliasing
// #cgo LDFLAGS: -ldl
// #include <stdlib.h>
// #include "door.h"
// void weft_signals(void);
import "C"

import (
	"os"
	"runtime"
	"strings"
	"unsafe"

	"github.com/weft-mpi/weft/internal/abi"
	"github.com/weft-mpi/weft/internal/boot"
)

// process is the rank that this process is.
var process = abi.New(abi.Config{Join: join, Leave: abi.Leave, Abort: end, Hooks: hooks, Shares: true, Guests: guests})

func main() {}

//export weftCall
func weftCall(fn C.int, args unsafe.Pointer) C.int { return C.int(process.Call(int(fn), args)) }

//export weftAtExit
func weftAtExit() { process.AtExit() }

// mostProcs is how many threads may run Go at a time: few, since they wait more than they compute, and a program's own
// threads need the processors.
const mostProcs = 4

// join brings the rank up, in the environment as the program has it now.
func join() (*boot.Rank, error) {
	adoptEnvironment()
	runtime.GOMAXPROCS(max(2, min(mostProcs, runtime.NumCPU())))
	C.weft_signals()
	r, err := boot.Join(func() string { return "" })
	if err != nil {
		return nil, err
	}
	C.weft_at_exit()
	return r, r.Begin()
}

// adoptEnvironment takes over what the program has changed since it began: Go knows the environment of that time.
func adoptEnvironment() {
	var now []string
	list := unsafe.Pointer(C.weft_environ())
	for i := 0; list != nil; i++ {
		word := *(**C.char)(unsafe.Add(list, i*int(unsafe.Sizeof(uintptr(0)))))
		if word == nil {
			break
		}
		now = append(now, C.GoString(word))
	}
	for _, word := range now {
		name, value, ok := strings.Cut(word, "=")
		if known, set := os.LookupEnv(name); ok && name != "" && (!set || known != value) {
			_ = os.Setenv(name, value) // it is set already where C looks
		}
	}
}

// end ends the job, or the process if it is in none, when stdio has written what it holds.
func end(r *boot.Rank, code int, reason string) {
	C.weft_flush()
	if r == nil {
		os.Exit(max(code&0xff, 1))
	}
	r.LastWords(reason)
	r.Abort(code, reason)
}
