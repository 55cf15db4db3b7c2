package comm

import (
	"context"

	"github.com/weft-mpi/weft/internal/progress"
)

// What windows need of the communicator that they stand on.

// Context is the number that tells messages of this communicator from others'.
func (c *Comm) Context() uint32 { return c.in }

// Waits is the context that ends waits; nil if there is none.
func (c *Comm) Waits() context.Context { return c.goctx }

// Why names a call on the communicator.
func (c *Comm) Why(op string) progress.Why { return c.why(op) }

// Adopt makes the request of a handle whose Home is the communicator.
func (c *Comm) Adopt(h progress.Handle) Request { return c.request(h) }

// Handle names the operation of a request to the loop; the zero handle if it is over.
func (r *Request) Handle() progress.Handle { return r.h }

// Freed tells whether the communicator has been freed.
func (c *Comm) Freed() bool { return c.state.Load() == freed }
