package shm

import (
	"fmt"
	"slices"
	"unsafe"
)

// arena hands out a rank's part of the segment, for user buffers or for collectives: first fit, neighbours
// joined on free.
type arena struct {
	seg  *Segment
	base int
	size int
	free []extent // by offset
	used map[int]int
}

type extent struct{ off, n int }

// allocAlign keeps what is taken from sharing lines of cache, and the pairs of them that processors fetch
// at once, with other memory.
const allocAlign = 128

func (a *arena) init(seg *Segment, base, size int) {
	a.seg, a.base, a.size = seg, base, size
	a.free = []extent{{0, size}}
	a.used = make(map[int]int)
}

// take returns n bytes, of undefined contents.
func (a *arena) take(n int) ([]byte, error) {
	size := up(max(n, 1), allocAlign)
	for i, e := range a.free {
		if e.n < size {
			continue
		}
		if e.n == size {
			a.free = slices.Delete(a.free, i, i+1)
		} else {
			a.free[i] = extent{e.off + size, e.n - size}
		}
		a.used[e.off] = size
		at := a.base + e.off
		return a.seg.mem[at : at+n : at+n], nil
	}
	return nil, fmt.Errorf("shm: no %d bytes in a row left of %d bytes per rank", n, a.size)
}

// give takes back what take returned, and tells how long it was; false if it did not return it.
func (a *arena) give(b []byte) (size int, ok bool) {
	off, inside := a.seg.offset(b)
	off -= a.base
	if size = a.used[off]; !inside || size == 0 {
		return 0, false
	}
	delete(a.used, off)
	i, _ := slices.BinarySearchFunc(a.free, off, func(e extent, off int) int { return e.off - off })
	a.free = slices.Insert(a.free, i, extent{off, size})
	if i+1 < len(a.free) && a.free[i].off+a.free[i].n == a.free[i+1].off {
		a.free[i].n += a.free[i+1].n
		a.free = slices.Delete(a.free, i+1, i+2)
	}
	if i > 0 && a.free[i-1].off+a.free[i-1].n == a.free[i].off {
		a.free[i-1].n += a.free[i].n
		a.free = slices.Delete(a.free, i, i+1)
	}
	return size, true
}

// Alloc returns n bytes that peers can reach without the kernel's help, zeroed. Free gives them back.
func (l *Link) Alloc(n int) ([]byte, error) {
	b, err := l.alloc.take(n)
	if err != nil {
		return nil, fmt.Errorf("%w; WEFT_ARENA sets their number", err)
	}
	clear(b)
	return b, nil
}

// Free gives back what Alloc returned.
func (l *Link) Free(b []byte) error {
	if _, ok := l.alloc.give(b); !ok {
		return fmt.Errorf("shm: free of %d bytes that Alloc did not return", len(b))
	}
	return nil
}

// offset tells where in the segment b begins, if it lies in an arena.
func (s *Segment) offset(b []byte) (int, bool) {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(b))) - uintptr(s.base)
	return int(at), at >= uintptr(s.arenasAt()) && at < uintptr(len(s.mem))
}

// arenaBytes returns n bytes of an arena, if that is what they are.
func (s *Segment) arenaBytes(off, n int) ([]byte, bool) {
	if off < s.arenasAt() || n < 0 || off > len(s.mem)-n {
		return nil, false
	}
	return s.mem[off : off+n], true
}
