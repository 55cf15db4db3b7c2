package regcache

import "weak"

// drop no longer keeps e: it is closed now, or with its last Release.
func (c *Cache) drop(e *Entry) {
	c.kept.Delete(addressOf(e.buf))
	c.bytes -= len(e.buf)
	e.kept = false
	if e.refs == 0 {
		c.idle.remove(e)
		c.deregister(e)
	}
}

// Evict drops the entry that has not been used for longest; false if all are in use.
func (c *Cache) Evict() bool {
	if c.idle.oldest == nil {
		return false
	}
	c.count.Evictions++
	c.drop(c.idle.oldest)
	return true
}

// Trim drops the entries that were not in use from one collection of garbage to the next but one, so that memory the
// program has forgotten is not kept for ever.
func (c *Cache) Trim() {
	if c.cfg.Steady {
		return
	}
	now := c.cycles.now()
	for e := c.idle.oldest; e != nil && now-e.cycle >= 2; e = c.idle.oldest {
		c.count.Aged++
		c.drop(e)
	}
}

// Invalidate forgets what is kept of mem, which is about to be freed or unmapped. Entries in use are closed with their
// last Release: to wait for that is up to the caller.
func (c *Cache) Invalidate(mem []byte) {
	if len(mem) == 0 {
		return
	}
	for e := c.overlapping(mem); e != nil; e = c.overlapping(mem) {
		c.count.Invalidated++
		c.drop(e)
	}
}

// Close drops everything and keeps nothing from now on; entries in use are closed with their last Release. The error is
// the first that closing a registration ever gave.
func (c *Cache) Close() error {
	for {
		_, e, ok := c.kept.Floor(^uintptr(0))
		if !ok {
			break
		}
		c.drop(e)
	}
	c.cfg.Entries = 0
	return c.failed
}

// cycles counts collections of garbage, as far as somebody looks: several between two looks count as one.
type cycles struct {
	seen   uint32
	canary weak.Pointer[canary]
}

// canary is an object that nothing holds: the next collection takes it. It is too large to share a block with others.
type canary [64]byte

func (g *cycles) now() uint32 {
	if g.canary.Value() == nil {
		g.canary = weak.Make(new(canary))
		g.seen++
	}
	return g.seen
}
