package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/bruck: a block that has to go i ranks further travels in hops, one
// for each digit of i in radix k+1; in the round of a digit all blocks with the
// same digit hop together in one message, which has a port of its own.
//
// Steps: with r = k+1, at most ceil(logr p) rounds. Cost: ceil(logr p)(a +
// p/r*nb), and k times as many copies. Limits: none; scratch of
// 2 ceil(logr p)*pn. Wins for short blocks, whatever the number of ranks.
// Source: Bruck et al., "Efficient algorithms for all-to-all communications in
// multiport message-passing systems", 1997.
func alltoallBruck(b *plan.Builder, c Case) {
	p, ports := c.Ranks, newPorts(b, c)
	r := ports.k + 1
	from := blocksToSend(b, c)
	at := make([]parcel, p) // where the block that goes i further is now
	for i := range p {
		to := (c.Rank + i) % p
		at[i] = parcel{from.block[to], from.copied[to]}
	}
	for one := 1; one < p; one *= r {
		for z := 1; z < r && z*one < p; z++ {
			var hop []int
			var leaves []parcel
			for i := z * one; i < p; i++ {
				if i/one%r == z {
					hop, leaves = append(hop, i), append(leaves, at[i])
				}
			}
			leaving, arriving := b.Tmp(len(hop)*c.Bytes), b.Tmp(len(hop)*c.Bytes)
			ports.send((c.Rank+z*one)%p, leaving, pack(b, leaving, leaves)...)
			got := b.Recv((c.Rank-z*one+p)%p, arriving)
			for n, i := range hop {
				at[i] = parcel{arriving.Sub(n*c.Bytes, c.Bytes), got}
			}
		}
	}
	saved := b.Gate(from.copied...)
	for i := 1; i < p; i++ {
		b.Copy(c.recvBlock((c.Rank-i+p)%p), at[i].at, at[i].since, saved)
	}
	if !c.inPlace() {
		b.Copy(c.recvBlock(c.Rank), at[0].at)
	}
}
