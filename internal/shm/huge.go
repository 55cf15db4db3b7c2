package shm

import (
	"os"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// A process that copies out of another's memory has the kernel find and hold every page of it, one by one; with pages of 4 KB that
// is up to a third of the time of a long copy. So long memory that others copy from again and again is put on huge pages, in
// place: it keeps its addresses and its contents, and its owner notices nothing but the time, about a millisecond for 2 MB.

const (
	hugeSize  = 2 << 20
	hugeLeast = hugeSize / 8 // bytes of a stretch that are lent; the rest may be memory that was not in use, and is now
	hugeAfter = 4            // with this use it is worth it
	hugeAgain = 1 << 12      // so many uses later it is tried once more: the system may have taken the huge page back
	hugeKept  = 256          // stretches whose uses are counted at a time; longer memory stays as it is
)

// stretch is 2 MB of addresses of ours, from a multiple of 2 MB on, that others copy from.
type stretch struct {
	number uint64 // its address in units of 2 MB
	uses   uint32
}

// huge counts the uses of stretches, and has those that are used often lie on huge pages.
type huge struct {
	off  bool
	kept []stretch // by number modulo hugeKept; nil until something long is lent
}

// lent notes that others may copy from b, and tells how many stretches of it that made huge.
func (h *huge) lent(b []byte) (made int) {
	if h.off || len(b) < hugeLeast {
		return 0
	}
	if h.kept == nil {
		h.kept = make([]stretch, hugeKept)
	}
	from := address(b)
	to := from + uint64(len(b))
	for n := from / hugeSize; n*hugeSize < to; n++ {
		if min(to, (n+1)*hugeSize)-max(from, n*hugeSize) < hugeLeast {
			continue
		}
		s := &h.kept[n%hugeKept]
		if s.number != n {
			*s = stretch{number: n}
		}
		if s.uses++; s.uses%hugeAgain == hugeAfter && collapse(n) {
			made++
		}
	}
	return made
}

// collapse puts a stretch on a huge page, if it is memory of this process's alone and the system has one.
func collapse(n uint64) bool {
	first := uintptr(n * hugeSize)
	if unwantedHuge() || !ours(first, first+hugeSize) {
		return false
	}
	_, _, errno := unix.Syscall(unix.SYS_MADVISE, first, hugeSize, unix.MADV_COLLAPSE)
	return errno == 0
}

// unwantedHuge tells whether this machine's owner wants no huge pages, or the system has none. Being asked for a stretch, the system
// itself would not care.
var unwantedHuge = sync.OnceValue(func() bool {
	how, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	return err != nil || strings.Contains(string(how), "[never]")
})
