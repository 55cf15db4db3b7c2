package inproc

import (
	"unsafe"

	"github.com/weft-mpi/weft/internal/wire"
)

// Place names memory of ours to the other ranks of this process. Its owner keeps it alive.
func (b *Box) Place(p []byte) wire.Key { return b.Expose(0, p, true) }

// Map returns the memory that a rank of this process has placed: it is in our address space.
func (b *Box) Map(_ int, k wire.Key, n int) []byte {
	addr := uintptr(k.Addr)
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&addr))), n)
}
