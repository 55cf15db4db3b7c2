package boot

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// prepareMemory has a large simulation live in huge pages, where the kernel gives them to who asks. Its
// ranks take turns every few hundred nanoseconds, each with memory of its own, so that nothing of it is in
// the caches; with small pages, not even where it is. The memory is asked for once, told about, and left to
// Go's heap, which uses it for whatever comes next; none of it is touched.
func prepareMemory(ranks int) {
	if ranks < hugeRanks {
		return
	}
	var host unix.Sysinfo_t
	if unix.Sysinfo(&host) != nil {
		return
	}
	want := min(uint64(ranks)*uint64(ranks)*hugePair, uint64(host.Freeram)*uint64(host.Unit)/2)
	if want < 2*hugePage {
		return
	}
	memory := make([]byte, want)
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(memory))) % hugePage
	_ = unix.Madvise(memory[skip:want-hugePage+uint64(skip)], unix.MADV_HUGEPAGE) // if not, it is slower
	runtime.KeepAlive(memory)
	memory = nil
	runtime.GC()
}

const (
	hugePage  = 2 << 20
	hugeRanks = 512     // ranks from which on it is worth while
	hugePair  = 7 << 10 // bytes that a pair of ranks needs if all talk to all
)
