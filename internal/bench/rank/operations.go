package rank

import "github.com/weft-mpi/weft/mpi"

func (g *group) barrier(int) operation {
	return operation{
		fill:  func(int) {},
		call:  func() error { return mpi.Barrier(g.world) },
		start: func() mpi.Request { return mpi.Ibarrier(g.world) },
		right: func(int) bool { return true }, // a barrier moves no data; that it returns is all there is to see
	}
}

func (g *group) bcast(size int) operation {
	buf := g.out[:size]
	return operation{
		fill: func(round int) {
			clear(buf)
			if g.rank == 0 {
				fillBytes(buf, 0, round)
			}
		},
		call:  func() error { return mpi.Bcast(g.world, buf, 0) },
		start: func() mpi.Request { return mpi.Ibcast(g.world, buf, 0) },
		keep:  func() mpi.Request { return mpi.BcastInit(g.world, buf, 0) },
		right: func(round int) bool { return hasBytes(buf, 0, 0, round) },
	}
}

func (g *group) gather(size int) operation {
	out, in := g.out[:size], g.in[:size*g.ranks]
	o := g.blocks(out, in)
	o.call = func() error { return mpi.Gather(g.world, out, in, 0) }
	o.start = func() mpi.Request { return mpi.Igather(g.world, out, in, 0) }
	o.right = func(round int) bool { return g.rank != 0 || g.hasBlocks(equal(size, g.ranks), fromStart, round) }
	return o
}

func (g *group) scatter(size int) operation {
	out, in := g.out[:size*g.ranks], g.in[:size]
	o := g.blocks(out, in)
	o.call = func() error { return mpi.Scatter(g.world, out, in, 0) }
	o.start = func() mpi.Request { return mpi.Iscatter(g.world, out, in, 0) }
	o.right = func(round int) bool { return hasBytes(in, 0, g.rank*size, round) }
	return o
}

func (g *group) allgather(size int) operation {
	out, in := g.out[:size], g.in[:size*g.ranks]
	o := g.blocks(out, in)
	o.call = func() error { return mpi.Allgather(g.world, out, in) }
	o.start = func() mpi.Request { return mpi.Iallgather(g.world, out, in) }
	o.right = func(round int) bool { return g.hasBlocks(equal(size, g.ranks), fromStart, round) }
	return o
}

func (g *group) alltoall(size int) operation {
	out, in := g.out[:size*g.ranks], g.in[:size*g.ranks]
	o := g.blocks(out, in)
	o.call = func() error { return mpi.Alltoall(g.world, out, in) }
	o.start = func() mpi.Request { return mpi.Ialltoall(g.world, out, in) }
	o.keep = func() mpi.Request { return mpi.AlltoallInit(g.world, out, in) }
	o.right = func(round int) bool {
		return g.hasBlocks(equal(size, g.ranks), func(int) int { return g.rank * size }, round)
	}
	return o
}

// blocks is an operation that sends out and receives into in, but for its calls.
func (g *group) blocks(out, in []byte) operation {
	return operation{fill: func(round int) {
		fillBytes(out, g.rank, round)
		clear(in)
	}}
}

// hasBlocks says whether this rank received from each rank as many bytes as counts say, which that
// rank sent from the index on that first tells.
func (g *group) hasBlocks(counts []int, first func(rank int) int, round int) bool {
	at := 0
	for r, n := range counts {
		if !hasBytes(g.in[at:][:n], r, first(r), round) {
			return false
		}
		at += n
	}
	return true
}

// fromStart is where blocks begin in the buffers of ranks that send one each.
func fromStart(int) int { return 0 }

func (g *group) reduce(size int) operation {
	out, in := g.floats[:size/4], g.results[:size/4]
	o := g.sums(out, in)
	o.call = func() error { return mpi.Reduce(g.world, out, in, mpi.Sum, 0) }
	o.start = func() mpi.Request { return mpi.Ireduce(g.world, out, in, mpi.Sum, 0) }
	o.right = func(round int) bool { return g.rank != 0 || hasSums(in, g.ranks, 0, round) }
	return o
}

func (g *group) allreduce(size int) operation {
	out, in := g.floats[:size/4], g.results[:size/4]
	o := g.sums(out, in)
	o.call = func() error { return mpi.Allreduce(g.world, out, in, mpi.Sum) }
	o.start = func() mpi.Request { return mpi.Iallreduce(g.world, out, in, mpi.Sum) }
	o.keep = func() mpi.Request { return mpi.AllreduceInit(g.world, out, in, mpi.Sum) }
	o.right = func(round int) bool { return hasSums(in, g.ranks, 0, round) }
	return o
}

func (g *group) scan(size int) operation {
	out, in := g.floats[:size/4], g.results[:size/4]
	o := g.sums(out, in)
	o.call = func() error { return mpi.Scan(g.world, out, in, mpi.Sum) }
	o.start = func() mpi.Request { return mpi.Iscan(g.world, out, in, mpi.Sum) }
	o.right = func(round int) bool { return hasSums(in, g.rank+1, 0, round) }
	return o
}

func (g *group) exscan(size int) operation {
	out, in := g.floats[:size/4], g.results[:size/4]
	o := g.sums(out, in)
	o.call = func() error { return mpi.Exscan(g.world, out, in, mpi.Sum) }
	o.start = func() mpi.Request { return mpi.Iexscan(g.world, out, in, mpi.Sum) }
	o.right = func(round int) bool { return g.rank == 0 || hasSums(in, g.rank, 0, round) }
	return o
}

// reduceScatter splits the size over the ranks; a remainder is left out.
func (g *group) reduceScatter(size int) operation {
	part := size / 4 / g.ranks
	out, in := g.floats[:part*g.ranks], g.results[:part]
	o := g.sums(out, in)
	o.call = func() error { return mpi.ReduceScatter(g.world, out, in, mpi.Sum) }
	o.start = func() mpi.Request { return mpi.IreduceScatter(g.world, out, in, mpi.Sum) }
	o.right = func(round int) bool { return hasSums(in, g.ranks, g.rank*part, round) }
	return o
}

// sums is an operation that adds up out over ranks into in, but for its calls.
func (g *group) sums(out, in []float32) operation {
	return operation{fill: func(round int) {
		for i := range out {
			out[i] = floatAt(g.rank, i, round)
		}
		clear(in)
	}}
}

func fillBytes(b []byte, rank, round int) {
	for i := range b {
		b[i] = byteAt(rank, i, round)
	}
}

// hasBytes says whether b is what rank sent from index first on.
func hasBytes(b []byte, rank, first, round int) bool {
	for i, v := range b {
		if v != byteAt(rank, first+i, round) {
			return false
		}
	}
	return true
}

// hasSums says whether v is the sum over the ranks below n from index first on.
func hasSums(v []float32, n, first, round int) bool {
	for i, x := range v {
		if x != sumTo(n, first+i, round) {
			return false
		}
	}
	return true
}
