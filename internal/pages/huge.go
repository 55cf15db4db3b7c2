// Package pages has long memory that is copied again and again lie on huge pages, and tells how much memory the process
// has. It depends on nothing but the system, and never changes what is in the memory, nor its addresses.
package pages

import (
	"sync"
	"unsafe"
)

const (
	hugeSize  = 2 << 20
	hugeLeast = hugeSize / 8 // bytes of a stretch that are used; the rest may be memory that was not in use, and is now
	hugeAfter = 4            // with this use of a place it is worth it
	hugeAgain = 1 << 12      // so many uses later it is tried once more: the system may have taken the huge page back
	hugeKept  = 256          // stretches whose uses are counted at a time; longer memory stays as it is
)

// stretch is 2 MB of addresses, from a multiple of 2 MB on. Its uses are those of the place that was used
// first: memory whose parts are used once each, as in a program that allocates a buffer for every message,
// is not worth it.
type stretch struct {
	number uint64 // its address in units of 2 MB
	place  uint64 // an address in it
	uses   uint32
}

// Huge counts how often long memory is copied from or to, and has what is used again and again lie on huge
// pages. Whoever copies tells it so by Used; a nil Huge counts nothing.
//
// The kernel copies between processes, and between a process and a socket, page by page, and has to find
// and hold each page of another process. With pages of 4 KB that is up to a third of the time of a long
// copy. The memory keeps its addresses and its contents, and its owner notices nothing but the time, about
// a millisecond for 2 MB.
type Huge struct {
	mu       sync.Mutex
	kept     []stretch // by number modulo hugeKept; nil until something long is used
	counters Counters
}

// Counters tell what a Huge has been told, and what it has done.
type Counters struct {
	Uses int // of memory so long that they count
	Made int // stretches of 2 MB that were put on huge pages
}

// Used notes that b is copied from or to. It may be called by several goroutines; of uses at the same time one counts.
func (h *Huge) Used(b []byte) {
	if h == nil || len(b) < hugeLeast || !h.mu.TryLock() {
		return
	}
	defer h.mu.Unlock()
	h.counters.Uses++
	if h.kept == nil {
		h.kept = make([]stretch, hugeKept)
	}
	from := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
	to := from + uint64(len(b))
	for n := from / hugeSize; n*hugeSize < to; n++ {
		lo, hi := max(from, n*hugeSize), min(to, (n+1)*hugeSize)
		if hi-lo >= hugeLeast && h.often(n, lo, hi) && collapse(n) {
			h.counters.Made++
		}
	}
}

// often counts a use of a stretch from lo to hi, and tells whether the time has come to put it on a huge page.
func (h *Huge) often(n, lo, hi uint64) bool {
	s := &h.kept[n%hugeKept]
	if s.number != n {
		*s = stretch{number: n, place: lo}
	}
	if s.place < lo || s.place >= hi {
		return false
	}
	s.uses++
	return s.uses%hugeAgain == hugeAfter
}

// Counters are zero for a nil Huge.
func (h *Huge) Counters() Counters {
	if h == nil {
		return Counters{}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.counters
}
