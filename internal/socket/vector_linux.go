package socket

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Vector is a reusable list of byte slices that one call sends from or receives into, in order. It keeps the
// slices reachable, and the caller leaves them alone, until Skip has passed them or Reset.
type Vector struct {
	parts []unix.Iovec // parts[first:] is still to do; Base is a pointer the collector sees
	first int
	bytes int
}

// NewVector makes an empty vector with room for so many slices, 1 to 1024.
func NewVector(room int) *Vector {
	return &Vector{parts: make([]unix.Iovec, 0, min(max(room, 1), maxParts))}
}

// Reset empties the vector and lets go of all memory.
func (v *Vector) Reset() {
	clear(v.parts)
	v.parts, v.first, v.bytes = v.parts[:0], 0, 0
}

// Add appends b; an empty slice adds nothing. It reports false, having done nothing, when there is no room.
func (v *Vector) Add(b []byte) bool {
	if len(b) == 0 {
		return true
	}
	if len(v.parts) == cap(v.parts) {
		return false
	}
	v.parts = v.parts[:len(v.parts)+1]
	part := &v.parts[len(v.parts)-1]
	part.Base = &b[0]
	part.SetLen(len(b))
	v.bytes += len(b)
	return true
}

// Skip drops the first n bytes, those a call has just done. An emptied vector has all its room again.
func (v *Vector) Skip(n int) {
	if n >= v.bytes {
		v.Reset()
		return
	}
	v.bytes -= max(n, 0)
	for n > 0 {
		part := &v.parts[v.first]
		if size := int(part.Len); n >= size {
			n -= size
			*part = unix.Iovec{}
			v.first++
			continue
		}
		advance(part, n)
		return
	}
}

// Len is how many slices are still to do.
func (v *Vector) Len() int { return len(v.parts) - v.first }

// Bytes is how many bytes are still to do.
func (v *Vector) Bytes() int { return v.bytes }

// advance moves the start of a part, n below its length, so the pointer stays inside its memory.
func advance(part *unix.Iovec, n int) {
	size := int(part.Len)
	part.Base = &unsafe.Slice(part.Base, size)[n]
	part.SetLen(size - n)
}

// Part is the i-th of the Len slices that are still to do. It aliases the memory that was added.
func (v *Vector) Part(i int) []byte {
	part := &v.parts[v.first+i]
	return unsafe.Slice(part.Base, int(part.Len))
}
