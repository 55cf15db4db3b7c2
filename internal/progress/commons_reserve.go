package progress

// aside is memory that the first rank of a node has put aside for a Commons.
type aside struct {
	block []byte
	halls [halls][]byte
}

// CommonsMayLack tells whether nodes may have no memory for a Commons. In virtual time they always have. All ranks of a job get the
// same answer.
func (l *Loop) CommonsMayLack() bool { return l.virtual == nil }

// ReserveCommons puts aside, at the first rank of a node, all that plans of up to so many bytes and flags per rank can ever need, so
// that none ends with ErrNoRoom. It is called before the first plan and does not wait. False says that the node has no room;
// then nothing is put aside. Ranks that are not the first of their node, or alone on it, have nothing to do.
func (l *Loop) ReserveCommons(c *Commons, bytes, flags int) bool {
	if !c.first() || len(c.procs) == 1 {
		return true
	}
	l.lock()
	defer l.unlock()
	var err error
	if c.aside.block, err = c.take(c.blockSize()); err != nil {
		return false
	}
	size := c.hallSize(bytes, flags)
	for i := range c.aside.halls {
		if c.aside.halls[i], err = c.take(size); err != nil {
			c.giveAside()
			return false
		}
	}
	return true
}

// CommonsLack counts a communicator whose ranks have agreed to do without memory of their nodes.
func (l *Loop) CommonsLack() {
	l.lock()
	defer l.unlock()
	l.shared.Lacking++
}

// CommonsNeed is how much memory ReserveCommons puts aside for so many ranks of a node, and some more for what the allocator
// rounds up.
func CommonsNeed(ranks, bytes, flags int) int {
	const spare = 64 << 10
	c := Commons{procs: make([]int, ranks)}
	return c.blockSize() + halls*c.hallSize(bytes, flags) + spare
}

// hallSize is how long a hall is for so many bytes and flags per rank.
func (c *Commons) hallSize(bytes, flags int) int {
	return c.hallFlags((flags+lineFlags-1)/lineFlags) + roundUp(bytes)
}

// giveAside gives back what was put aside.
func (c *Commons) giveAside() {
	for i, mem := range c.aside.halls {
		if mem != nil {
			c.loop.cfg.Node.Give(mem)
		}
		c.aside.halls[i] = nil
	}
	c.loop.cfg.Node.Give(c.aside.block)
	c.aside.block = nil
}

// blockMem is memory for the block.
func (c *Commons) blockMem() ([]byte, error) {
	if c.aside.block != nil {
		return c.aside.block, nil
	}
	return c.take(c.blockSize())
}

// hallMem is memory for a hall of so many bytes, in place of what it has. What was put aside is the same memory every time: nobody
// is in the hall when it grows.
func (c *Commons) hallMem(at uint64, size int) ([]byte, error) {
	if spare := c.aside.halls[at]; len(spare) >= size {
		return spare[:size], nil
	}
	mem, err := c.take(size)
	if h := &c.halls[at]; err == nil && h.mem != nil && len(c.procs) > 1 && c.aside.block == nil {
		c.loop.cfg.Node.Give(h.mem)
	}
	return mem, err
}
