package coll

import "github.com/weft-mpi/weft/internal/plan"

// reduce_scatter/pap_direct: everybody sends every other rank its share of that
// rank's block, first to those who have arrived, and merges the shares of its
// own block in rank order.
//
// Steps: 1 round, p-1 messages per rank. With N the whole vector, cost: a +
// (p-1)/p*N(b + g). Limits: none; scratch of N. Source: own, after Qian,
// thesis, ch. 6.
func reduceScatterPAPDirect(b *plan.Builder, c Case) {
	b.ByArrival()
	offs := c.vectorOffs()
	vector := c.source()
	sum, merged, sent := mergeShares(b, c, vector, offs)
	if sum.Len == 0 {
		return
	}
	if !c.inPlace() {
		sent = nil
	}
	b.Copy(plan.Span{Buf: plan.Out, Len: sum.Len}, sum, append(sent, merged)...)
}

// mergeShares sends every other rank its share of the vector, which is cut at
// offs, and merges the shares of this rank's block in scratch, in rank order:
// lower ranks from the left, nearest first. It returns where and when the
// block is finished, and the sends by rank.
func mergeShares(b *plan.Builder, c Case, vector plan.Span, offs []int) (sum plan.Span, merged int, sent []int) {
	own := cut(vector, offs, c.Rank, c.Rank+1)
	got := make([]int, c.Ranks)
	theirs := make([]plan.Span, c.Ranks)
	for d := 1; d < c.Ranks && own.Len > 0; d++ {
		from := (c.Rank - d + c.Ranks) % c.Ranks
		theirs[from] = b.Tmp(own.Len)
		c.travel(b, own.Len, 0)
		got[from] = b.Recv(from, theirs[from])
	}
	sent = make([]int, c.Ranks)
	for to := range sent {
		sent[to] = plan.None
	}
	for d := 1; d < c.Ranks; d++ {
		to := (c.Rank + d) % c.Ranks
		if share := cut(vector, offs, to, to+1); share.Len > 0 {
			c.travel(b, share.Len, d)
			sent[to] = b.Send(to, share)
		}
	}
	if own.Len == 0 {
		return own, plan.None, sent
	}
	sum = b.Tmp(own.Len)
	merged = b.Copy(sum, own)
	for from := c.Rank - 1; from >= 0; from-- {
		merged = b.Reduce(sum, theirs[from], true, got[from], merged)
	}
	for from := c.Rank + 1; from < c.Ranks; from++ {
		merged = b.Reduce(sum, theirs[from], false, got[from], merged)
	}
	return sum, merged, sent
}
