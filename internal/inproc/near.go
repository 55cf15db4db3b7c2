package inproc

import (
	"unsafe"

	"github.com/weft-mpi/weft/internal/wire"
)

// Place names memory of ours to the other ranks of this process. Its owner keeps it alive.
func (b *Box) Place(p []byte) wire.Key { return b.Expose(0, p, true) }

// Map returns the memory that a rank of this process has placed or exposed: it is in our address space.
//
// The address comes back as a number, which the garbage collector does not follow. It may be made a
// pointer again because the memory is still there: its owner keeps it alive, and it does not move.
// It lies on the heap, for whatever a link, which is an interface, is called with escapes from its
// stack, and Go's collector leaves what is on the heap in its place.
func (b *Box) Map(_ int, k wire.Key, n int) []byte {
	addr := uintptr(k.Addr)
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&addr))), n)
}
