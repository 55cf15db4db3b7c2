package soak

import "github.com/weft-mpi/weft/mpi"

// The part of a rank in each collective. What is sent to and from whom follows from a key that all
// ranks share.

func (g *group) barrier(step, uint64) part {
	return part{func() error { return mpi.Barrier(g.c) }, func() mpi.Request { return mpi.Ibarrier(g.c) }, func() error { return nil }}
}

func (g *group) bcast(s step, key uint64) part {
	b := make([]uint64, s.count)
	if g.rank == s.root {
		b = g.block(key, s.root, -1, s.count)
	}
	return part{func() error { return mpi.Bcast(g.c, b, s.root) }, func() mpi.Request { return mpi.Ibcast(g.c, b, s.root) },
		func() error { return g.same(b, key, s.root, -1) }}
}

func (g *group) allreduce(s step, key uint64) part {
	in, out := g.block(key, g.rank, -1, s.count), make([]uint64, s.count)
	return part{func() error { return mpi.Allreduce(g.c, in, out, mpi.Sum) }, func() mpi.Request { return mpi.Iallreduce(g.c, in, out, mpi.Sum) },
		func() error { return g.sums(out, key, g.ranks, 0) }}
}

func (g *group) reduce(s step, key uint64) part {
	in, out := g.block(key, g.rank, -1, s.count), make([]uint64, s.count)
	return part{func() error { return mpi.Reduce(g.c, in, out, mpi.Sum, s.root) }, func() mpi.Request { return mpi.Ireduce(g.c, in, out, mpi.Sum, s.root) },
		g.atRoot(s, func() error { return g.sums(out, key, g.ranks, 0) })}
}

func (g *group) scan(s step, key uint64) part {
	in, out := g.block(key, g.rank, -1, s.count), make([]uint64, s.count)
	return part{func() error { return mpi.Scan(g.c, in, out, mpi.Sum) }, func() mpi.Request { return mpi.Iscan(g.c, in, out, mpi.Sum) },
		func() error { return g.sums(out, key, g.rank+1, 0) }}
}

func (g *group) exscan(s step, key uint64) part {
	in, out := g.block(key, g.rank, -1, s.count), make([]uint64, s.count)
	return part{func() error { return mpi.Exscan(g.c, in, out, mpi.Sum) }, func() mpi.Request { return mpi.Iexscan(g.c, in, out, mpi.Sum) },
		func() error { return g.sums(out, key, g.rank, 0) }} // rank 0's stays as it was: zeros
}

func (g *group) reduceScatter(s step, key uint64) part {
	in, out := g.block(key, g.rank, -1, s.count*g.ranks), make([]uint64, s.count)
	return part{func() error { return mpi.ReduceScatter(g.c, in, out, mpi.Sum) }, func() mpi.Request { return mpi.IreduceScatter(g.c, in, out, mpi.Sum) },
		func() error { return g.sums(out, key, g.ranks, g.rank*s.count) }}
}

func (g *group) reduceScatterv(s step, key uint64) part {
	counts, total := g.counts(s, key)
	first := 0
	for _, n := range counts[:g.rank] {
		first += n
	}
	in, out := g.block(key, g.rank, -1, total), make([]uint64, counts[g.rank])
	return part{func() error { return mpi.ReduceScatterv(g.c, in, out, counts, mpi.Sum) },
		func() mpi.Request { return mpi.IreduceScatterv(g.c, in, out, counts, mpi.Sum) },
		func() error { return g.sums(out, key, g.ranks, first) }}
}

func (g *group) allgather(s step, key uint64) part {
	in, out := g.block(key, g.rank, -1, s.count), make([]uint64, s.count*g.ranks)
	return part{func() error { return mpi.Allgather(g.c, in, out) }, func() mpi.Request { return mpi.Iallgather(g.c, in, out) },
		func() error { return g.gathered(out, key, -1, same(s.count, g.ranks)) }}
}

func (g *group) allgatherv(s step, key uint64) part {
	counts, total := g.counts(s, key)
	in, out := g.block(key, g.rank, -1, counts[g.rank]), make([]uint64, total)
	return part{func() error { return mpi.Allgatherv(g.c, in, out, counts, nil) }, func() mpi.Request { return mpi.Iallgatherv(g.c, in, out, counts, nil) },
		func() error { return g.gathered(out, key, -1, counts) }}
}

