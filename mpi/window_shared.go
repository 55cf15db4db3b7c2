package mpi

// SplitShared makes one communicator per host: of ranks whose memory can be shared, in the order of key and, for equal keys, of
// their old ranks. All ranks call it.
func (c *Comm) SplitShared(key int) (*Comm, error) {
	env := c.c.Env()
	color := c.Rank()
	for rank, proc := range c.c.Members() {
		if env.Loop.Shares(proc) {
			color = rank // the lowest of those that see each other
			break
		}
	}
	return c.Split(color, key)
}
