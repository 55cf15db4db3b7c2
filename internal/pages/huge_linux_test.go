package pages

import (
	"bytes"
	"sync"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// whole is the part of b from the first multiple of 2 MB on.
func whole(b []byte) []byte {
	return b[-uintptr(unsafe.Pointer(unsafe.SliceData(b)))%hugeSize:]
}

// stretches is memory of Go's with something in it, of which so many stretches of 2 MB are whole.
func stretches(n int) []byte {
	b := whole(make([]byte, (n+1)*hugeSize))[:n*hugeSize]
	for i := range b {
		b[i] = byte(i * 7 >> 3)
	}
	return b
}

// needHuge skips the test on a machine that has no huge pages.
func needHuge(t *testing.T) {
	t.Helper()
	if unwantedHuge() {
		t.Skip("this machine has no huge pages")
	}
	probe, err := unix.Mmap(-1, 0, 2*hugeSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(probe)
	page := whole(probe)[:hugeSize]
	page[0] = 1
	if err := unix.Madvise(page, unix.MADV_COLLAPSE); err != nil {
		t.Skipf("the kernel puts no memory on huge pages that is in use: %v", err)
	}
}

// use uses b so many times and tells how many stretches have got huge pages so far.
func use(h *Huge, b []byte, times int) int {
	for range times {
		h.Used(b)
	}
	return h.Counters().Made
}

// TestHuge: memory that is used often is put on huge pages, keeps what is in it, and is asked for once only.
func TestHuge(t *testing.T) {
	needHuge(t)
	h := new(Huge)
	b := stretches(3)
	want := bytes.Clone(b)
	if n := use(h, b, hugeAfter-1); n != 0 {
		t.Errorf("after few uses there are %d huge pages", n)
	}
	if n := use(h, b, 1); n != 3 {
		t.Fatalf("with use %d there are %d huge pages", hugeAfter, n)
	}
	if !bytes.Equal(b, want) {
		t.Error("the contents have changed")
	}
	if n := use(h, b, 100); n != 3 {
		t.Errorf("with more uses there are %d huge pages", n)
	}
	if n := use(h, b, hugeAgain); n != 6 {
		t.Errorf("many uses later %d huge pages were asked for", n)
	}
}

// TestHugeParts: of a stretch that is used in part, so much must be used that a huge page is worth it.
func TestHugeParts(t *testing.T) {
	needHuge(t)
	h := new(Huge)
	if n := use(h, stretches(1)[:hugeLeast-1], 2*hugeAfter); n != 0 {
		t.Errorf("of little memory there are %d huge pages", n)
	}
	b := stretches(2)
	if n := use(h, b[hugeSize-hugeLeast+1:][:2*hugeLeast-1], hugeAfter); n != 1 {
		t.Errorf("of memory in two stretches there are %d huge pages", n)
	}
}

// TestHugeFresh: memory whose parts are used once or twice each is not used again and again.
func TestHugeFresh(t *testing.T) {
	needHuge(t)
	h := new(Huge)
	b := stretches(8)
	for len(b) > 0 {
		if n := use(h, b[:hugeLeast], 2); n != 0 {
			t.Fatalf("%d huge pages of fresh memory", n)
		}
		b = b[hugeLeast:]
	}
}

// TestHugeOthers: memory that is shared stays as it is.
func TestHugeOthers(t *testing.T) {
	needHuge(t)
	shared, err := unix.Mmap(-1, 0, 2*hugeSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_ANONYMOUS)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(shared)
	clear(shared)
	if n := use(new(Huge), shared, 2*hugeAfter); n != 0 {
		t.Errorf("%d huge pages of shared memory", n)
	}
}

// TestHugeTogether: several goroutines use memory at a time, and write it all the while; a nil Huge is told in vain.
func TestHugeTogether(t *testing.T) {
	needHuge(t)
	h := new(Huge)
	b := stretches(4)
	var wg sync.WaitGroup
	for g := range 4 {
		mine := b[g*hugeSize:][:hugeSize]
		wg.Go(func() {
			for round := range 50 {
				h.Used(b)
				for i := 0; i < len(mine); i += 1 << 12 {
					mine[i] = byte(round)
				}
				(*Huge)(nil).Used(b)
			}
			for i := 0; i < len(mine); i += 1 << 12 {
				if mine[i] != 49 {
					t.Errorf("byte %d of stretch %d is %d", i, g, mine[i])
					return
				}
			}
		})
	}
	wg.Wait()
	if n := h.Counters().Made; n < 4 {
		t.Errorf("%d huge pages of 4", n)
	}
}
