package mpi

import (
	"testing"
	"unsafe"
)

// TestRequestTravelsInRegisters: the compiler keeps no more than four words of a struct in registers. What is
// longer is copied, by loads that have to wait for the stores before them, in every call that makes a request.
func TestRequestTravelsInRegisters(t *testing.T) {
	if n, words := unsafe.Sizeof(Request{}), unsafe.Sizeof(uintptr(0)); n > 4*words {
		t.Errorf("a Request has %d bytes, want %d at most", n, 4*words)
	}
}
