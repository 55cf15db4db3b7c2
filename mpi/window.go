package mpi

import (
	"context"
	"fmt"

	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/window"
)

// Window is memory that the ranks of a communicator let each other read and write. It is safe for concurrent use.
//
// An operation ([Put], [Get], [Accumulate] and the others) names a target rank and a displacement, counted
// in elements of the target's part. It needs an epoch: between two calls of [Window.Fence]; between
// [Window.Start] and [Window.Complete] with a group of targets; or while the target is locked by
// [Window.Lock] or [Window.LockAll]. Operations may return before they are over: until the epoch ends, or a
// flush says so, their buffers belong to the library.
type Window struct{ w *window.Window }

// Assert is a promise that lets a call do less; see the constants.
type Assert uint8

// The assertions of the standard.
const (
	NoCheck   = Assert(window.NoCheck)   // Post, Start: the other side is ready; Lock, LockAll: nobody else locks
	NoStore   = Assert(window.NoStore)   // Fence, Post: this rank has not stored to its part since the last synchronisation
	NoPut     = Assert(window.NoPut)     // Fence, Post: no rank will put to this rank's part in the epoch
	NoPrecede = Assert(window.NoPrecede) // Fence: no rank has begun an operation that it has to complete
	NoSucceed = Assert(window.NoSucceed) // Fence: no rank will begin an operation before the next fence
)

func assertions(all []Assert) (a window.Assert) {
	for _, one := range all {
		a |= window.Assert(one)
	}
	return a
}

// newWindow makes a window of n elements, or over buf.
func newWindow[T any](c *Comm, op string, kind window.Kind, buf []T, n int) (*Window, error) {
	if !movable[T]() {
		return nil, badType[T](c, op, comm.None, comm.None)
	}
	size := sizeOf[T]()
	if n < 0 || size > 0 && n > 1<<46/size {
		return nil, &Error{Op: op, Comm: c.Name(), Peer: comm.None, Tag: comm.None, Err: fmt.Errorf("%w: %d elements of %d bytes", ErrCount, n, size)}
	}
	w, err := window.New(c.c, window.Config{Op: op, Kind: kind, Mem: view(buf), Len: n * size, Unit: size})
	if err != nil {
		return nil, err
	}
	return &Window{w}, nil
}

// CreateWindow makes a window over buf, which must stay alive and where it is until [Window.Free];
// ranks may bring slices of different types and lengths, or nil. All ranks of c call it. Other
// processes reach buf with the kernel's help or by asking this rank, unless it came from [Alloc],
// whose memory the ranks of the host share.
func CreateWindow[T any](c *Comm, buf []T) (*Window, error) {
	return newWindow(c, "create_window", window.Created, buf, 0)
}

// AllocateWindow makes a window of n zeroed elements, and returns them too. On one host its memory is
// shared, so that operations are plain copies: prefer it to [CreateWindow]. All ranks of c call it; the
// memory is gone after [Window.Free].
func AllocateWindow[T any](c *Comm, n int) (*Window, []T, error) {
	w, err := newWindow[T](c, "allocate_window", window.Allocated, nil, n)
	if err != nil {
		return nil, nil, err
	}
	return w, elements[T](w.w.Mem()), nil
}

// SharedWindow makes a window of n zeroed elements that the other ranks may also load and store, see
// [Query]. All ranks of c must be on one host ([Comm.SplitShared]), and call it.
func SharedWindow[T any](c *Comm, n int) (*Window, []T, error) {
	w, err := newWindow[T](c, "shared_window", window.Shared, nil, n)
	if err != nil {
		return nil, nil, err
	}
	return w, elements[T](w.w.Mem()), nil
}

// Query returns the part of a rank in a window of [SharedWindow], to be loaded and stored like memory of
// one's own. What one rank stores, others see after both have synchronised: [Window.Fence], or
// [Window.Sync] around a message.
func Query[T any](w *Window, rank int) ([]T, error) {
	mem, err := w.w.Query(rank)
	if err != nil {
		return nil, err
	}
	return elements[T](mem), nil
}

// DynamicWindow makes a window without memory: ranks add some with [Attach] as the program goes.
// Displacements in it are addresses that Attach has returned at the target. All ranks of c call it.
func DynamicWindow(c *Comm) (*Window, error) {
	return newWindow[byte](c, "dynamic_window", window.Dynamic, nil, 0)
}

