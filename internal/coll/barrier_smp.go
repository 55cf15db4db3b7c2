package coll

import "github.com/weft-mpi/weft/internal/plan"

// barrier/smp: the ranks of a node raise flags that its master awaits, the
// masters meet by dissemination, and the flag of the master releases its node.
//
// Steps: ceil(log2 m) rounds for m nodes, m ceil(log2 m) messages in all, a flag
// up and a flag down on every node. Limits: nodes have memory. Source: Qian,
// thesis, ch. 4 (the phases of SMP-aware collectives).
func barrierSMP(b *plan.Builder, c Case) {
	l := c.layout()
	r := newRoom(b, c, l)
	flag := r.flags(1)
	defer r.close()
	if r.me > 0 {
		b.Set(flag)
		b.Await(r.ranks[0], flag)
		return
	}
	heard := r.others(flag)
	masters, me, n := l.masters(), l.node[c.Rank], len(l.ranks)
	for d := 1; d < n; d *= 2 {
		b.Send(masters[(me+d)%n], plan.Span{}, heard...)
		heard = append(heard, b.Recv(masters[(me-d+n)%n], plan.Span{}))
	}
	b.Set(flag, heard...)
}
