package coll

import "github.com/weft-mpi/weft/internal/plan"

// allreduce/ring: the vector is cut into p blocks that go round a ring twice,
// first growing by each rank's share, then finished.
//
// Steps: 2(p-1) rounds. Cost: 2(p-1)a + 2(p-1)/p*nb + (p-1)/p*ng. Limits:
// commutative. Source: Patarasuk and Yuan, "Bandwidth optimal all-reduce
// algorithms for clusters of workstations", 2009.
func allreduceRing(b *plan.Builder, c Case) {
	p := c.Ranks
	offs := split(c.Bytes, c.elem(), p)
	block := func(vector plan.Span, i int) plan.Span {
		i = (i + 2*p) % p
		return cut(vector, offs, i, i+1)
	}
	left, right := (c.Rank-1+p)%p, (c.Rank+1)%p
	passOn, reuse := inOrder(b), inOrder(b)

	// First round: block Rank-k leaves in step k. A block lands in Out and the
	// own share is merged into it, or the other way round when in place.
	sent := make([]int, p)
	sent[0] = b.Send(right, block(c.source(), c.Rank))
	for k := 1; k < p; k++ {
		dst, src := block(c.vector(), c.Rank-k), block(c.source(), c.Rank-k)
		landing := dst
		if c.inPlace() {
			src = b.Tmp(dst.Len)
			landing = src
		}
		merged := b.Reduce(dst, src, false, b.Recv(left, landing))
		sent[k] = b.Send(right, dst, passOn.after(merged))
	}
	// Second round: step p-1 above sent the finished block Rank+1 already; the
	// finished blocks Rank, Rank-1, ... arrive and all but the last go on.
	for k := range p - 1 {
		dst := block(c.vector(), c.Rank-k)
		free := plan.None
		if k > 0 || c.inPlace() {
			free = reuse.after(sent[k])
		}
		got := b.Recv(left, dst, free)
		if k < p-2 {
			b.Send(right, dst, passOn.after(got))
		}
	}
}
