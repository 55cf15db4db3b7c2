package shm

import (
	"bytes"
	"os"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// TestCollectiveMemory: what is taken is disjoint, begins a cache line, is seen by other ranks, and comes back.
func TestCollectiveMemory(t *testing.T) {
	g := GeometryFor(2, 0, 4<<20)
	f, err := Create(g)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seg, err := Open(f)
	if err != nil {
		t.Fatal(err)
	}
	defer seg.Close()
	a, b := NewLink(Config{Segment: seg}), NewLink(Config{Segment: seg, Self: 1})
	for range 3 { // the second time from what came back
		small, err1 := a.Take(100)
		large, err2 := a.Take(3 << 20)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		for i := range large {
			large[i] = 1
		}
		small[99] = 7
		if at := uintptr(unsafe.Pointer(&small[0])); at%64 != 0 {
			t.Errorf("memory at %#x", at)
		}
		if seen := b.Map(0, a.Place(small), 100); seen == nil || seen[99] != 7 {
			t.Errorf("the other rank sees %v", seen)
		}
		if _, err := a.Take(2 << 20); err == nil {
			t.Error("more memory than there is")
		}
		other, err := b.Take(3 << 20)
		if err != nil {
			t.Fatal(err)
		}
		clear(other)
		if large[0] != 1 || large[len(large)-1] != 1 {
			t.Error("two ranks have the same memory")
		}
		a.Give(small)
		a.Give(large)
		b.Give(other)
		b.Give(other) // nothing happens
	}
}

// TestPopulate: pages are there before anybody touches them.
func TestPopulate(t *testing.T) {
	seg := openSegment(t, GeometryFor(1, 0, 4<<20))
	l := NewLink(Config{Segment: seg})
	b, err := l.Take(300 << 10)
	if err != nil {
		t.Fatal(err)
	}
	pages := func() (there int) {
		off, _ := seg.offset(b)
		from := up(off, pageSize)
		state := make([]byte, (len(b)-pageSize)/pageSize)
		if _, _, errno := unix.RawSyscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&seg.mem[from])), uintptr(len(state)*pageSize),
			uintptr(unsafe.Pointer(&state[0]))); errno != 0 {
			t.Fatal(errno)
		}
		for _, s := range state {
			there += int(s & 1)
		}
		return there
	}
	if n := pages(); n != 0 {
		const setting = "/sys/kernel/mm/transparent_hugepage/shmem_enabled"
		switch text, _ := os.ReadFile(setting); {
		case bytes.Contains(text, []byte("[always]")), bytes.Contains(text, []byte("[within_size]")), bytes.Contains(text, []byte("[force]")):
			t.Skipf("this kernel gives shared memory in huge pages (%s): %d pages came with others", setting, n)
		}
		t.Fatalf("%d pages are there before anybody has asked for them", n)
	}
	l.Populate(b)
	if n, want := pages(), (len(b)-pageSize)/pageSize; n != want {
		t.Errorf("%d pages of %d are there", n, want)
	}
	l.Populate(make([]byte, 100)) // not of the segment: nothing to do
}
