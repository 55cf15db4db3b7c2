package window

import (
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/internal/comm"
)

// The classes of errors that only windows have.
var (
	ErrWindow = comm.ErrWindow
	ErrEpoch  = comm.ErrEpoch
	ErrRange  = comm.ErrRange
	ErrAlign  = comm.ErrAlign
	ErrLock   = comm.ErrLock
	ErrShared = comm.ErrShared
	ErrAttach = errors.New("memory cannot be attached or detached")
)

// fail makes the error of an operation on the window; target is comm.None if no single one is concerned.
func (w *Window) fail(op string, target int, err error) error {
	return w.c.Env().Fault(&comm.Error{Op: op, Comm: w.c.Name(), Peer: target, Tag: comm.None, Err: err})
}

// gone is fail for a window on which nothing works any more.
func (w *Window) gone(op string, target int) error {
	why := errors.New("it has been freed")
	if w.epoch.Load()&over != 0 {
		why = comm.ErrOver
	}
	return w.fail(op, target, fmt.Errorf("%w: %w", ErrWindow, why))
}
