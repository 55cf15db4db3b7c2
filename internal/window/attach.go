package window

import (
	"fmt"
	"unsafe"

	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/wire"
)

// regions is the memory that is attached to a dynamic window. An address is a number of ours, not a place
// in memory: the number of a region in its upper bits, a byte of the region in the lower. It needs the
// loop's lock.
//
// Where addresses are places in memory (Config.Addressed), a number is that of a region's first byte.
type regions struct {
	all       map[int][]byte
	last      int
	addressed bool
}

const (
	regionBits = 40
	regionMax  = 1 << regionBits
	regionsMax = 1 << 20
)

// find returns the memory at an address; nil if it is not all in one region.
func (r *regions) find(b wire.Block) []byte {
	if r.addressed {
		for at, mem := range r.all {
			if off := b.Off - at; off >= 0 && b.Len >= 0 && off <= len(mem) && b.Len <= len(mem)-off {
				return mem[off : off+b.Len]
			}
		}
		return nil
	}
	mem, ok := r.all[b.Off>>regionBits]
	off := b.Off & (regionMax - 1)
	if !ok || b.Len < 0 || off > len(mem) || b.Len > len(mem)-off {
		return nil
	}
	if b.Len == 0 {
		return []byte{}
	}
	return mem[off : off+b.Len]
}

// Attach adds memory to a dynamic window and returns its address, by which others reach it.
func (w *Window) Attach(b []byte) (int, error) {
	switch {
	case w.epoch.Load()&freed != 0:
		return 0, w.gone("attach", comm.None)
	case w.kind != Dynamic:
		return 0, w.fail("attach", comm.None, fmt.Errorf("%w: only windows of DynamicWindow take memory in", ErrWindow))
	case len(b) >= regionMax:
		return 0, w.fail("attach", comm.None, fmt.Errorf("%w: %d bytes; at most %d can be attached at a time", comm.ErrCount, len(b), regionMax-1))
	}
	w.loop.Enter()
	defer w.loop.Exit()
	if w.regions.addressed {
		return w.attachAt(b)
	}
	if w.regions.last >= regionsMax {
		return 0, w.fail("attach", comm.None, fmt.Errorf("%w: %d pieces of memory have been attached; make another window", comm.ErrLimit, regionsMax))
	}
	if w.regions.all == nil {
		w.regions.all = map[int][]byte{}
	}
	w.regions.last++
	w.regions.all[w.regions.last] = b
	return w.regions.last << regionBits, nil
}

// attachAt is Attach where addresses are places in memory. The loop's lock is held.
func (w *Window) attachAt(b []byte) (int, error) {
	at := int(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
	for other, mem := range w.regions.all {
		if at < other+len(mem) && other < at+len(b) {
			return 0, w.fail("attach", comm.None, fmt.Errorf("%w: some of the memory is attached already", ErrAttach))
		}
	}
	if w.regions.all == nil {
		w.regions.all = map[int][]byte{}
	}
	w.regions.all[at] = b
	return at, nil
}

// DetachAt is Detach of what was attached at a place in memory, where addresses are such places.
func (w *Window) DetachAt(at int) error {
	if w.epoch.Load()&freed != 0 {
		return w.gone("detach", comm.None)
	}
	w.loop.Enter()
	defer w.loop.Exit()
	if _, found := w.regions.all[at]; !found || !w.regions.addressed {
		return w.fail("detach", comm.None, fmt.Errorf("%w: no memory is attached there", ErrAttach))
	}
	delete(w.regions.all, at)
	return nil
}

// Detach takes memory out that was attached: from now on operations on it are refused.
func (w *Window) Detach(b []byte) error {
	if w.epoch.Load()&freed != 0 {
		return w.gone("detach", comm.None)
	}
	w.loop.Enter()
	defer w.loop.Exit()
	for i, mem := range w.regions.all {
		if unsafe.SliceData(mem) == unsafe.SliceData(b) && len(mem) == len(b) {
			delete(w.regions.all, i)
			return nil
		}
	}
	return w.fail("detach", comm.None, fmt.Errorf("%w: the memory is not attached", ErrWindow))
}
