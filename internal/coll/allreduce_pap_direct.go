package coll

import "github.com/weft-mpi/weft/internal/plan"

// allreduce/pap_direct: the vector is cut into a block per rank; everybody sends
// every other rank its share of that rank's block, first to those who have
// arrived, merges the shares of its own block in rank order and sends the
// result to everybody.
//
// Steps: 2 rounds, 2(p-1) messages per rank. Cost: 2a + (p-1)/p*n(2b + g).
// Limits: none; scratch of n. Source: own, after Qian, thesis, ch. 6.
func allreducePAPDirect(b *plan.Builder, c Case) {
	b.ByArrival()
	offs := split(c.Bytes, c.elem(), c.Ranks)
	sum, merged, sent := mergeShares(b, c, c.source(), offs)
	if !c.inPlace() {
		for i := range sent {
			sent[i] = plan.None
		}
	}
	for d := 1; d < c.Ranks; d++ {
		from := (c.Rank - d + c.Ranks) % c.Ranks
		if block := cut(c.vector(), offs, from, from+1); block.Len > 0 {
			c.travel(b, block.Len, 0)
			b.Recv(from, block, sent[from])
		}
	}
	for d := 1; d < c.Ranks && sum.Len > 0; d++ {
		c.travel(b, sum.Len, d)
		b.Send((c.Rank+d)%c.Ranks, sum, merged)
	}
	if sum.Len > 0 {
		b.Copy(cut(c.vector(), offs, c.Rank, c.Rank+1), sum, merged)
	}
}