// Attach adds buf to a window of [DynamicWindow] and returns the address at which others reach its first
// byte; element i lies i times its size behind it. Send the address to those who need it. buf must stay
// alive until [Detach].
func Attach[T any](w *Window, buf []T) (address int, err error) {
	if !movable[T]() {
		return 0, w.badType("attach", comm.None, typeName[T]())
	}
	return w.w.Attach(view(buf))
}

// Detach takes buf out of the window again: operations on it fail with [ErrRange] from now on.
func Detach[T any](w *Window, buf []T) error { return w.w.Detach(view(buf)) }

// Name is the window's name in errors and reports.
func (w *Window) Name() string { return w.w.Comm().Name() }

// SetName changes the name, for this rank. Call it before the window is used.
func (w *Window) SetName(name string) { w.w.Comm().SetName(name) }

// Group returns the group of the communicator that the window was made on.
func (w *Window) Group() *Group { return &Group{w.w.Comm().Group()} }

// WithContext returns a handle to the same window whose calls end when ctx does, with its cause.
func (w *Window) WithContext(ctx context.Context) *Window { return &Window{w.w.WithContext(ctx)} }

// Free ends the window. All ranks call it, and it waits for them; no epoch may be open but that of a fence.
func (w *Window) Free() error { return w.w.Free() }

// Fence ends one epoch and begins the next: when it returns, the operations of all ranks before it are
// over, and their results can be seen in every part. All ranks call it.
func (w *Window) Fence(assert ...Assert) error { return w.w.Fence(assertions(assert)) }

// Post lets the ranks of a group operate on this rank's part until [Window.Wait]. It does not wait for them.
func (w *Window) Post(g *Group, assert ...Assert) error { return w.w.Post(g.g, assertions(assert)) }

// Start begins an epoch of operations on the parts of a group's ranks. It waits until they have called [Window.Post].
func (w *Window) Start(g *Group, assert ...Assert) error {
	return w.w.StartGroup(g.g, assertions(assert))
}

// Complete ends the epoch that [Window.Start] began: its operations are over when it returns.
func (w *Window) Complete() error { return w.w.Complete() }

// Wait ends the epoch that [Window.Post] began, when all ranks of its group have called [Window.Complete].
func (w *Window) Wait() error { return w.w.Wait() }

// Test is [Window.Wait] that does not wait: it tells whether the epoch has ended.
func (w *Window) Test() (bool, error) { return w.w.Test() }

// LockKind says who else may hold a lock of the same part.
type LockKind uint8

// The kinds of locks.
const (
	LockShared    LockKind = iota // others may, if they ask for a shared one too
	LockExclusive                 // nobody may
)

// Lock begins an epoch of operations on the part of a target, which need not do anything for it. It returns
// when the lock is held. A rank may hold locks of several targets, one each.
func (w *Window) Lock(kind LockKind, target int, assert ...Assert) error {
	return w.w.Lock(target, kind == LockExclusive, assertions(assert))
}

// Unlock ends the epoch that [Window.Lock] began: its operations are over when it returns.
func (w *Window) Unlock(target int) error { return w.w.Unlock(target) }

// LockAll begins an epoch of operations on the parts of all ranks, shared with others.
func (w *Window) LockAll(assert ...Assert) error { return w.w.LockAll(assertions(assert)) }

// UnlockAll ends the epoch that [Window.LockAll] began: its operations are over when it returns.
func (w *Window) UnlockAll() error { return w.w.UnlockAll() }

// Flush returns when all operations of this rank on the target are over. The target must be locked.
func (w *Window) Flush(target int) error { return w.w.Flush(target) }

// FlushAll is [Window.Flush] for all targets.
func (w *Window) FlushAll() error { return w.w.FlushAll() }

// FlushLocal returns when the buffers of all operations on the target are the caller's again: what was got
// is there, what was put may be on its way. The target must be locked.
func (w *Window) FlushLocal(target int) error { return w.w.FlushLocal(target) }

// FlushLocalAll is [Window.FlushLocal] for all targets.
func (w *Window) FlushLocalAll() error { return w.w.FlushLocalAll() }

// Sync keeps loads and stores in the window's memory that come before it apart from those that come
// after it. Ranks that share memory ([SharedWindow]) call it before they tell another rank of what
// they stored, and after they were told.
func (w *Window) Sync() error { return w.w.Sync() }
