package coll

import "github.com/weft-mpi/weft/internal/plan"

// bcast/chain: the ranks form a line behind the root, and the vector runs down
// the line in s segments, each rank passing on one while it receives the next.
//
// Steps: p-2+s rounds. Cost: (p-2+s)(a + n/s*b), about nb for long vectors.
// Limits: none. Source: textbook (pipelined chain).
func bcastChain(b *plan.Builder, c Case) {
	v := virtual(c.Rank, c.Root, c.Ranks)
	prev, next := actual(v-1+c.Ranks, c.Root, c.Ranks), actual(v+1, c.Root, c.Ranks)
	passOn := inOrder(b)
	size := c.segment()
	for off := 0; off < c.Bytes; off += size {
		piece := c.vector().Sub(off, min(size, c.Bytes-off))
		got := plan.None
		if v > 0 {
			got = b.Recv(prev, piece)
		}
		if v < c.Ranks-1 {
			b.Send(next, piece, passOn.after(got))
		}
	}
}

// segment returns the length of a segment: what the caller asked for, else
// long enough to be worth a message and to make at most 64 of them.
func (c Case) segment() int {
	const shortest, most = 32 << 10, 64
	if c.Segment > 0 {
		return c.Segment
	}
	return max(shortest, (c.Bytes+most-1)/most)
}
