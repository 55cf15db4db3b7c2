package shm

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Take returns n bytes of our part of the segment for collectives, at the start of a cache line. Their
// contents are undefined. Give takes them back.
func (l *Link) Take(n int) ([]byte, error) { return l.commons.take(n) }

// Give takes back what Take returned. Long memory goes back to the system until it is used again.
func (l *Link) Give(b []byte) {
	size, ok := l.commons.give(b)
	if !ok || size < releaseMin {
		return
	}
	off, _ := l.seg.offset(b)
	from, to := up(off, pageSize), (off+size)&^(pageSize-1)
	_ = unix.Madvise(l.seg.mem[from:to], unix.MADV_REMOVE) // it stays ours if the system does not want it
}

// releaseMin is how long memory is that is worth giving back to the system.
const releaseMin = 256 << 10

// Populate has the system provide the pages of b now, which is a fraction of what it costs to stumble over
// them one by one.
func (l *Link) Populate(b []byte) {
	off, ok := l.seg.offset(b)
	if !ok {
		return
	}
	from, to := off&^(pageSize-1), up(off+len(b), pageSize)
	_ = unix.Madvise(l.seg.mem[from:min(to, len(l.seg.mem))], unix.MADV_POPULATE_WRITE) // an old system provides them when they are touched
}

// WillWrite asks for the lines of b before we write them.
func (l *Link) WillWrite(b []byte) {
	if len(b) > 0 {
		prefetchLines(unsafe.Pointer(unsafe.SliceData(b)), (len(b)+63)/64)
	}
}

// Wake rings the doorbell of another rank of the segment.
func (l *Link) Wake(peer int) { l.chimes[l.at(peer)].ring() }
