package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/bruck: a block that has to go i ranks further travels in hops of
// powers of two, one for each bit of i; in round k all blocks whose bit k is
// set hop together in one message.
//
// Steps: ceil(log2 p) rounds. Cost: ceil(log2 p)(a + p/2*nb), and as many
// copies. Limits: none; scratch of ceil(log2 p)*pn. For short blocks.
// Source: Bruck et al., "Efficient algorithms for all-to-all communications in
// multiport message-passing systems", 1997.
func alltoallBruck(b *plan.Builder, c Case) {
	p := c.Ranks
	from := blocksToSend(b, c)
	at := make([]plan.Span, p) // where the block that goes i further is now
	since := make([]int, p)    // and after which step
	for i := range p {
		to := (c.Rank + i) % p
		at[i], since[i] = from.block[to], from.copied[to]
	}
	for d := 1; d < p; d *= 2 {
		var hop []int
		for i := d; i < p; i++ {
			if i&d != 0 {
				hop = append(hop, i)
			}
		}
		leaving, arriving := b.Tmp(len(hop)*c.Bytes), b.Tmp(len(hop)*c.Bytes)
		var packed []int
		for k, i := range hop {
			packed = append(packed, b.Copy(leaving.Sub(k*c.Bytes, c.Bytes), at[i], since[i]))
		}
		b.Send((c.Rank+d)%p, leaving, packed...)
		got := b.Recv((c.Rank-d+p)%p, arriving)
		for k, i := range hop {
			at[i], since[i] = arriving.Sub(k*c.Bytes, c.Bytes), got
		}
	}
	saved := b.Gate(from.copied...)
	for i := 1; i < p; i++ {
		b.Copy(c.recvBlock((c.Rank-i+p)%p), at[i], since[i], saved)
	}
	if !c.inPlace() {
		b.Copy(c.recvBlock(c.Rank), at[0])
	}
}