func (g *group) gather(s step, key uint64) part {
	in, out := g.block(key, g.rank, -1, s.count), []uint64(nil)
	if g.rank == s.root {
		out = make([]uint64, s.count*g.ranks)
	}
	return part{func() error { return mpi.Gather(g.c, in, out, s.root) }, func() mpi.Request { return mpi.Igather(g.c, in, out, s.root) },
		g.atRoot(s, func() error { return g.gathered(out, key, -1, same(s.count, g.ranks)) })}
}

func (g *group) gatherv(s step, key uint64) part {
	counts, total := g.counts(s, key)
	in, out := g.block(key, g.rank, -1, counts[g.rank]), []uint64(nil)
	if g.rank == s.root {
		out = make([]uint64, total)
	}
	return part{func() error { return mpi.Gatherv(g.c, in, out, counts, nil, s.root) },
		func() mpi.Request { return mpi.Igatherv(g.c, in, out, counts, nil, s.root) },
		g.atRoot(s, func() error { return g.gathered(out, key, -1, counts) })}
}

func (g *group) scatter(s step, key uint64) part {
	var in []uint64
	if g.rank == s.root {
		in = g.outgoing(key, same(s.count, g.ranks))
	}
	out := make([]uint64, s.count)
	return part{func() error { return mpi.Scatter(g.c, in, out, s.root) }, func() mpi.Request { return mpi.Iscatter(g.c, in, out, s.root) },
		func() error { return g.same(out, key, s.root, g.rank) }}
}

func (g *group) scatterv(s step, key uint64) part {
	counts, _ := g.counts(s, key)
	var in []uint64
	if g.rank == s.root {
		in = g.outgoing(key, counts)
	}
	out := make([]uint64, counts[g.rank])
	return part{func() error { return mpi.Scatterv(g.c, in, counts, nil, out, s.root) },
		func() mpi.Request { return mpi.Iscatterv(g.c, in, counts, nil, out, s.root) },
		func() error { return g.same(out, key, s.root, g.rank) }}
}

func (g *group) alltoall(s step, key uint64) part {
	in, out := g.outgoing(key, same(s.count, g.ranks)), make([]uint64, s.count*g.ranks)
	return part{func() error { return mpi.Alltoall(g.c, in, out) }, func() mpi.Request { return mpi.Ialltoall(g.c, in, out) },
		func() error { return g.gathered(out, key, g.rank, same(s.count, g.ranks)) }}
}

// alltoallv sends blocks of lengths that depend on both ranks.
func (g *group) alltoallv(s step, key uint64) part {
	length := func(from, to int) int { return int(mix(key, uint64(from), uint64(to), 1) % uint64(s.count+1)) }
	var outgoing, incoming []int
	total := 0
	for r := range g.ranks {
		outgoing, incoming = append(outgoing, length(g.rank, r)), append(incoming, length(r, g.rank))
		total += incoming[r]
	}
	in, out := g.outgoing(key, outgoing), make([]uint64, total)
	return part{func() error { return mpi.Alltoallv(g.c, in, outgoing, nil, out, incoming, nil) },
		func() mpi.Request { return mpi.Ialltoallv(g.c, in, outgoing, nil, out, incoming, nil) },
		func() error { return g.gathered(out, key, g.rank, incoming) }}
}

// atRoot is a check that the root alone makes.
func (g *group) atRoot(s step, check func() error) func() error {
	return func() error {
		if g.rank != s.root {
			return nil
		}
		return check()
	}
}

// counts are lengths of blocks that all ranks know, some of them 0.
func (g *group) counts(s step, key uint64) (counts []int, total int) {
	for r := range g.ranks {
		counts = append(counts, int(mix(key, uint64(r), 2)%uint64(s.count+1)))
		total += counts[r]
	}
	return counts, total
}

func same(count, ranks int) []int {
	counts := make([]int, ranks)
	for i := range counts {
		counts[i] = count
	}
	return counts
}

// gathered checks one block per rank.
func (g *group) gathered(got []uint64, key uint64, to int, counts []int) error {
	for r, n := range counts {
		if err := g.same(got[:n], key, r, to); err != nil {
			return err
		}
		got = got[n:]
	}
	return nil
}

// outgoing is a block for each rank.
func (g *group) outgoing(key uint64, counts []int) []uint64 {
	b := []uint64{} // not nil: nil would mean "in place"
	for r, n := range counts {
		b = append(b, g.block(key, g.rank, r, n)...)
	}
	return b
}
