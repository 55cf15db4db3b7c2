package coll

import "github.com/weft-mpi/weft/internal/plan"

// reduce_scatter/halving: ranks are folded to a power of two; in each round
// partners exchange the halves of the vector that the other is to finish. Who
// stands for a pair finishes the blocks of both.
//
// Steps: log2 p rounds (two more unless p is a power of two). With N the whole
// vector, cost: log2(p)*a + (p-1)/p*N(b + g), and N(b + g) for the fold.
// Limits: commutative. Source: Thakur, Rabenseifner and Gropp, "Optimization
// of collective communication operations in MPICH", 2005.
func reduceScatterHalving(b *plan.Builder, c Case) {
	offs := c.vectorOffs()
	out := plan.Span{Buf: plan.Out, Len: offs[c.Rank+1] - offs[c.Rank]}
	whole := c
	whole.Op, whole.Bytes = Allreduce, offs[c.Ranks]
	f := newFold(c.Ranks, -1)
	if !f.stays(c.Rank) {
		sent := b.Send(c.Rank^1, c.source())
		if !c.inPlace() {
			sent = plan.None // the result lands elsewhere
		}
		b.Recv(c.Rank^1, out, sent)
		return
	}
	vector, ready := foldIn(b, whole, f)
	// The blocks of a pair are neighbours, so they make one larger block.
	pairOffs := make([]int, 0, f.pow+1)
	for i := range f.pow {
		first := f.rank(i)
		if f.paired(first) {
			first &^= 1
		}
		pairOffs = append(pairOffs, offs[first])
	}
	pairOffs = append(pairOffs, offs[c.Ranks])
	t := team{size: f.pow, me: f.index(c.Rank), rank: f.rank}
	h := t.halve(b, vector, pairOffs, plan.Span{}, ready)
	done := []int{h.ready}
	if c.inPlace() {
		done = append(done, h.used...)
	}
	if f.paired(c.Rank) {
		theirs := offs[c.Rank] - offs[c.Rank-1]
		b.Send(c.Rank-1, h.at.Sub(0, theirs), h.ready)
		b.Copy(out, h.at.Sub(theirs, out.Len), done...)
		return
	}
	b.Copy(out, h.at, done...)
}
