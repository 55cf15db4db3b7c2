package window

import (
	"fmt"
	"math"

	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/wire"
)

// What is open on a window as a whole.
const (
	fenced  uint32 = 1 << iota // between two fences
	used                       // an operation has begun since the fence
	allHeld                    // LockAll
	started                    // Start, not yet Complete
	posted                     // Post, not yet Wait
	freed                      // nothing works on it any more
	over                       // because its job is over
)

// What is open with one target.
const (
	held      uint32 = 1 << iota // Lock
	exclusive                    // and nobody else has it
	unchecked                    // and the target does not know of it
	targeted                     // in the group of Start
)

// aim finds the part of a target that an operation may go to. It is the beginning of every operation and holds no lock.
func (w *Window) aim(op string, target int) (*part, error) {
	e := w.epoch.Load()
	switch {
	case e&freed != 0:
		return nil, w.gone(op, target)
	case uint(target) >= uint(len(w.parts)):
		return nil, w.fail(op, target, fmt.Errorf("%w: the window has ranks 0 to %d", comm.ErrRank, len(w.parts)-1))
	}
	p := &w.parts[target]
	if p.open.Load() != 0 || e&allHeld != 0 {
		return p, nil
	}
	if e&fenced == 0 {
		return nil, w.fail(op, target, w.noEpoch(e))
	}
	if e&used == 0 {
		w.epoch.Or(used)
	}
	return p, nil
}

// noEpoch says why a target cannot be accessed, and what would allow it.
func (w *Window) noEpoch(e uint32) error {
	if e&started != 0 {
		return fmt.Errorf("%w: the target is not in the group given to Start; call Start with all targets", ErrEpoch)
	}
	if w.held.Load() > 0 {
		return fmt.Errorf("%w: other targets are locked, this one is not; call Lock for it, or LockAll", ErrEpoch)
	}
	return fmt.Errorf("%w: none is open; call Fence, Start, Lock or LockAll first", ErrEpoch)
}

// aimPassive is aim for calls that make sense only while the target is locked.
func (w *Window) aimPassive(op string, target int) (*part, error) {
	p, err := w.aim(op, target)
	if err == nil && p.open.Load()&held == 0 && w.epoch.Load()&allHeld == 0 {
		err = w.fail(op, target, fmt.Errorf("%w: it needs a lock; call Lock or LockAll first", ErrEpoch))
	}
	return p, err
}

// block turns a displacement into bytes of the target's memory, and checks that n bytes with this alignment lie there.
func (w *Window) block(op string, target int, p *part, disp, n, align int) (wire.Block, error) {
	off := disp * p.unit
	if w.kind != Dynamic && uint(disp) > uint(p.elements) {
		return wire.Block{}, w.fail(op, target, w.outside(p, disp, n))
	}
	return w.blockAt(op, target, p, off, n, align)
}

// blockAt is n bytes of a target's memory, from byte off on.
func (w *Window) blockAt(op string, target int, p *part, off, n, align int) (wire.Block, error) {
	if w.kind == Dynamic {
		if off < 0 || n > math.MaxInt-off {
			return wire.Block{}, w.fail(op, target, fmt.Errorf("%w: address %d; use what Attach returned at the target", ErrRange, off))
		}
	} else if off < 0 || off > p.size-n {
		return wire.Block{}, w.fail(op, target, w.outside(p, off/max(p.unit, 1), n))
	}
	if off&(align-1) != 0 {
		return wire.Block{}, w.fail(op, target, fmt.Errorf("%w: byte %d of the window is no place for elements that are aligned to %d bytes", ErrAlign, off, align))
	}
	return wire.Block{Off: off, Len: n}, nil
}

func (w *Window) outside(p *part, disp, n int) error {
	if p.unit == 0 {
		return fmt.Errorf("%w: %d bytes at displacement %d; the target's part is empty", ErrRange, n, disp)
	}
	return fmt.Errorf("%w: %d bytes at displacement %d; the target's part has %d elements of %d bytes", ErrRange, n, disp, p.elements, p.unit)
}

// settled complains of epochs that must not be open: bits of the window, and locks.
func (w *Window) settled(op string, bits uint32) error {
	e := w.epoch.Load()
	switch e &= bits | freed; {
	case e&freed != 0:
		return w.gone(op, comm.None)
	case e&started != 0:
		return w.fail(op, comm.None, fmt.Errorf("%w: Start has opened one; call Complete first", ErrEpoch))
	case e&posted != 0:
		return w.fail(op, comm.None, fmt.Errorf("%w: Post has opened one; call Wait first", ErrEpoch))
	case e&allHeld != 0:
		return w.fail(op, comm.None, fmt.Errorf("%w: LockAll has opened one; call UnlockAll first", ErrEpoch))
	case bits&allHeld != 0 && w.held.Load() > 0:
		return w.fail(op, comm.None, fmt.Errorf("%w: %d targets are locked; call Unlock first", ErrEpoch, w.held.Load()))
	case e&used != 0 && w.epoch.Load()&fenced != 0:
		return w.fail(op, comm.None, fmt.Errorf("%w: operations have begun since Fence; call Fence again first", ErrEpoch))
	}
	return nil
}
