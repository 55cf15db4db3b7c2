package coll

import "github.com/weft-mpi/weft/internal/plan"

// allreduce/smp_fetch: the vector is cut into as many slices as the smallest
// node has ranks. Every such rank fetches its slice of its neighbours' vectors
// and merges them, reduces the sum with the ranks that drive the slice on other
// nodes, and lets its neighbours fetch the result.
//
// Steps: the algorithm between nodes, three flags per rank. Cost for m nodes of
// l ranks: one copy of n(l-1)/l and ng(l-1)/l, the algorithm between nodes on m
// ranks and n/l bytes, l of them at once, and one copy of n(l-1)/l. Limits: the
// ranks of a node can copy from each other's memory; commutative unless ranks
// are nodes in order. For long vectors: as allreduce/smp_slices, but nothing
// goes through the memory of the node, and nobody waits for turns. Source: own.
func allreduceSMPFetch(b *plan.Builder, c Case) {
	l := c.layout()
	f := fetchReduction{b: b, c: c, l: l, r: newRoom(b, c, l), offs: split(c.Bytes, c.elem(), l.least()), placed: plan.None}
	f.r.apart = true // a slip has room for one key, and every rank lends twice
	if !f.r.alone() {
		f.lent, f.result = f.r.lending(), f.r.lending()
		lent := f.lent.place(c.source())
		b.Set(f.lent.flag, lent)
		f.placed = f.result.place(c.vector(), lent)
	}
	done := f.placed
	if f.drives() {
		done = f.drive()
	}
	if !f.r.alone() {
		f.share(done)
	}
	f.r.close()
}

func allreduceSMPFetchFits(c Case) bool {
	return inOrderOfNodes(c) && c.Fetches && 2*toLine(c.MostLocal()*plan.KeyLen) <= NodeMax
}

// fetchReduction is such an allreduce while the plan of one rank is made.
type fetchReduction struct {
	b      *plan.Builder
	c      Case
	l      layout
	r      *room
	offs   []int   // of the slices
	lent   lending // the vectors
	result lending // what has become of them; of every rank its own slice is fetched
	placed int     // the step after which neighbours know where this rank's result is
}

// drives reports that this rank has a slice.
func (f *fetchReduction) drives() bool { return f.r.me < len(f.offs)-1 }

// slice returns a slice of a vector.
func (f *fetchReduction) slice(vector plan.Span, i int) plan.Span { return cut(vector, f.offs, i, i+1) }

// drive reduces this rank's slice, in the memory of the result.
func (f *fetchReduction) drive() (done int) {
	into := f.slice(f.c.vector(), f.r.me)
	if into.Len == 0 {
		return f.placed
	}
	if len(f.l.ranks) == 1 {
		return f.mergeHere(into)
	}
	sum, ready := f.slice(f.c.source(), f.r.me), f.placed
	if !f.r.alone() {
		sum = f.b.Tmp(into.Len)
		ready = f.mergeHere(sum)
	}
	return f.among(sum, into, ready)
}

// fetchedPiece is how much of a slice is fetched and merged at a time: what is
// merged should still be in the cache.
const fetchedPiece = 128 << 10

// mergeHere merges this rank's slice of the vectors of its node into sum, piece by piece.
func (f *fetchReduction) mergeHere(sum plan.Span) int {
	offs := split(sum.Len, f.c.elem(), (sum.Len+fetchedPiece-1)/fetchedPiece)
	m := merger{f: f}
	for i := range m.scratch {
		m.scratch[i], m.free[i] = f.b.Tmp(offs[1]), plan.None
	}
	var merged []int
	for i := range len(offs) - 1 {
		merged = append(merged, m.merge(cut(sum, offs, i, i+1), f.offs[f.r.me]+offs[i]))
	}
	return all(f.b, merged)
}

// merger merges pieces of vectors, which it fetches to two places in turn.
type merger struct {
	f       *fetchReduction
	scratch [2]plan.Span
	free    [2]int // the step after which the place can be used again
	next    int
}

// merge merges into sum what the ranks of the node have from byte at on, in rank
// order: lower ranks from the left, nearest first, then higher ones.
func (m *merger) merge(sum plan.Span, at int) (ready int) {
	f, own := m.f, m.f.c.source().Sub(at, sum.Len)
	ready = f.placed
	for _, i := range f.r.fromMe() {
		rank, lower := f.r.ranks[i], i < f.r.me
		if own != sum { // the first one is fetched to where the sum will be
			got := f.lent.fetch(rank, sum, at, ready)
			ready = f.b.Reduce(sum, own, !lower, got)
			own = sum
			continue
		}
		here := m.next % len(m.scratch)
		m.next++
		piece := m.scratch[here].Sub(0, sum.Len)
		got := f.lent.fetch(rank, piece, at, m.free[here])
		ready = f.b.Reduce(sum, piece, lower, got, ready)
		m.free[here] = ready
	}
	return ready
}

// among merges what the nodes have of this rank's slice.
func (f *fetchReduction) among(sum, into plan.Span, ready int) int {
	ranks := make([]int, len(f.l.ranks))
	for node := range ranks {
		ranks[node] = f.l.ranks[node][f.r.me]
	}
	return f.c.joinNodes(f.b, f.l, ranks, sum, into, ready)
}

// share lets neighbours fetch this rank's slice of the result after done, and
// fetches theirs.
func (f *fetchReduction) share(done int) {
	f.b.Set(f.result.flag, done)
	var fetched []int
	for d := range f.r.ranks {
		i := (f.r.me + d) % len(f.r.ranks)
		if d == 0 || i >= len(f.offs)-1 {
			continue
		}
		if part := f.slice(f.c.vector(), i); part.Len > 0 {
			fetched = append(fetched, f.result.fetch(f.r.ranks[i], part, f.offs[i], f.placed))
		}
	}
	f.result.returned(fetched...)
	f.r.others(f.result.done)
}
