package progress

// fetchAhead asks for the lines of the slot that the next run will write first, if it is like the latest, or like those that came in
// turn with others between. Those of flags and slips are not worth it: who awaits them takes them back at once.
func (c *Commons) fetchAhead() {
	at, n := c.put.Off, c.put.Len
	if n == 0 {
		return
	}
	next := c.last + 1
	c.loop.shared.Ahead++
	c.ahead.WillWrite(c.block.slotMem(next)[at : at+n])
	c.ahead.WillWrite(c.block.slotMem(next + 1)[at : at+n])
}
