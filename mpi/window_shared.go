package mpi

// SplitShared makes one communicator per host: of ranks whose memory can be shared, in the order of key
// and, for equal keys, of their old ranks. All ranks call it.
func (c *Comm) SplitShared(key int) (*Comm, error) { return c.Split(c.c.SharedColor(), key) }

// SplitNUMA makes one communicator per NUMA node of a host: of ranks that run on processors of that node
// alone, as those that are bound do ("weft run --bind core"). A rank that may run on processors of
// several nodes gets nil. All ranks call it.
func (c *Comm) SplitNUMA(key int) (*Comm, error) { return c.Split(c.c.MemoryColor(), key) }
