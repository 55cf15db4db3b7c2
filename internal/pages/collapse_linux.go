package pages

import (
	"os"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// collapse puts a stretch on a huge page, if it is memory of this process's alone and the system has one.
func collapse(n uint64) bool {
	first := n * hugeSize
	if unwantedHuge() || !private(first, first+hugeSize) {
		return false
	}
	_, _, errno := unix.Syscall(unix.SYS_MADVISE, uintptr(first), hugeSize, unix.MADV_COLLAPSE)
	return errno == 0
}

// unwantedHuge tells whether this machine's owner wants no huge pages, or the system has none. Being asked
// for a stretch, the system itself would not care.
var unwantedHuge = sync.OnceValue(func() bool {
	how, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	return err != nil || strings.Contains(string(how), "[never]")
})
