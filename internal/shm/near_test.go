package shm

import (
	"bytes"
	"os"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/wire"
)

// needsCopies fails a test whose links do not copy between processes, though the kernel lets them;
// where it does not, it skips.
func needsCopies(t *testing.T, copies bool) {
	t.Helper()
	if copies {
		return
	}
	var to, from [1]byte
	local, remote := []unix.Iovec{{Base: &to[0], Len: 1}}, []unix.RemoteIovec{{Base: uintptr(unsafe.Pointer(&from[0])), Len: 1}}
	if _, err := unix.ProcessVMReadv(os.Getpid(), local, remote, 0); err != nil {
		t.Skipf("the kernel does not let a process copy even from itself: process_vm_readv: %v", err)
	}
	t.Fatal("the kernel lets a process copy, the link does not")
}

// TestCopiesOfAnyLength: what is stored in a peer's memory is there, and fetched from it; an
// address that leads nowhere is an error.
func TestCopiesOfAnyLength(t *testing.T) {
	links := newLinks(t, smallGeometry(2), Config{})
	l := links[0]
	needsCopies(t, l.Copies(1))
	memory, got := make([]byte, 3*rawMost), make([]byte, 3*rawMost)
	k := links[1].Place(memory)
	for _, n := range []int{1, 8, pageSize - 1, pageSize, pageSize + 1, 100_000, rawMost, rawMost + 1, 3 * rawMost} {
		want := bytes.Repeat([]byte{byte(n), byte(n >> 8), 7}, n/3+1)[:n]
		if err := l.Store(1, k, want); err != nil || !bytes.Equal(memory[:n], want) {
			t.Errorf("%d bytes: stored %v, %v", n, bytes.Equal(memory[:n], want), err)
		}
		clear(got)
		if err := l.Fetch(1, k, got[:n]); err != nil || !bytes.Equal(got[:n], want) {
			t.Errorf("%d bytes: fetched %v, %v", n, bytes.Equal(got[:n], want), err)
		}
	}
	nowhere := wire.Key{Addr: pageSize}
	if err := l.Fetch(1, nowhere, got[:8]); err != unix.EFAULT {
		t.Errorf("fetched from nowhere: %v", err)
	}
	if err := l.Store(1, nowhere, got[:8]); err != unix.EFAULT {
		t.Errorf("stored to nowhere: %v", err)
	}
}
