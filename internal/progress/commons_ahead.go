package progress

// fetchAhead asks for the lines that the next run will write first, if it is like the latest, or like those that came in turn with
// others between.
func (c *Commons) fetchAhead() {
	next := c.last + 1
	c.loop.shared.Ahead++
	flags, slip := c.block.ownLines(c.self, next)
	c.ahead.WillWrite(flags)
	c.ahead.WillWrite(slip)
	if at, n := c.put.Off, c.put.Len; n > 0 {
		c.ahead.WillWrite(c.block.slotMem(next)[at : at+n])
		c.ahead.WillWrite(c.block.slotMem(next + 1)[at : at+n])
	}
}
