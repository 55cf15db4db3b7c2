package mpi

import (
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/topo"
	"github.com/weft-mpi/weft/internal/window"
)

// Error says which operation failed, on which communicator, with which peer, and why.
type Error struct {
	Op   string // "recv", "allreduce", ...
	Comm string // name of the communicator
	Peer int    // rank there, or AnySource; [None] if no single one is concerned
	Tag  int    // or AnyTag; [None] where there is no tag
	Err  error  // the cause: wraps one of the classes below, or is the cause of a context
}

// Error says it in one line.
func (e *Error) Error() string { return (*comm.Error)(e).Error() }

// Unwrap gives the cause, for errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.Err }

// newError is how the packages below make errors of ours.
func newError(e *comm.Error) error { return (*Error)(e) }

// The classes of errors, for errors.Is.
var (
	ErrBuffer     = comm.ErrBuffer     // buffered sends exceed their limit, or memory is not from Alloc
	ErrCount      = comm.ErrCount      // buffers or counts do not fit together
	ErrType       = comm.ErrType       // the element type contains Go pointers
	ErrTag        = comm.ErrTag        // tag out of range
	ErrComm       = comm.ErrComm       // the communicator has been freed
	ErrRank       = comm.ErrRank       // rank out of range
	ErrRequest    = comm.ErrRequest    // the request has already been waited for
	ErrRoot       = comm.ErrRoot       // root out of range
	ErrTwo        = comm.ErrTwo        // the call is not one between two groups
	ErrGroup      = comm.ErrGroup      // a rank is named twice, or a group has processes that the communicator lacks
	ErrGrid       = topo.ErrGrid       // sizes, coordinates or dimensions that a grid cannot have
	ErrGraph      = topo.ErrGraph      // neighbours that a graph cannot have, or a communicator without any
	ErrOp         = comm.ErrOp         // the reduction is not defined for the element type
	ErrTruncate   = comm.ErrTruncate   // the message is longer than the receive buffer
	ErrMismatch   = comm.ErrMismatch   // ranks called different collectives
	ErrElement    = comm.ErrElement    // the message was sent as elements of another type (check mode)
	ErrAborted    = comm.ErrAborted    // a rank has aborted the job
	ErrProcFailed = comm.ErrProcFailed // a peer has died, or has given up a collective that this rank is in
	ErrGivenUp    = comm.ErrGivenUp    // a collective on the communicator was cancelled
	ErrRevoked    = comm.ErrRevoked    // a rank has revoked the communicator
	ErrNoRecover  = comm.ErrNoRecover  // the job does not survive the death of a process
	ErrRefused    = comm.ErrRefused    // the receiver has freed the communicator
	ErrLimit      = comm.ErrLimit      // too many communicators
	ErrWindow     = window.ErrWindow   // the window has been freed, or is of another kind
	ErrEpoch      = window.ErrEpoch    // no epoch allows the operation, or one that is open forbids it
	ErrRange      = window.ErrRange    // the operation reaches outside the target's part of the window
	ErrAlign      = window.ErrAlign    // elements of this type cannot lie there
	ErrLock       = window.ErrLock     // this rank holds a lock that is in the way
	ErrShared     = window.ErrShared   // the ranks cannot share memory
)
