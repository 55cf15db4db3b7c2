package rank

import (
	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/mpi"
)

// counts returns the lengths of the blocks of all ranks, of mean length.
func (g *group) counts(mean int) []int {
	if g.test.Skewed {
		return bench.Skew(mean, g.ranks)
	}
	return equal(mean, g.ranks)
}

// equal returns the same count for each rank.
func equal(count, ranks int) []int {
	counts := make([]int, ranks)
	for r := range counts {
		counts[r] = count
	}
	return counts
}

// displacements returns where blocks begin that stand one after the other, and where the last one ends.
func displacements(counts []int) (displs []int, end int) {
	displs = make([]int, len(counts))
	for r, n := range counts {
		displs[r] = end
		end += n
	}
	return displs, end
}

func (g *group) gatherv(size int) operation {
	counts := g.counts(size)
	displs, end := displacements(counts)
	out, in := g.out[:counts[g.rank]], g.in[:end]
	o := g.blocks(out, in)
	o.call = func() error { return mpi.Gatherv(g.world, out, in, counts, displs, 0) }
	o.start = func() mpi.Request { return mpi.Igatherv(g.world, out, in, counts, displs, 0) }
	o.right = func(round int) bool { return g.rank != 0 || g.hasBlocks(counts, fromStart, round) }
	return o
}

func (g *group) scatterv(size int) operation {
	counts := g.counts(size)
	displs, end := displacements(counts)
	out, in := g.out[:end], g.in[:counts[g.rank]]
	o := g.blocks(out, in)
	o.call = func() error { return mpi.Scatterv(g.world, out, counts, displs, in, 0) }
	o.start = func() mpi.Request { return mpi.Iscatterv(g.world, out, counts, displs, in, 0) }
	o.right = func(round int) bool { return hasBytes(in, 0, displs[g.rank], round) }
	return o
}

func (g *group) allgatherv(size int) operation {
	counts := g.counts(size)
	displs, end := displacements(counts)
	out, in := g.out[:counts[g.rank]], g.in[:end]
	o := g.blocks(out, in)
	o.call = func() error { return mpi.Allgatherv(g.world, out, in, counts, displs) }
	o.start = func() mpi.Request { return mpi.Iallgatherv(g.world, out, in, counts, displs) }
	o.right = func(round int) bool { return g.hasBlocks(counts, fromStart, round) }
	return o
}

// alltoallv sends the k-th of the counts to the k-th rank after this one, so that each rank sends
// and receives as much as each other.
func (g *group) alltoallv(size int) operation {
	counts := g.counts(size)
	to := func(rank int) []int {
		sends := make([]int, g.ranks)
		for k, n := range counts {
			sends[(rank+k)%g.ranks] = n
		}
		return sends
	}
	sends, recvs, first := to(g.rank), make([]int, g.ranks), make([]int, g.ranks)
	for r := range g.ranks {
		theirs := to(r)
		at, _ := displacements(theirs)
		recvs[r], first[r] = theirs[g.rank], at[g.rank]
	}
	sendAt, sendEnd := displacements(sends)
	recvAt, recvEnd := displacements(recvs)
	out, in := g.out[:sendEnd], g.in[:recvEnd]
	o := g.blocks(out, in)
	o.call = func() error { return mpi.Alltoallv(g.world, out, sends, sendAt, in, recvs, recvAt) }
	o.start = func() mpi.Request { return mpi.Ialltoallv(g.world, out, sends, sendAt, in, recvs, recvAt) }
	o.right = func(round int) bool { return g.hasBlocks(recvs, func(r int) int { return first[r] }, round) }
	return o
}

func (g *group) reduceScatterv(size int) operation {
	counts := g.counts(size / 4 / g.ranks)
	displs, end := displacements(counts)
	out, in := g.floats[:end], g.results[:counts[g.rank]]
	o := g.sums(out, in)
	o.call = func() error { return mpi.ReduceScatterv(g.world, out, in, counts, mpi.Sum) }
	o.start = func() mpi.Request { return mpi.IreduceScatterv(g.world, out, in, counts, mpi.Sum) }
	o.right = func(round int) bool { return hasSums(in, g.ranks, displs[g.rank], round) }
	return o
}
