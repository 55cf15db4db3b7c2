package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/exchange: Standard Exchange, recursive doubling with k ports. In
// the step of a digit (ranks written in radix k+1) a rank exchanges all the
// blocks it has with the k ranks that differ in that digit, each by a port of
// its own. If p is no power of k+1, the ranks beyond the largest power M in p
// first hand their block to the rank that is the same modulo M, and get the
// whole result from it in the end: these are the correction steps.
//
// Steps: with r = k+1, logr p rounds, or up to floor(logr p)+2. Cost: logr(p)*a +
// (p-1)/k*nb; the correction adds 2a + (p+1)nb and a copy of all. Limits: none;
// scratch of pn unless p is a power of r. Wins for short blocks on a power of r
// ranks, where it needs no scratch and no copy. Source: Qian, "Design and
// evaluation of efficient collective communications on modern interconnects and
// multi-core clusters", 2010; the correction is ours.
func allgatherExchange(b *plan.Builder, c Case) {
	ports := newPorts(b, c)
	e := newCore(c.Ranks, ports.k+1)
	whole := plan.Span{Buf: plan.Out, Len: c.Ranks * c.Bytes}
	me := c.Rank % e.size
	if c.Rank >= e.size {
		sent := ports.sendInto(me, e.beyond(me), c.source())
		b.Recv(me, whole, sent)
		return
	}
	set, offs := whole, e.offs(c.Bytes)
	if e.size < c.Ranks {
		set = b.Tmp(whole.Len)
	}
	have := e.collect(b, c, cut(set, offs, me, me+1))
	for one := 1; one < e.size; one *= e.radix {
		before, mine := have, me/one*one
		for j := 1; j < e.radix; j++ {
			peer, _ := e.partner(me, one, j)
			theirs := peer / one * one
			ports.send(peer, cut(set, offs, mine, mine+one), before...)
			have = append(have, b.Recv(peer, cut(set, offs, theirs, theirs+one)))
		}
	}
	if e.size == c.Ranks {
		return
	}
	sorted := e.sort(b, c, set, offs, b.Gate(have...))
	for _, rank := range e.beyond(me) {
		ports.send(rank, whole, sorted)
	}
}

// offs returns where the blocks begin of those each rank of the core stands
// for, and where the last ones end.
func (e core) offs(bytes int) []int {
	offs := make([]int, e.size+1)
	for q := range e.size {
		offs[q+1] = offs[q] + e.members(q)*bytes
	}
	return offs
}

// collect brings the block of this rank, one of the core, and those of the ranks
// it stands for to mine, and returns the steps after which they are there.
func (e core) collect(b *plan.Builder, c Case, mine plan.Span) (have []int) {
	if own := mine.Sub(0, c.Bytes); own != c.source() {
		have = append(have, b.Copy(own, c.source()))
	}
	for i, rank := range e.beyond(c.Rank) {
		have = append(have, b.Recv(rank, mine.Sub((i+1)*c.Bytes, c.Bytes)))
	}
	return have
}

// sort copies the set, in the order of the core, to Out in the order of ranks
// after a step, and returns the step after which all is there.
func (e core) sort(b *plan.Builder, c Case, set plan.Span, offs []int, after int) int {
	var copies []int
	for q := range e.size {
		for i := range e.members(q) {
			rank := q + i*e.size
			if rank == c.Rank && c.inPlace() {
				continue
			}
			copies = append(copies, b.Copy(c.recvBlock(rank), set.Sub(offs[q]+i*c.Bytes, c.Bytes), after))
		}
	}
	return b.Gate(append(copies, after)...)
}
