package coll

import "github.com/weft-mpi/weft/internal/plan"

// reduce_scatter/pairwise: in round k every rank sends the one k further on its
// share of that rank's block and receives a share of its own block from the
// one k before. Shares of lower and of higher ranks are summed apart, so that
// order is kept.
//
// Steps: p-1 rounds. With N the whole vector, cost: (p-1)a + (p-1)/p*N(b + g).
// Limits: none. Source: textbook.
func reduceScatterPairwise(b *plan.Builder, c Case) {
	offs := c.vectorOffs()
	share := func(i int) plan.Span { return cut(c.source(), offs, i, i+1) }
	own := share(c.Rank)
	out := plan.Span{Buf: plan.Out, Len: own.Len}

	low, high := b.Tmp(own.Len), plan.Span{} // sums of ranks up to this one, and above
	lowReady, highReady := b.Copy(low, own), plan.None
	var sent []int
	before := plan.None
	for d := 1; d < c.Ranks; d++ {
		to, from := (c.Rank+d)%c.Ranks, (c.Rank-d+c.Ranks)%c.Ranks
		theirs := b.Tmp(own.Len)
		got := b.Recv(from, theirs, before)
		sent = append(sent, b.Send(to, share(to), before))
		// Senders come in falling order: Rank-1 .. 0, then the highest .. Rank+1.
		switch {
		case from < c.Rank:
			lowReady = b.Reduce(low, theirs, true, got, lowReady)
		case highReady == plan.None:
			high, highReady = theirs, got
		default:
			highReady = b.Reduce(high, theirs, true, got, highReady)
		}
		before = b.Gate(got, sent[d-1])
	}
	if highReady != plan.None {
		lowReady = b.Reduce(low, high, false, lowReady, highReady)
	}
	if !c.inPlace() {
		sent = nil
	}
	b.Copy(out, low, append(sent, lowReady)...)
}
