package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/bruck: every rank collects blocks in the order own, next, next but
// one, ...; when it has d of them it sends them all, at most up to a full set,
// to the ranks d, 2d, ..., kd before it, each by a port of its own. At the end
// the set is turned into rank order.
//
// Steps: with r = k+1, ceil(logr p) rounds. Cost: ceil(logr p)*a + (p-1)/k*nb,
// and a copy of all. Limits: none; scratch of pn. Wins for short blocks,
// whatever the number of ranks. Source: Bruck et al., "Efficient algorithms for
// all-to-all communications in multiport message-passing systems", 1997.
func allgatherBruck(b *plan.Builder, c Case) {
	p, ports := c.Ranks, newPorts(b, c)
	set := b.Tmp(p * c.Bytes)
	have := []int{b.Copy(set.Sub(0, c.Bytes), c.source())}
	for d := 1; d < p; d *= ports.k + 1 {
		before := have
		for j := 1; j <= ports.k && j*d < p; j++ {
			n := min(d, p-j*d) * c.Bytes
			ports.send((c.Rank-j*d+p)%p, set.Sub(0, n), before...)
			have = append(have, b.Recv((c.Rank+j*d)%p, set.Sub(j*d*c.Bytes, n)))
		}
	}
	head, tail := c.wrapped(plan.Out, c.Rank, p)
	all := b.Gate(have...)
	b.Copy(head, set.Sub(0, head.Len), all)
	if tail.Len > 0 {
		b.Copy(tail, set.Sub(head.Len, tail.Len), all)
	}
}
