package measure

import (
	"github.com/weft-mpi/weft/mpi"
)

// Independent returns the MB/s, in and out of one node together, of allgathers that groups of ranks do at the same time. Ranks of
// the same number on their nodes, of which each has perNode, are a group; the first so many groups take part. A rank writes its
// block to all others of its group at once, or, in a ring, hands on what came last to its neighbour.
func Independent(k *Rank, size, perNode, groups int, ring bool, l Loops) (float64, error) {
	world := k.World
	nodes, node, local := world.Size()/perNode, world.Rank()/perNode, world.Rank()%perNode
	out, in := buffer(size), buffer(size*nodes)
	peer := func(d int) int { return (node+d+nodes)%nodes*perNode + local }
	once := func() error {
		if !ring {
			var all []mpi.Request
			for d := 1; d < nodes; d++ {
				all = append(all, mpi.Irecv(world, in[d*size:][:size], peer(-d), tagData))
			}
			for d := 1; d < nodes; d++ {
				all = append(all, mpi.Isend(world, out, peer(d), tagData))
			}
			return mpi.Waitall(all)
		}
		from := out
		for d := 1; d < nodes; d++ {
			to := in[d*size:][:size]
			if err := mpi.Waitall([]mpi.Request{mpi.Irecv(world, to, peer(-1), tagData), mpi.Isend(world, from, peer(1), tagData)}); err != nil {
				return err
			}
			from = to
		}
		return nil
	}
	each, err := k.timed(l, func(n int) error {
		for i := 0; i < n && local < groups; i++ {
			if err := once(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	if local >= groups {
		each = 0
	}
	slowest, err := k.largest(each)
	return float64(2*groups*(nodes-1)*size) / slowest, err
}

// Copies returns the microseconds in which so many ranks copy that many bytes each, all at the same time.
func Copies(k *Rank, size, ranks int, l Loops) (float64, error) {
	from, to := buffer(size), buffer(size)
	sum := 0.0
	for range l.Timed {
		start, err := k.together()
		if err != nil {
			return 0, err
		}
		if k.World.Rank() < ranks {
			k.copied(copy(to, from))
		}
		took, mine := microseconds(k.Now()-start), 0.0
		if k.World.Rank() < ranks {
			mine = took
		}
		last, err := k.largest(mine)
		if err != nil {
			return 0, err
		}
		sum += last
	}
	return sum / float64(max(l.Timed, 1)), nil
}

// Spectrum returns the microseconds of one operation with its fence, the mean over buffers that are used unequally often and lie
// on pages of their own. Both sides call it; the leading side's value counts.
func (o *OneSided) Spectrum(a Access, size int, u Uses) (float64, error) {
	stride := pages(size)
	all := buffer(u.Buffers * stride)
	start, operations := o.w.Clock.Now(), 0
	for i := range u.Buffers {
		for range u.Step * (i + 1) {
			if err := o.step(a, all[i*stride:][:size]); err != nil {
				return 0, err
			}
			operations++
		}
	}
	return float64(o.w.Clock.Now()-start) / 1e3 / float64(max(operations, 1)), o.w.drain()
}
