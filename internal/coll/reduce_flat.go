package coll

import "github.com/weft-mpi/weft/internal/plan"

// reduce/flat: everybody sends its vector to the root, which merges them in
// rank order.
//
// Steps: 1 round, p-1 messages to the root. Cost: a + (p-1)n(b + g). Limits:
// none; scratch of (p-1)n at the root. Source: textbook.
func reduceFlat(b *plan.Builder, c Case) {
	if c.Rank != c.Root {
		b.Send(c.Root, c.source())
		return
	}
	collect(b, c)
}

// collect lets this rank receive the vectors of all others and merge them with
// its own into Out. It returns the last step. The own vector stands in the
// middle: lower ranks are merged from the left, nearest first.
func collect(b *plan.Builder, c Case) (merged int) {
	merged = plan.None
	if !c.inPlace() {
		merged = b.Copy(c.vector(), c.source())
	}
	for i := c.Rank - 1; i >= 0; i-- {
		theirs := b.Tmp(c.Bytes)
		merged = b.Reduce(c.vector(), theirs, true, b.Recv(i, theirs), merged)
	}
	for i := c.Rank + 1; i < c.Ranks; i++ {
		theirs := b.Tmp(c.Bytes)
		merged = b.Reduce(c.vector(), theirs, false, b.Recv(i, theirs), merged)
	}
	return merged
}
