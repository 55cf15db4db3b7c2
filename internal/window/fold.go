package window

import (
	"bytes"
	"fmt"

	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/datatype"
	"github.com/weft-mpi/weft/internal/wire"
)

// Reduction is how an accumulate changes what is there: one of datatype's operations, or one of these.
type Reduction uint8

// Reductions that only windows have.
const (
	Replace     Reduction = 64 + iota // what comes takes the place of what is there
	NoOp                              // what is there stays
	MinLoc                            // the lower value with its place, or the lower place of equal ones; see located
	MaxLoc                            // the same with the higher value
	MinLocInt32                       // the same with places that are C ints, in C's layout
	MaxLocInt32
	MinLocAlike // the same with places that are numbers like the values, as in Fortran
	MaxLocAlike
)

// Fold is a reduction of elements of some kind; Replace and NoOp do for every kind, and know none. That of
// MinLoc and its relatives is the kind of the values.
type Fold struct {
	Op   Reduction
	Kind datatype.Kind
}

// Valid tells whether there is such a reduction.
func (f Fold) Valid() bool {
	switch f.Op {
	case Replace, NoOp:
		return true
	case MinLoc, MaxLoc, MinLocInt32, MaxLocInt32, MinLocAlike, MaxLocAlike:
		return f.loc().size > 0
	}
	_, ok := datatype.Kernel(datatype.Op(f.Op), f.Kind)
	return ok
}

// size is how many bytes an element has, 1 if that does not matter. The fold is valid.
func (f Fold) size() int {
	switch f.Op {
	case Replace, NoOp:
		return 1
	case MinLoc, MaxLoc, MinLocInt32, MaxLocInt32, MinLocAlike, MaxLocAlike:
		return f.loc().size
	}
	return f.Kind.Size()
}

// into folds src into mem, which are equally long.
func (f Fold) into(mem, src []byte) {
	switch f.Op {
	case NoOp:
	case Replace:
		copy(mem, src)
	case MinLoc, MinLocInt32, MinLocAlike:
		f.loc().min(mem, src)
	case MaxLoc, MaxLocInt32, MaxLocAlike:
		f.loc().max(mem, src)
	default:
		fn, _ := datatype.Kernel(datatype.Op(f.Op), f.Kind)
		fn(mem, src)
	}
}

// swap writes what shall be if what should be is there; both halves of pair are as long as mem.
func swap(mem, pair []byte) {
	if n := len(mem); bytes.Equal(mem, pair[:n]) {
		copy(mem, pair[n:])
	}
}

// change carries out an accumulate, fetch or swap on one block of memory. What was there goes to old,
// unless that is nil. Whoever calls sees to it that nobody else changes the block.
func change(verb wire.Verb, f Fold, mem, src, old []byte) {
	if old != nil {
		copy(old, mem)
	}
	if verb == wire.RMASwap {
		swap(mem, src)
	} else {
		f.into(mem, src)
	}
}

// foldStretch is how much is folded before others get a chance: elements are atomic, whole buffers are not.
const foldStretch = 64 << 10

// foldNative carries out an operation that changes memory which all ranks reach.
func (w *Window) foldNative(a *access) error {
	done := 0
	for _, b := range a.blocks() {
		for b.Len > 0 {
			n := b.Len
			if n > foldStretch {
				n = max(foldStretch-foldStretch%a.elem, a.elem)
			}
			src, dst := a.src, a.dst
			if src != nil && a.verb != wire.RMASwap {
				src = src[done : done+n]
			}
			if dst != nil {
				dst = dst[done : done+n]
			}
			if err := w.beginFold(a.p.ctl); err != nil {
				return w.fail(a.op, a.target, err)
			}
			change(a.verb, a.fold, a.p.at(wire.Block{Off: b.Off, Len: n}), src, dst)
			a.p.ctl.endFold()
			b.Off, b.Len, done = b.Off+n, b.Len-n, done+n
		}
	}
	w.loop.Copied(a.bytes())
	return nil
}

// Fetch is a fetch or swap of one element, and waits for the answer: src is the element (or what should be
// and what shall be there), old gets what was there.
func (w *Window) Fetch(op string, verb wire.Verb, src, old []byte, target, disp int, e Elem, fold Fold) error {
	if !w.native || target == comm.ProcNull || len(src) > operandMax {
		return w.fetchAsked(op, verb, src, old, target, disp, e, fold)
	}
	p, err := w.aim(op, target)
	if err != nil {
		return err
	}
	b, err := w.block(op, target, p, disp, len(old), e.Align)
	if err != nil {
		return err
	}
	if verb == wire.RMASwap && fold.Kind.Size() != e.Size {
		return w.notComparable(op, target)
	}
	w.stats.native.Add(1)
	if err := w.beginFold(p.ctl); err != nil {
		return w.fail(op, target, err)
	}
	mem := p.at(b)
	copy(old, mem)
	operand := p.ctl.operand[:copy(p.ctl.operand[:], src)]
	change(verb, fold, mem, operand, nil)
	p.ctl.endFold()
	w.loop.Copied(len(old))
	return nil
}

// fetchAsked is Fetch where the target's loop is asked. The buffers are copies, so that those of Fetch need
// not outlive it.
func (w *Window) fetchAsked(op string, verb wire.Verb, src, old []byte, target, disp int, e Elem, fold Fold) error {
	o := Operation{Name: op, Verb: verb, Target: target, Disp: disp, Dst: make([]byte, len(old)), Elem: e, Fold: fold, Wait: true}
	if fold.Op != NoOp || verb == wire.RMASwap {
		o.Src = append([]byte(nil), src...)
	}
	err := w.Do(&o)
	copy(old, o.Dst)
	return err
}

func (w *Window) notComparable(op string, target int) error {
	return w.fail(op, target, fmt.Errorf("%w: only numbers and bools can be compared and swapped", comm.ErrOp))
}

// checkFold refuses reductions that are not there, and buffers that do not fit together.
func (w *Window) checkFold(o *Operation) error {
	switch {
	case o.Verb <= wire.RMAGet:
		return nil
	case o.Verb == wire.RMASwap && (o.Fold.Kind.Size() != o.Elem.Size || len(o.Dst) != o.Elem.Size):
		return w.notComparable(o.Name, o.Target)
	case o.Verb != wire.RMASwap && !o.Fold.Valid():
		return w.fail(o.Name, o.Target, fmt.Errorf("%w: %v of elements of kind %v", comm.ErrOp, datatype.Op(o.Fold.Op), o.Fold.Kind))
	case o.Verb != wire.RMASwap && o.Elem.Size%o.Fold.size() != 0:
		return w.fail(o.Name, o.Target, fmt.Errorf("%w: it reduces elements of %d bytes, the buffer's have %d", comm.ErrOp, o.Fold.size(), o.Elem.Size))
	case o.Verb == wire.RMAFetch && o.Src != nil && o.Fold.Op != NoOp && len(o.Src) != len(o.Dst):
		return w.fail(o.Name, o.Target, fmt.Errorf("%w: %d bytes to fold, room for %d", comm.ErrCount, len(o.Src), len(o.Dst)))
	}
	return nil
}
