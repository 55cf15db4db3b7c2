//go:build cgo && linux

package main

// #include "door.h"
import "C"

import (
	"unsafe"

	"github.com/weft-mpi/weft/internal/abi"
)

// hooks call the program's functions.
var hooks = abi.Hooks{
	Reduce: func(fn uintptr, in, inout unsafe.Pointer, n int, datatype uintptr, large bool) {
		C.weft_reduce(C.uintptr_t(fn), in, inout, C.int64_t(n), C.uintptr_t(datatype), truth(large))
	},
	Fold: func(own, op int, in, inout unsafe.Pointer, n int) bool {
		return C.weft_fold(C.int(own), C.int(op), in, inout, C.int64_t(n)) != 0
	},
	Handle: func(fn, handle uintptr, code int) { C.weft_handle(C.uintptr_t(fn), C.uintptr_t(handle), C.int(code)) },
	Copy: func(fn, handle uintptr, keyval int, extra, value uintptr) (uintptr, bool, int) {
		var copied C.uintptr_t
		var flag C.int
		code := C.weft_copy(C.uintptr_t(fn), C.uintptr_t(handle), C.int(keyval), C.uintptr_t(extra), C.uintptr_t(value), &copied, &flag)
		return uintptr(copied), flag != 0, int(code)
	},
	Delete: func(fn, handle uintptr, keyval int, value, extra uintptr) int {
		return int(C.weft_delete(C.uintptr_t(fn), C.uintptr_t(handle), C.int(keyval), C.uintptr_t(value), C.uintptr_t(extra)))
	},
	Query: func(fn, extra uintptr, status unsafe.Pointer) int {
		return int(C.weft_query(C.uintptr_t(fn), C.uintptr_t(extra), status))
	},
	Free: func(fn, extra uintptr) int { return int(C.weft_free(C.uintptr_t(fn), C.uintptr_t(extra))) },
	Cancel: func(fn, extra uintptr, complete bool) int {
		return int(C.weft_cancel(C.uintptr_t(fn), C.uintptr_t(extra), truth(complete)))
	},
}

func truth(b bool) C.int {
	if b {
		return 1
	}
	return 0
}
