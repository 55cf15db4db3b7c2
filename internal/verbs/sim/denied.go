package sim

import (
	"slices"
	"unsafe"

	"github.com/weft-mpi/weft/internal/wire"
)

// arena is the memory that ranks of a node have taken to share, where the kernel denies them all
// other of each other's. It is nil where they reach everything.
type arena struct{ blocks [][]byte }

// outOfReach is the slot of keys of memory that only its owner reaches.
const outOfReach = 1 << 31

// took notes memory that all reach from now on, gave that it is over.
func (a *arena) took(b []byte) {
	if a != nil {
		a.blocks = append(a.blocks, b)
	}
}

func (a *arena) gave(b []byte) {
	if a != nil {
		a.blocks = slices.DeleteFunc(a.blocks, func(c []byte) bool { return unsafe.SliceData(b) == unsafe.SliceData(c) })
	}
}

// key names memory.
func (a *arena) key(p []byte) wire.Key {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(p)))
	k := wire.Key{Addr: uint64(at)}
	if a == nil {
		return k
	}
	inside := func(b []byte) bool {
		from := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
		return at >= from && at+uintptr(len(p)) <= from+uintptr(len(b))
	}
	if !slices.ContainsFunc(a.blocks, inside) {
		k.Slot = outOfReach
	}
	return k
}

// Vote has nothing to try: a rank knows what its kernel denies. See Votes.
func (x *Shared) Vote() {}

// Votes tells whether ranks of the node can read each other's memory, as a link of processes does
// once all have tried, and that they do not wake each other through files. Who is alone is denied
// nothing.
func (x *Shared) Votes() (copy, file, known bool) {
	return x.arena == nil || len(x.members) == 1, false, true
}
