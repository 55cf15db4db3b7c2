package mpi

import (
	"fmt"
	"unsafe"

	"github.com/weft-mpi/weft/internal/comm"
)

// Alloc returns n zeroed elements in memory that the ranks of this host share, so that long messages out of
// it take a single copy even where the kernel forbids reading another process's memory. Give it back with
// [Free]; what is left is gone after Finalize. T must be pointer-free.
func Alloc[T any](c *Comm, n int) ([]T, error) {
	fail := func(err error) ([]T, error) {
		return nil, &Error{Op: "alloc", Comm: c.Name(), Peer: comm.None, Tag: comm.None, Err: err}
	}
	size := sizeOf[T]()
	if !movable[T]() {
		return nil, badType[T](c, "alloc", comm.None, comm.None)
	}
	if n < 0 || size > 0 && n > 1<<46/size {
		return fail(fmt.Errorf("%w: %d elements of %d bytes", ErrCount, n, size))
	}
	if n*size == 0 {
		return make([]T, n), nil
	}
	if err := c.rank.Failed(); err != nil {
		return fail(err)
	}
	b, err := c.c.Env().Alloc(n * size)
	if err != nil {
		return fail(fmt.Errorf("%w: %w", ErrBuffer, err))
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), n), nil
}

// Free gives back memory from [Alloc], which must not be used any more. Other memory fails with
// [ErrBuffer].
func Free[T any](c *Comm, buf []T) error {
	if len(buf)*sizeOf[T]() == 0 {
		return nil
	}
	if err := c.c.Env().Free(view(buf)); err != nil {
		return &Error{Op: "free", Comm: c.Name(), Peer: comm.None, Tag: comm.None, Err: fmt.Errorf("%w: %w", ErrBuffer, err)}
	}
	return nil
}
