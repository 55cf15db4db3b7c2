package coll

import (
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/topo"
)

// neighbor_allgather/combining, neighbor_alltoall/combining: blocks go to
// neighbours in a grid one dimension after the other, all that move as far along
// it in one message. In neighbor_allgather, a block goes along a way that several
// neighbours have in common once.
//
// Steps: one round for each dimension; a message for every number but 0 that
// offsets have there. Cost: sa + vnb for s messages and v blocks: in
// neighbor_alltoall as many as offsets have numbers but 0, in neighbor_allgather
// as many as they have beginnings that end with one. Limits: the neighbours of
// all ranks are at the same offsets in a grid (Cart.Neighborhood). Wins for short
// blocks and offsets along several dimensions: 26 neighbours in three dimensions
// take 6 messages. Source: Träff, Carpen-Amarie, Hunold, Rougier,
// "Message-combining algorithms for isomorphic, sparse collective
// communication", 2016.
func neighborCombining(b *plan.Builder, c Case) {
	g, offsets := c.Graph.Offsets()
	r := route{b: b, c: c, g: g, offsets: offsets, held: make([]parcel, len(offsets)), same: make([]int, len(offsets))}
	for i := range offsets {
		r.held[i] = parcel{c.edgeBlock(i), plan.None}
		if c.Op == NeighborAlltoall {
			r.same[i] = i
		}
	}
	r.slots()
	for d := range g.Sizes {
		r.along(d)
	}
	for i, end := range c.Graph.In(c.Rank) {
		if end.Place == topo.Nowhere {
			continue
		}
		if own := r.held[r.same[end.Slot]]; own.at != c.recvBlock(i) {
			b.Copy(c.recvBlock(i), own.at, own.since)
		}
	}
}

// route is the way of blocks through a grid while the plan of one rank is made. Each offset stands for a
// block that is here on its way; of those that are the same, the first stands for all.
type route struct {
	b       *plan.Builder
	c       Case
	g       topo.Grid
	offsets [][]int
	held    []parcel // by offset, if it is the first of its kind
	same    []int    // by offset: the first whose block is the same so far
	in      []int    // by offset: the slot in which its edge comes in
}

// slots finds where the edges of offsets come in.
func (r *route) slots() {
	r.in = make([]int, len(r.offsets))
	for slot, end := range r.c.Graph.In(r.c.Rank) {
		r.in[end.Slot] = slot // also of an edge that comes from nowhere
	}
}

// passes tells whether the block of an offset is here once it has gone along the first dimensions: it began
// at a place of the grid and will end at one.
func (r *route) passes(i, dimensions int) bool {
	begin, end := r.g.Coords(r.c.Rank), r.g.Coords(r.c.Rank)
	for d, by := range r.offsets[i] {
		if d < dimensions {
			begin[d] -= by
		} else {
			end[d] += by
		}
	}
	return r.g.Place(begin) != topo.Nowhere && r.g.Place(end) != topo.Nowhere
}

// along moves blocks along one dimension.
func (r *route) along(d int) {
	next := r.joined(d)
	moved := slices.Clone(r.held)
	for i := range r.offsets { // what stays is still the same as before
		moved[i] = r.held[r.same[i]]
	}
	sends := inOrder(r.b)
	for _, by := range r.distances(d) {
		step := make([]int, len(r.g.Sizes))
		step[d] = by
		to, from := r.g.Beside(r.c.Rank, step, 1), r.g.Beside(r.c.Rank, step, -1)
		if to == r.c.Rank { // all the way round
			continue
		}
		if all := r.firsts(d, by, d, next); len(all) > 0 {
			r.send(to, all, sends)
		}
		if all := r.firsts(d, by, d+1, next); len(all) > 0 {
			r.receive(from, all, d, next, moved)
		}
	}
	r.held, r.same = moved, next
}

// joined says, for each offset, the first whose block is the same after this dimension.
func (r *route) joined(d int) []int {
	next := make([]int, len(r.offsets))
	for i := range next {
		next[i] = i
		for k := range i {
			if r.same[k] == r.same[i] && next[k] == k && r.offsets[k][d] == r.offsets[i][d] {
				next[i] = k
				break
			}
		}
	}
	return next
}

// distances are how far blocks move along a dimension, in order.
func (r *route) distances(d int) (all []int) {
	for _, offset := range r.offsets {
		if offset[d] != 0 {
			all = append(all, offset[d])
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// firsts are the offsets that stand for the blocks which move so far along a dimension and are here after
// some dimensions, in order.
func (r *route) firsts(d, by, dimensions int, next []int) (all []int) {
	for i := range r.offsets {
		if r.offsets[i][d] == by && r.passes(i, dimensions) && !slices.Contains(all, next[i]) {
			all = append(all, next[i])
		}
	}
	slices.Sort(all)
	return all
}

// send sends the blocks of some offsets in one message.
func (r *route) send(to int, all []int, sends *order) {
	var parcels []parcel
	size := 0
	for _, i := range all {
		parcels = append(parcels, r.held[r.same[i]])
		size += r.c.Bytes
	}
	if len(all) == 1 {
		r.b.Send(to, parcels[0].at, sends.after(parcels[0].since))
		return
	}
	bundle := r.b.Tmp(size)
	r.b.Send(to, bundle, sends.after(r.b.Gate(pack(r.b, bundle, parcels)...)))
}

// receive receives the blocks of some offsets in one message: a single one where it belongs, if it goes no
// further for one of its edges.
func (r *route) receive(from int, all []int, d int, next []int, moved []parcel) {
	if len(all) == 1 {
		for i := range r.offsets {
			if next[i] == all[0] && r.passes(i, d+1) && !slices.ContainsFunc(r.offsets[i][d+1:], func(by int) bool { return by != 0 }) {
				block := r.c.recvBlock(r.in[i])
				moved[all[0]] = parcel{block, r.b.Recv(from, block)}
				return
			}
		}
	}
	bundle := r.b.Tmp(len(all) * r.c.Bytes)
	came := r.b.Recv(from, bundle)
	for k, i := range all {
		moved[i] = parcel{bundle.Sub(k*r.c.Bytes, r.c.Bytes), came}
	}
}

// combiningFits reports that the neighbours of all ranks are at the same offsets in a grid.
func combiningFits(c Case) bool {
	_, offsets := c.Graph.Offsets()
	return offsets != nil
}
