package coll

import (
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
)

// allgather/smp_bruck, allgatherv/smp_bruck: the ranks of a node put their
// blocks into its memory; the masters run Bruck's algorithm with k ports among
// the memories of the nodes; everybody copies each block from where it landed
// to where it belongs, so nothing is rotated.
//
// Steps: ceil(log(k+1) m) rounds for m nodes of l ranks. Cost: ceil(log(k+1) m)a
// + (m-1)l/k*nb, one copy in of n and one copy out of pn. Limits: nodes have
// memory that takes pn. Source: Qian, thesis, 4.4 (SMP Bruck).
func allgatherSMPBruck(b *plan.Builder, c Case) {
	l := c.layout()
	me, n := l.node[c.Rank], len(l.ranks)
	g := startNodeGather(b, c, l, slices.Concat(l.ranks[me:], l.ranks[:me]))
	parts := func(first, count int) (nodes []int, memory plan.Span) { // count from the own one
		for i := range count {
			nodes = append(nodes, (me+first+i)%n)
		}
		memory = g.of(nodes[0])
		for _, node := range nodes[1:] {
			memory.Len += g.of(node).Len
		}
		return nodes, memory
	}
	flag := g.r.flags(n) // that of a part is the number of its first node from the own one
	type arrival struct {
		nodes      []int
		flag, came int
	}
	var arrivals []arrival
	have := []int{g.local}
	for d := 1; d < n; d *= c.ports() + 1 {
		before := have
		for j := 1; j <= c.ports() && j*d < n; j++ {
			count := min(d, n-j*d)
			nodes, landing := parts(j*d, count)
			a := arrival{nodes: nodes, flag: flag + j*d, came: plan.None}
			if g.isMaster() {
				_, leaving := parts(0, count)
				c.travel(b, leaving.Len, me+j)
				if leaving.Len > 0 {
					b.Send(g.masters[(me-j*d+n)%n], leaving, before...)
				}
				c.travel(b, landing.Len, 0)
				if landing.Len > 0 {
					a.came = b.Recv(g.masters[(me+j*d)%n], landing)
				}
				b.Set(a.flag, a.came)
				have = append(have, a.came)
			}
			arrivals = append(arrivals, a)
		}
	}
	g.takeLocal()
	for _, a := range arrivals {
		g.take(a.nodes, a.flag, a.came)
	}
	g.r.close()
}
