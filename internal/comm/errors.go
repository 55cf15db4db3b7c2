package comm

import (
	"errors"
	"fmt"
	"strings"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/progress"
)

// The classes of errors. An Error wraps exactly one of them, or the cause of a context.
var (
	ErrBuffer     = errors.New("bad buffer")
	ErrCount      = errors.New("bad count")
	ErrType       = errors.New("element type contains Go pointers, which mean nothing to another process")
	ErrTag        = errors.New("tag out of range")
	ErrComm       = errors.New("communicator has been freed")
	ErrRank       = errors.New("rank out of range")
	ErrRequest    = progress.ErrStale
	ErrRoot       = errors.New("root out of range")
	ErrGroup      = errors.New("bad group")
	ErrOp         = errors.New("operation not defined for this element type")
	ErrTruncate   = engine.ErrTruncate
	ErrCancelled  = engine.ErrCancelled
	ErrMismatch   = progress.ErrMismatch
	ErrElement    = errors.New("the message has elements of another type")
	ErrAborted    = progress.ErrAborted
	ErrProcFailed = engine.ErrLost
	ErrLimit      = errors.New("limit reached")
	ErrRefused    = engine.ErrRefused
	ErrTwo        = errors.New("not with two groups of ranks")
	ErrGivenUp    = errors.New("communicator given up: a collective on it was cancelled, and its ranks disagree about what has happened; free it")
)

// errLittered refuses to make a communicator by one where words of a call that a context has ended may lie
// about: they would be taken for this call's.
var errLittered error = littered{}

type littered struct{}

func (littered) Error() string {
	return "a context has ended a call that was to make a communicator by this one, and the next would take its words " +
		"for its own; make it by another one"
}

func (littered) Is(class error) bool { return class == ErrGivenUp }

// The classes that only windows have.
var (
	ErrWindow = errors.New("bad window")
	ErrEpoch  = errors.New("wrong epoch")
	ErrRange  = errors.New("outside the window")
	ErrAlign  = errors.New("bad alignment")
	ErrLock   = errors.New("conflicting lock")
	ErrShared = errors.New("memory cannot be shared")
)

// ErrOver is why communicators, and windows, cannot be used any more though nobody has freed them.
var ErrOver = errors.New("its job is over: Run has returned, or Finalize was called")

// None as Peer or Tag of an Error means that there is none to name.
const None = progress.Nobody

// Error is what failed: which operation, on which communicator, with which peer, and why.
type Error struct {
	Op   string // "recv", "allreduce", ...
	Comm string // name of the communicator
	Peer int    // rank there; None if no single one is concerned
	Tag  int    // None where there is no tag
	Err  error
}

// Error says it in one line.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "mpi: %s", e.Op)
	if e.Comm != "" {
		fmt.Fprintf(&b, " on %s", e.Comm)
	}
	switch {
	case e.Peer == AnySource:
		b.WriteString(" with any rank")
	case e.Peer != None:
		fmt.Fprintf(&b, " with rank %d", e.Peer)
	}
	switch {
	case e.Tag == AnyTag:
		b.WriteString(", any tag")
	case e.Tag != None:
		fmt.Fprintf(&b, ", tag %d", e.Tag)
	}
	fmt.Fprintf(&b, ": %v", e.Err)
	return b.String()
}

// Unwrap gives the cause, for errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.Err }

// Errors makes an Error one of the type that programs know. The public face brings it.
type Errors func(*Error) error

// Fault is the error as programs know it.
func (e *Env) Fault(err *Error) error {
	if e.Errors == nil {
		return err
	}
	return e.Errors(err)
}

// fault is the error of an operation on the communicator.
func (c *core) fault(op string, peer, tag int, err error) error {
	return c.env.Fault(&Error{Op: op, Comm: c.name, Peer: peer, Tag: tag, Err: err})
}
