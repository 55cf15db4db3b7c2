package coll

import "github.com/weft-mpi/weft/internal/plan"

// scan/chain, exscan/chain: the sum of the ranks before runs from rank to rank,
// each adding its own. Long vectors go in pieces on more than two ranks, so that
// some add while others pass on.
//
// Steps: p-1 rounds, p-1 messages in all for each of s pieces. Cost:
// (p-2+s)(a + (n/s)(b + g)), for exscan a copy more. Limits: none. Source:
// textbook.
func scanChain(b *plan.Builder, c Case) {
	offs := c.scanPieces()
	sends := inOrder(b)
	for i := range len(offs) - 1 {
		scanLink(b, c, offs[i], offs[i+1]-offs[i], sends)
	}
}

// scanPieces cuts the vector into pieces that are long enough for a message
// each. Of two ranks the second passes nothing on, so that one piece will do.
func (c Case) scanPieces() []int {
	const shortest, most = 128 << 10, 16
	width := c.Segment
	switch {
	case c.Ranks == 2:
		width = c.Bytes
	case width == 0:
		width = max(shortest, (c.Bytes+most-1)/most)
	}
	return split(c.Bytes, c.elem(), max((c.Bytes+width-1)/width, 1))
}

// scanLink adds what a rank does with n bytes at off: it gets the sum of the
// ranks before and passes on one that has its own, too. The sum lands in the
// result where that is free.
func scanLink(b *plan.Builder, c Case, off, n int, sends *order) {
	own, out := c.source().Sub(off, n), c.vector().Sub(off, n)
	before, got := out, plan.None
	if c.Rank > 0 {
		if c.inPlace() {
			before = b.Tmp(n)
		}
		got = b.Recv(c.Rank-1, before)
	}
	last := c.Rank == c.Ranks-1
	sum, ready := own, plan.None // of the ranks up to and with this one
	switch {
	case c.Rank == 0:
	case c.Op == Scan && c.inPlace():
		sum, ready = own, b.Reduce(own, before, true, got)
	case c.Op == Scan:
		sum, ready = out, b.Reduce(out, own, false, got)
	default:
		ready = got
		if !last {
			sum = b.Tmp(n)
			ready = b.Reduce(sum, before, true, got, b.Copy(sum, own))
		}
		if c.inPlace() {
			b.Copy(out, before, ready)
		}
	}
	if !last {
		b.Send(c.Rank+1, sum, sends.after(ready))
	}
	if c.Rank == 0 && c.Op == Scan && !c.inPlace() {
		b.Copy(out, own)
	}
}
