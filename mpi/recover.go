package mpi

// Started with weft run --recover, a job goes on when a process dies, or a host with all of its processes. The calls of
// other ranks that need the dead end with [ErrProcFailed], soon; all others go on:
//
//   - sends to it and receives from it;
//   - receives and probes from [AnySource] on a communicator that it belongs to, until [Comm.AckFailed];
//   - collective calls on such a communicator, those under way and those begun later, at all ranks. Some ranks may have
//     got the result before;
//   - calls of windows that need it.
//
// The program sees to the rest: who gets the error tells the others by [Comm.Revoke], all make a communicator of the
// living by [Comm.Shrink], agree by [Comm.Agree] on where to go on, and go on from what they have saved. Ranks of [Run]
// do not die, but may call all of these.

// Revoke ends the communicator for all of its ranks: whatever is under way on it, and whatever is begun later, fails
// with [ErrRevoked], soon, at all ranks that live. So ranks that wait for each other in a pattern that a death has torn
// all get out. Only Shrink, Agree, FailedRanks, AckFailed and Free are of use then. One rank calls it, or several.
func (c *Comm) Revoke() error { return c.c.Revoke() }

// Shrink makes a communicator of the ranks that live, in their order. All ranks that live call it, and all get the same
// communicator: if a rank dies meanwhile it is in for all, and dead, or for none. It works on communicators that were
// revoked.
func (c *Comm) Shrink() (*Comm, error) { return c.wrap(c.c.Shrink()) }

// Agree returns the bits of flags that all ranks that live have set, and those that have died after they called. All
// ranks that live call it, and all get the same. If a rank of the communicator is dead, and not all callers have
// called AckFailed since, all get [ErrProcFailed], and the flags too. It works on communicators that were revoked. If a
// rank calls Shrink instead, no flag is set and all get [ErrRevoked]; after Shrink there is no Agree on the old one.
func (c *Comm) Agree(flags uint64) (uint64, error) { return c.c.Agree(flags) }

// FailedRanks returns the ranks of the communicator that this rank knows to be dead.
func (c *Comm) FailedRanks() []int { return c.c.FailedRanks() }

// AckFailed says that the program knows of the FailedRanks, which it returns: receives from [AnySource] wait for the
// other ranks again, and Agree does not fail for those that all have acknowledged.
func (c *Comm) AckFailed() []int { return c.c.AckFailed() }
