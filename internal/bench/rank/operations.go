package rank

import "github.com/weft-mpi/weft/mpi"

func (g *group) barrier(int) operation {
	return operation{
		fill:  func(int) {},
		call:  func() error { return mpi.Barrier(g.world) },
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
		right: func(round int) bool { return hasBytes(buf, 0, 0, round) },
	}
}

func (g *group) gather(size int) operation {
	out, in := g.out[:size], g.in[:size*g.ranks]
	return g.blocks(out, in, func() error { return mpi.Gather(g.world, out, in, 0) }, func(round int) bool {
		return g.rank != 0 || g.eachBlock(in, size, func(r int) bool { return hasBytes(in[r*size:][:size], r, 0, round) })
	})
}

func (g *group) scatter(size int) operation {
	out, in := g.out[:size*g.ranks], g.in[:size]
	return g.blocks(out, in, func() error { return mpi.Scatter(g.world, out, in, 0) }, func(round int) bool {
		return hasBytes(in, 0, g.rank*size, round)
	})
}

func (g *group) allgather(size int) operation {
	out, in := g.out[:size], g.in[:size*g.ranks]
	return g.blocks(out, in, func() error { return mpi.Allgather(g.world, out, in) }, func(round int) bool {
		return g.eachBlock(in, size, func(r int) bool { return hasBytes(in[r*size:][:size], r, 0, round) })
	})
}

func (g *group) alltoall(size int) operation {
	out, in := g.out[:size*g.ranks], g.in[:size*g.ranks]
	return g.blocks(out, in, func() error { return mpi.Alltoall(g.world, out, in) }, func(round int) bool {
		return g.eachBlock(in, size, func(r int) bool { return hasBytes(in[r*size:][:size], r, g.rank*size, round) })
	})
}

// blocks is an operation that sends out and receives into in.
func (g *group) blocks(out, in []byte, call func() error, right func(round int) bool) operation {
	return operation{
		fill: func(round int) {
			fillBytes(out, g.rank, round)
			clear(in)
		},
		call:  call,
		right: right,
	}
}

func (g *group) eachBlock(in []byte, size int, right func(rank int) bool) bool {
	for r := range len(in) / max(size, 1) {
		if !right(r) {
			return false
		}
	}
	return true
}

func (g *group) reduce(size int) operation {
	out, in := g.floats[:size/4], g.results[:size/4]
	return g.sums(out, in, func() error { return mpi.Reduce(g.world, out, in, mpi.Sum, 0) }, func(round int) bool {
		return g.rank != 0 || hasSums(in, g.ranks, 0, round)
	})
}

func (g *group) allreduce(size int) operation {
	out, in := g.floats[:size/4], g.results[:size/4]
	return g.sums(out, in, func() error { return mpi.Allreduce(g.world, out, in, mpi.Sum) }, func(round int) bool {
		return hasSums(in, g.ranks, 0, round)
	})
}

func (g *group) scan(size int) operation {
	out, in := g.floats[:size/4], g.results[:size/4]
	return g.sums(out, in, func() error { return mpi.Scan(g.world, out, in, mpi.Sum) }, func(round int) bool {
		return hasSums(in, g.rank+1, 0, round)
	})
}

// reduceScatter splits the size over the ranks; a remainder is left out.
func (g *group) reduceScatter(size int) operation {
	part := size / 4 / g.ranks
	out, in := g.floats[:part*g.ranks], g.results[:part]
	return g.sums(out, in, func() error { return mpi.ReduceScatter(g.world, out, in, mpi.Sum) }, func(round int) bool {
		return hasSums(in, g.ranks, g.rank*part, round)
	})
}

// sums is an operation that adds up out over ranks into in.
func (g *group) sums(out, in []float32, call func() error, right func(round int) bool) operation {
	return operation{
		fill: func(round int) {
			for i := range out {
				out[i] = floatAt(g.rank, i, round)
			}
			clear(in)
		},
		call:  call,
		right: right,
	}
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
