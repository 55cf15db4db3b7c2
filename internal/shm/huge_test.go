package shm

import (
	"bytes"
	"testing"

	"golang.org/x/sys/unix"
)

// stretches is memory of Go's with something in it, of which so many stretches of 2 MB are whole.
func stretches(n int) []byte {
	b := make([]byte, (n+1)*hugeSize)
	b = b[up(int(address(b)), hugeSize)-int(address(b)):][:n*hugeSize]
	for i := range b {
		b[i] = byte(i * 7 >> 3)
	}
	return b
}

// hugePages returns one rank of a segment, on a machine that has huge pages.
func hugePages(t *testing.T, cfg Config) *Link {
	t.Helper()
	if unwantedHuge() {
		t.Skip("this machine has no huge pages")
	}
	probe, err := unix.Mmap(-1, 0, 2*hugeSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(probe)
	whole := probe[up(int(address(probe)), hugeSize)-int(address(probe)):][:hugeSize]
	whole[0] = 1
	if err := unix.Madvise(whole, unix.MADV_COLLAPSE); err != nil {
		t.Skipf("the kernel puts no memory on huge pages that is in use: %v", err)
	}
	return newLinks(t, GeometryFor(1, arenaAlign, 0), cfg)[0]
}

// lend places b so many times and tells how many stretches have got huge pages.
func lend(l *Link, b []byte, times int) uint64 {
	for range times {
		l.Place(b)
	}
	return l.Counters.Huge
}

// TestHuge: memory that is lent often is put on huge pages, keeps what is in it, and is asked for once only.
func TestHuge(t *testing.T) {
	l := hugePages(t, Config{})
	b := stretches(3)
	want := bytes.Clone(b)
	if n := lend(l, b, hugeAfter-1); n != 0 {
		t.Errorf("after few uses there are %d huge pages", n)
	}
	if n := lend(l, b, 1); n != 3 {
		t.Fatalf("with use %d there are %d huge pages", hugeAfter, n)
	}
	if !bytes.Equal(b, want) {
		t.Error("the contents have changed")
	}
	if n := lend(l, b, 100); n != 3 {
		t.Errorf("with more uses there are %d huge pages", n)
	}
	lend(l, b, hugeAgain)
	if n := l.Counters.Huge; n != 6 {
		t.Errorf("many uses later %d huge pages were asked for", n)
	}
}

// TestHugeParts: of a stretch that is lent in part, so much must be lent that a huge page is worth it.
func TestHugeParts(t *testing.T) {
	l := hugePages(t, Config{})
	if n := lend(l, stretches(1)[:hugeLeast-1], 2*hugeAfter); n != 0 {
		t.Errorf("of little memory there are %d huge pages", n)
	}
	b := stretches(2)
	if n := lend(l, b[hugeSize-hugeLeast+1:][:2*hugeLeast-1], 2*hugeAfter); n != 1 {
		t.Errorf("of memory in two stretches there are %d huge pages", n)
	}
}

// TestHugeOthers: memory that is shared, or is to stay as it is, stays as it is.
func TestHugeOthers(t *testing.T) {
	l := hugePages(t, Config{})
	shared, err := unix.Mmap(-1, 0, 2*hugeSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_ANONYMOUS)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(shared)
	clear(shared)
	arena, err := l.Alloc(hugeSize)
	if err != nil {
		t.Fatal(err)
	}
	if n := lend(l, shared, 2*hugeAfter) + lend(l, arena, 2*hugeAfter); n != 0 {
		t.Errorf("%d huge pages of shared memory", n)
	}
	if n := lend(hugePages(t, Config{NoHuge: true}), stretches(1), 2*hugeAfter); n != 0 {
		t.Errorf("%d huge pages that nobody wants", n)
	}
}
