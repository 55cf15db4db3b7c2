package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/smp_gather_bcast, allgatherv/smp_gather_bcast: the ranks of a node
// put their blocks into its memory; the masters send them into the memory of
// the first node, from where everything runs down a binomial tree of masters
// into the memory of the others; everybody copies out.
//
// Steps: 1 + ceil(log2 m) rounds for m nodes, 2(m-1) messages in all. Cost:
// (1 + ceil(log2 m))a + (1 + ceil(log2 m))pnb, one copy in of n and one copy out
// of pn. Limits: nodes have memory that takes pn. For the shortest blocks.
// Source: Qian, thesis, 4.4 (SMP gather and broadcast).
func allgatherSMPGatherBcast(b *plan.Builder, c Case) {
	l := c.layout()
	g := startNodeGather(b, c, l, l.ranks)
	n := len(l.ranks)
	flag := g.r.flags(1)
	whole := plan.None
	if g.isMaster() && n > 1 {
		whole = g.collectAtFirst()
		children := treeChildren(g.me, n)
		for i := len(children) - 1; i >= 0; i-- {
			c.travel(b, g.memory.Len, i)
			b.Send(g.masters[children[i]], g.memory, whole)
		}
		b.Set(flag, whole)
	}
	if n == 1 {
		g.takeLocal()
	} else {
		nodes := make([]int, n)
		for node := range nodes {
			nodes[node] = node
		}
		g.take(nodes, flag, whole)
	}
	g.r.close()
}

// collectAtFirst lets a master hand its part to the first node and take the
// whole back, or the first one collect all parts. It returns when all is there.
func (g *nodeGather) collectAtFirst() (whole int) {
	own := g.of(g.me)
	if g.me > 0 {
		sent := plan.None
		if own.Len > 0 {
			g.c.travel(g.b, own.Len, g.me)
			sent = g.b.Send(g.masters[0], own, g.local)
		}
		g.c.travel(g.b, g.memory.Len, 0)
		return g.b.Recv(g.masters[treeParent(g.me)], g.memory, sent, g.local)
	}
	came := []int{g.local}
	for node := 1; node < len(g.l.ranks); node++ {
		if part := g.of(node); part.Len > 0 {
			g.c.travel(g.b, part.Len, 0)
			came = append(came, g.b.Recv(g.masters[node], part))
		}
	}
	return all(g.b, came)
}
