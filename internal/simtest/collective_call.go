package simtest

import (
	"slices"

	"github.com/weft-mpi/weft/mpi"
)

// prepare fills in the buffers of a call and the call itself; false if there is no such collective.
func (p *part[T]) prepare(c *mpi.Comm) bool {
	if slices.Contains(reduces, p.Op) {
		return p.prepareReduction(c)
	}
	n, count, me, root := p.n, p.Count, p.me, p.Root
	switch p.Op {
	case "barrier":
		p.call, p.start = func() error { return mpi.Barrier(c) }, func() mpi.Request { return mpi.Ibarrier(c) }
	case "bcast":
		p.gets(p.values(root, 0, count))
		if me == root {
			copy(p.recv, p.want)
		}
		p.call, p.start = func() error { return mpi.Bcast(c, p.recv, root) }, func() mpi.Request { return mpi.Ibcast(c, p.recv, root) }
	case "gather":
		p.gives(p.values(me, 0, count))
		if me == root {
			p.gets(p.all(func(r int) []T { return p.values(r, 0, count) }))
			p.inPlace(me * count)
		}
		p.call = func() error { return mpi.Gather(c, p.send, p.recv, root) }
		p.start = func() mpi.Request { return mpi.Igather(c, p.send, p.recv, root) }
	case "scatter":
		if me == root {
			p.gives(p.values(root, 0, n*count))
		}
		p.gets(p.values(root, me*count, count))
		p.call = func() error { return mpi.Scatter(c, p.send, p.recv, root) }
		p.start = func() mpi.Request { return mpi.Iscatter(c, p.send, p.recv, root) }
	case "allgather":
		p.gives(p.values(me, 0, count))
		p.gets(p.all(func(r int) []T { return p.values(r, 0, count) }))
		p.inPlace(me * count)
		p.call = func() error { return mpi.Allgather(c, p.send, p.recv) }
		p.start = func() mpi.Request { return mpi.Iallgather(c, p.send, p.recv) }
	case "alltoall":
		p.gives(p.values(me, 0, n*count))
		p.gets(p.all(func(r int) []T { return p.values(r, me*count, count) }))
		p.inPlace(0)
		p.call = func() error { return mpi.Alltoall(c, p.send, p.recv) }
		p.start = func() mpi.Request { return mpi.Ialltoall(c, p.send, p.recv) }
	default:
		return p.prepareUneven(c)
	}
	return true
}

// all puts together what comes from each rank.
func (p *part[T]) all(of func(r int) []T) (v []T) {
	v = []T{}
	for r := range p.n {
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
func (p *part[T]) prepareUneven(c *mpi.Comm) bool {
	me, root := p.me, p.Root
	counts, total := p.counts(p.count)
	switch p.Op {
	case "gatherv":
		p.gives(p.values(me, 0, counts[me]))
		if me == root {
			p.gets(p.all(func(r int) []T { return p.values(r, 0, counts[r]) }))
		}
		p.call = func() error { return mpi.Gatherv(c, p.send, p.recv, counts, nil, root) }
		p.start = func() mpi.Request { return mpi.Igatherv(c, p.send, p.recv, counts, nil, root) }
	case "scatterv":
		if me == root {
			p.gives(p.values(root, 0, total))
		}
		before := 0
		for _, n := range counts[:me] {
			before += n
		}
		p.gets(p.values(root, before, counts[me]))
		p.call = func() error { return mpi.Scatterv(c, p.send, counts, nil, p.recv, root) }
		p.start = func() mpi.Request { return mpi.Iscatterv(c, p.send, counts, nil, p.recv, root) }
	case "allgatherv":
		p.gives(p.values(me, 0, counts[me]))
		p.gets(p.all(func(r int) []T { return p.values(r, 0, counts[r]) }))
		p.call = func() error { return mpi.Allgatherv(c, p.send, p.recv, counts, nil) }
		p.start = func() mpi.Request { return mpi.Iallgatherv(c, p.send, p.recv, counts, nil) }
	case "alltoallv":
		out, total := p.counts(func(r int) int { return p.share(me, r) })
		in, _ := p.counts(func(r int) int { return p.share(r, me) })
		p.gives(p.values(me, 0, total))
		p.gets(p.all(func(r int) []T {
			_, before := p.counts(func(to int) int {
				if to >= me {
					return 0
				}
				return p.share(r, to)
			})
			return p.values(r, before, in[r])
		}))
		p.call = func() error { return mpi.Alltoallv(c, p.send, out, nil, p.recv, in, nil) }
		p.start = func() mpi.Request { return mpi.Ialltoallv(c, p.send, out, nil, p.recv, in, nil) }
	default:
		return p.prepareNear(c)
	}
	return true
}

// prepareReduction does for the calls that combine.
func (p *part[T]) prepareReduction(c *mpi.Comm) bool {
	n, count, me, root, op := p.n, p.Count, p.me, p.Root, p.op
	p.gives(p.values(me, 0, count))
	switch p.Op {
	case "reduce":
		if me == root {
			p.gets(p.folded(0, n, 0, count))
			p.inPlace(0)
		}
		p.call = func() error { return mpi.Reduce(c, p.send, p.recv, op, root) }
		p.start = func() mpi.Request { return mpi.Ireduce(c, p.send, p.recv, op, root) }
	case "allreduce":
		p.gets(p.folded(0, n, 0, count))
		p.inPlace(0)
		p.call = func() error { return mpi.Allreduce(c, p.send, p.recv, op) }
		p.start = func() mpi.Request { return mpi.Iallreduce(c, p.send, p.recv, op) }
	case "scan":
		p.gets(p.folded(0, me+1, 0, count))
		p.inPlace(0)
		p.call = func() error { return mpi.Scan(c, p.send, p.recv, op) }
		p.start = func() mpi.Request { return mpi.Iscan(c, p.send, p.recv, op) }
	case "exscan":
		if p.gets(make([]T, count)); me > 0 {
			p.gets(p.folded(0, me, 0, count))
		}
		p.call = func() error { return mpi.Exscan(c, p.send, p.recv, op) }
		p.start = func() mpi.Request { return mpi.Iexscan(c, p.send, p.recv, op) }
	case "reducescatter":
		p.gives(p.values(me, 0, n*count))
		p.gets(p.folded(0, n, me*count, count))
		p.call = func() error { return mpi.ReduceScatter(c, p.send, p.recv, op) }
		p.start = func() mpi.Request { return mpi.IreduceScatter(c, p.send, p.recv, op) }
	case "reducescatterv":
		counts, total := p.counts(p.count)
		_, before := p.counts(func(r int) int {
			if r >= me {
				return 0
			}
			return counts[r]
		})
		p.gives(p.values(me, 0, total))
		p.gets(p.folded(0, n, before, counts[me]))
		p.call = func() error { return mpi.ReduceScatterv(c, p.send, p.recv, counts, op) }
		p.start = func() mpi.Request { return mpi.IreduceScatterv(c, p.send, p.recv, counts, op) }
	}
	return true
}
