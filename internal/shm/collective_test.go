package shm

import (
	"testing"
	"unsafe"
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
