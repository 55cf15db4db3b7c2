package shm

import (
	"bytes"
	"os"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/wire"
)

// needsCopies fails a test whose links do not copy between processes, though the kernel lets them; where it does not, it skips.
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

// TestCopiesOfAnyLength: what is stored in a peer's memory is there, and fetched from it, by the door where pieces are short and
// without it; an address that leads nowhere is an error.
func TestCopiesOfAnyLength(t *testing.T) {
	links := newLinks(t, smallGeometry(2), Config{})
	l := links[0]
	needsCopies(t, l.Copies(1))
	if l.doors[1].file == nil {
		t.Error("the memory of a peer that may be copied from cannot be opened")
	}
	memory, got := make([]byte, 100_000), make([]byte, 100_000)
	k := links[1].Place(memory)
	for _, n := range []int{1, 8, doorMax - 1, doorMax, doorMax + 1, nowMax, nowMax + 1, 100_000} {
		for _, closed := range []bool{false, true} {
			open := l.doors[1]
			if closed {
				l.doors[1].file = nil
			}
			want := bytes.Repeat([]byte{byte(n), byte(n >> 8), 7}, n/3+1)[:n]
			if closed {
				want[0]++
			}
			if err := l.Store(1, k, want); err != nil || !bytes.Equal(memory[:n], want) {
				t.Errorf("%d bytes, closed %v: stored %v, %v", n, closed, bytes.Equal(memory[:n], want), err)
			}
			clear(got)
			if err := l.Fetch(1, k, got[:n]); err != nil || !bytes.Equal(got[:n], want) {
				t.Errorf("%d bytes, closed %v: fetched %v, %v", n, closed, bytes.Equal(got[:n], want), err)
			}
			l.doors[1] = open
		}
	}
	nowhere := wire.Key{Addr: 4096}
	if err := l.Fetch(1, nowhere, got[:8]); err != unix.EFAULT {
		t.Errorf("fetched from nowhere: %v", err)
	}
	if err := l.Store(1, nowhere, got[:8]); err != unix.EFAULT {
		t.Errorf("stored to nowhere: %v", err)
	}
}

// TestNoDoors: copies work without the file where it is switched off.
func TestNoDoors(t *testing.T) {
	for _, off := range []bool{false, true} {
		links := newLinks(t, smallGeometry(2), Config{NoFile: off})
		l := links[0]
		needsCopies(t, l.Copies(1))
		want := uint64(1)
		if off {
			want = 0
		}
		if got := l.Counters.Doors; got != want || (l.doors[1].file != nil) == off {
			t.Errorf("switched off %v: %d doors are open", off, got)
		}
		memory, got := []byte("eight of"), make([]byte, 8)
		if err := l.Fetch(1, links[1].Place(memory), got); err != nil || !bytes.Equal(got, memory) {
			t.Errorf("switched off %v: fetched %q, %v", off, got, err)
		}
	}
}

// TestDoorOfAnother: a door that leads to memory other than the peer's is shut.
func TestDoorOfAnother(t *testing.T) {
	links := newLinks(t, smallGeometry(2), Config{})
	s := &links[0].single
	needsCopies(t, s.trusts(1))
	*links[1].nonce++
	if d := s.openDoor(1); d.file != nil || !d.tried {
		t.Errorf("opened %+v", d)
	}
}
