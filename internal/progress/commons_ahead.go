package progress

import "github.com/weft-mpi/weft/internal/plan"

// fetchAhead asks for the lines that a run to come will write first, if it is like the latest, or
// like those that came in turn with others between. Flags and slips of the next run stay where they
// are, for who awaits them takes them back at once; nobody looks at those of the run after before
// we have been through the next.
func (c *Commons) fetchAhead() {
	at, n := c.put.Off, c.put.Len
	if n == 0 {
		return
	}
	next := c.last + 1
	c.loop.shared.Ahead++
	if c.slips {
		c.ahead.WillWrite(c.block.slipMem(next + 1)[at : at+plan.SlipLen-at%plan.SlipLen])
		return
	}
	c.ahead.WillWrite(c.block.shelfMem(next)[at : at+n])
	c.ahead.WillWrite(c.block.shelfMem(next + 1)[at : at+n])
}
