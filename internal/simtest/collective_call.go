package simtest

import (
	"slices"

	"github.com/weft-mpi/weft/mpi"
)

// prepare fills in the buffers of a call; false if there is no such collective.
func (p *part[T]) prepare() bool {
	p.root = p.Root
	n, count, me, root := p.n, p.Count, p.me, p.Root
	if p.comm.first > 0 {
		return p.prepareBetween()
	}
	switch p.Op {
	case "barrier":
	case "bcast":
		p.gets(p.values(root, 0, count))
		if me == root {
			copy(p.recv, p.want)
		}
	case "gather":
		p.gives(p.values(me, 0, count))
		if me == root {
			p.gets(p.all(func(r int) []T { return p.values(r, 0, count) }))
			p.inPlace(me * count)
		}
	case "scatter":
		if me == root {
			p.gives(p.values(root, 0, n*count))
		}
		p.gets(p.values(root, me*count, count))
	case "allgather":
		p.gives(p.values(me, 0, count))
		p.gets(p.all(func(r int) []T { return p.values(r, 0, count) }))
		p.inPlace(me * count)
	case "alltoall":
		p.gives(p.values(me, 0, n*count))
		p.gets(p.all(func(r int) []T { return p.values(r, me*count, count) }))
		p.inPlace(0)
	case "alltoalllayout":
		p.columns(0, n)
	default:
		return p.prepareUneven()
	}
	return true
}

// all puts together what comes from each rank.
func (p *part[T]) all(of func(r int) []T) (v []T) { return p.each(0, p.n, of) }

// each puts together what comes from the ranks low to high-1.
func (p *part[T]) each(low, high int, of func(r int) []T) (v []T) {
	v = []T{}
	for r := low; r < high; r++ {
		v = append(v, of(r)...)
	}
	return v
}

// inPlace moves our contribution into the receive buffer, if the call is to be made so.
func (p *part[T]) inPlace(at int) {
	if p.InPlace {
		copy(p.recv[at:], p.send)
		p.send, p.own = nil, nil
	}
}

// prepareUneven does for calls in which ranks have different numbers of elements.
func (p *part[T]) prepareUneven() bool {
	me, root := p.me, p.Root
	counts, total := p.counts(0, p.n, p.count)
	_, before := p.counts(0, me, p.count)
	switch p.Op {
	case "gatherv":
		p.gives(p.values(me, 0, counts[me]))
		if p.in = counts; me == root {
			p.gets(p.all(func(r int) []T { return p.values(r, 0, counts[r]) }))
		}
	case "scatterv":
		if p.out = counts; me == root {
			p.gives(p.values(root, 0, total))
		}
		p.gets(p.values(root, before, counts[me]))
	case "allgatherv":
		p.in = counts
		p.gives(p.values(me, 0, counts[me]))
		p.gets(p.all(func(r int) []T { return p.values(r, 0, counts[r]) }))
	case "alltoallv":
		p.blocks(0, p.n, 0)
	default:
		if slices.Contains(reduces, p.Op) {
			return p.prepareReduction()
		}
		return p.prepareNear()
	}
	return true
}

// blocks is a block of another length for each of the ranks low to high-1, and one from each. They have blocks for ranks
// from first on.
func (p *part[T]) blocks(low, high, first int) {
	total := 0
	p.out, total = p.counts(low, high, func(r int) int { return p.share(p.me, r) })
	p.in, _ = p.counts(low, high, func(r int) int { return p.share(r, p.me) })
	p.gives(p.values(p.me, 0, total))
	p.gets(p.each(low, high, func(r int) []T {
		_, before := p.counts(first, p.me, func(to int) int { return p.share(r, to) })
		return p.values(r, before, p.share(r, p.me))
	}))
}

// columns is a column of a matrix, of some length, for each of the ranks low to high-1, and one from each.
func (p *part[T]) columns(low, high int) {
	n := high - low
	p.gives(p.values(p.me, 1<<30, n*p.Count))
	p.gets(make([]T, n*p.Count))
	p.outAt, p.inAt = make([]mpi.Layout, n), make([]mpi.Layout, n)
	for i := range n {
		r := low + i
		var out, in []int
		p.outAt[i], out = p.column(r, i, n, p.share(p.me, r))
		p.inAt[i], in = p.column(r+1, i, n, p.share(r, p.me))
		for k, v := range p.along(p.me, r, len(out)) {
			p.send[out[k]], p.own[out[k]] = v, v
		}
		for k, v := range p.along(r, p.me, len(in)) {
			p.want[in[k]] = v
		}
	}
}

// column is where k elements are in a column of a matrix that has n, in words of the library and of a list of places.
func (p *part[T]) column(kind, column, n, k int) (at mpi.Layout, places []int) {
	if k == 0 {
		return nil, nil
	}
	var blocks mpi.Indexed
	for i := range k {
		places = append(places, column+i*n)
	}
	switch (p.id + p.me + kind) % 3 {
	case 0:
		return mpi.From(column, mpi.Strided{Count: k, Block: 1, Stride: n}), places
	case 1:
		return mpi.Subarray{Sizes: []int{p.Count, n}, Sub: []int{k, 1}, Start: []int{0, column}}, places
	}
	slices.Reverse(places)
	for _, at := range places {
		blocks = append(blocks, mpi.Block{Start: at, Len: 1})
	}
	return blocks, places
}

// prepareReduction does for the calls that combine.
func (p *part[T]) prepareReduction() bool {
	n, count, me, root := p.n, p.Count, p.me, p.Root
	p.gives(p.values(me, 0, count))
	switch p.Op {
	case "reduce":
		if me == root {
			p.gets(p.folded(0, n, 0, count))
			p.inPlace(0)
		}
	case "allreduce":
		p.gets(p.folded(0, n, 0, count))
		p.inPlace(0)
	case "scan":
		p.gets(p.folded(0, me+1, 0, count))
		p.inPlace(0)
	case "exscan":
		if p.gets(make([]T, count)); me > 0 {
			p.gets(p.folded(0, me, 0, count))
		}
	case "reducescatter":
		p.gives(p.values(me, 0, n*count))
		p.gets(p.folded(0, n, me*count, count))
	case "reducescatterv":
		counts, total := p.counts(0, n, p.count)
		_, before := p.counts(0, me, p.count)
		p.in = counts
		p.gives(p.values(me, 0, total))
		p.gets(p.folded(0, n, before, counts[me]))
	}
	return true
}
