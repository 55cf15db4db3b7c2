package window

import (
	"sync/atomic"
	"unsafe"
)

// control is what the ranks of a native window share about one rank's part: a cache line for folding, one
// for locks, one for fences.
type control struct {
	folding atomic.Uint32 // somebody is folding: its rank plus one
	_       [4]byte
	operand [operandMax]byte // what it folds in, if that is one element: kernels keep nothing on a stack
	_       [56 - operandMax]byte
	lock    atomic.Int64  // how many hold it shared, or minus the rank plus one that holds it alone
	waiting atomic.Uint32 // how many want it alone
	_       [52]byte
	came    atomic.Uint64 // to how many meetings the rank has come
	asleep  atomic.Uint32 // 1: it sleeps until the others come, and wants to be told
}

// operandMax is two of the largest elements.
const operandMax = 32

func controlAt(b []byte) *control { return (*control)(unsafe.Pointer(unsafe.SliceData(b))) }

var _ [controlSize - unsafe.Sizeof(control{})]byte // it fits

// beginFold takes the part's folding lock, which is held for moments only.
func (w *Window) beginFold(c *control) error {
	me := uint32(w.self) + 1
	w.loop.Touch()
	for n := 0; !c.folding.CompareAndSwap(0, me); n++ {
		if n < foldSpins {
			continue
		}
		if err := w.pause(n - foldSpins); err != nil {
			return err
		}
	}
	return nil
}

// foldSpins is how often to try before letting others run.
const foldSpins = 30

func (c *control) endFold() { c.folding.Store(0) }

// tryShared takes the lock if nobody holds or wants it alone.
func (c *control) tryShared(greedy bool) bool {
	n := c.lock.Load()
	return n >= 0 && (greedy || c.waiting.Load() == 0) && c.lock.CompareAndSwap(n, n+1)
}

// pause passes a moment while another rank holds what we want. A rank that has died may have held it.
func (w *Window) pause(n int) error {
	if err := w.loop.Pause(w.c.Waits(), n); err != nil {
		return err
	}
	w.loop.Touch()
	if n%64 != 63 {
		return nil
	}
	w.loop.Enter()
	defer w.loop.Exit()
	return w.core.lost
}
