package sim

import (
	"unsafe"

	"github.com/weft-mpi/weft/internal/wire"
)

// Place names memory of ours to the other ranks of the node. Its owner keeps it alive.
func (x *Shared) Place(p []byte) wire.Key { return x.Expose(0, p, true) }

// Map returns the memory that a rank of the node has placed or exposed: all ranks are in one
// address space. Whoever copies from or to it charges for that. It is nil if the kernel denies it
// to all but its owner.
//
// The address comes back as a number, which the garbage collector does not follow. It may be made a
// pointer again because the memory is still there: its owner keeps it alive, and it does not move.
// It lies on the heap, for whatever a link, which is an interface, is called with escapes from its
// stack, and Go's collector leaves what is on the heap in its place.
func (x *Shared) Map(_ int, k wire.Key, n int) []byte {
	if k.Slot == outOfReach {
		return nil
	}
	addr := uintptr(k.Addr)
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&addr))), n)
}
