package shm

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// Core dumps leave the segment out.
func TestSegmentIsNotDumped(t *testing.T) {
	seg := newLinks(t, smallGeometry(2), Config{})[0].seg
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skipf("the kernel does not list what is mapped: %v", err)
	}
	_, from, found := strings.Cut(string(maps), fmt.Sprintf("%08x-", uintptr(seg.base)))
	if !found {
		t.Fatal("the segment is not in /proc/self/smaps")
	}
	_, flags, found := strings.Cut(from, "VmFlags:")
	if flags, _, _ = strings.Cut(flags, "\n"); !found || !slices.Contains(strings.Fields(flags), "dd") {
		t.Errorf("flags %q", flags)
	}
}
