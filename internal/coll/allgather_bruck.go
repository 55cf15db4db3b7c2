package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/bruck: every rank collects blocks in the order own, next, next but
// one, ...; in round k it sends all it has, at most up to a full set, to the
// rank 2^k before it. At the end the set is turned into rank order.
//
// Steps: ceil(log2 p) rounds. Cost: ceil(log2 p)*a + (p-1)nb, and a copy of all.
// Limits: none; scratch of pn. Source: Bruck et al., "Efficient algorithms for
// all-to-all communications in multiport message-passing systems", 1997.
func allgatherBruck(b *plan.Builder, c Case) {
	p := c.Ranks
	set := b.Tmp(p * c.Bytes)
	have := []int{b.Copy(set.Sub(0, c.Bytes), c.source())}
	for d := 1; d < p; d *= 2 {
		n := min(d, p-d) * c.Bytes
		b.Send((c.Rank-d+p)%p, set.Sub(0, n), have...)
		have = append(have, b.Recv((c.Rank+d)%p, set.Sub(d*c.Bytes, n)))
	}
	head, tail := c.wrapped(plan.Out, c.Rank, p)
	all := b.Gate(have...)
	b.Copy(head, set.Sub(0, head.Len), all)
	if tail.Len > 0 {
		b.Copy(tail, set.Sub(head.Len, tail.Len), all)
	}
}
