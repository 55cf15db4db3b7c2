package mpi

// SplitShared makes one communicator per host: of ranks whose memory can be shared, in the order of key
// and, for equal keys, of their old ranks. All ranks call it.
func (c *Comm) SplitShared(key int) (*Comm, error) { return c.Split(c.c.SharedColor(), key) }
