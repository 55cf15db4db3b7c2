package rank

import "github.com/weft-mpi/weft/mpi"

func (g *group) dup(int) operation {
	return g.manages(g.rank, g.ranks, func() (*mpi.Comm, error) { return g.world.Dup() })
}

// split makes communicators of the even and of the odd ranks.
func (g *group) split(int) operation {
	return g.manages(g.rank/2, (g.ranks+1-g.rank%2)/2, func() (*mpi.Comm, error) { return g.world.Split(g.rank%2, g.rank) })
}

// splitShared makes a communicator of each host; how many ranks that has is not known here.
func (g *group) splitShared(int) operation {
	return g.manages(-1, -1, func() (*mpi.Comm, error) { return g.world.SplitShared(g.rank) })
}

// create makes a communicator of all ranks out of their group.
func (g *group) create(int) operation {
	all := g.world.Group()
	return g.manages(g.rank, g.ranks, func() (*mpi.Comm, error) { return g.world.Create(all) })
}

// manages is an operation that makes a communicator, in which this rank should be that one of so
// many, and frees it. A negative rank: of those on this host.
func (g *group) manages(rank, ranks int, make func() (*mpi.Comm, error)) operation {
	gotRank, gotRanks := -1, -1
	return operation{
		fill: func(int) { gotRank, gotRanks = -1, -1 },
		call: func() error {
			c, err := make()
			if err != nil {
				return err
			}
			gotRank, gotRanks = c.Rank(), c.Size()
			return c.Free()
		},
		right: func(int) bool {
			if rank < 0 {
				return gotRank >= 0 && gotRank < gotRanks && gotRanks <= g.ranks
			}
			return gotRank == rank && gotRanks == ranks
		},
	}
}

func (g *group) allocateWindow(size int) operation {
	bytes := 0
	return operation{
		fill: func(int) { bytes = -1 },
		call: func() error {
			w, mem, err := mpi.AllocateWindow[byte](g.world, size)
			if err != nil {
				return err
			}
			bytes = len(mem)
			return w.Free()
		},
		right: func(int) bool { return bytes == size },
	}
}

func (g *group) createWindow(size int) operation {
	mem := g.in[:size]
	return operation{
		fill: func(int) {},
		call: func() error {
			w, err := mpi.CreateWindow(g.world, mem)
			if err != nil {
				return err
			}
			return w.Free()
		},
		right: func(int) bool { return true }, // that a window is there and goes is all there is to see
	}
}

const tagRing = 50

// sendrecv sends to the right neighbour in a ring and receives from the left one.
func (g *group) sendrecv(size int) operation {
	out, in := g.out[:size], g.in[:size]
	right, left := g.neighbours()
	o := g.blocks(out, in)
	o.call = func() error {
		_, err := mpi.Sendrecv(g.world, out, right, tagRing, in, left, tagRing)
		return err
	}
	o.right = func(round int) bool { return hasBytes(in, left, 0, round) }
	return o
}

func (g *group) sendrecvReplace(size int) operation {
	buf := g.out[:size]
	right, left := g.neighbours()
	o := g.blocks(buf, nil)
	o.call = func() error {
		_, err := mpi.SendrecvReplace(g.world, buf, right, tagRing, left, tagRing)
		return err
	}
	o.right = func(round int) bool { return hasBytes(buf, left, 0, round) }
	return o
}

func (g *group) neighbours() (right, left int) {
	return (g.rank + 1) % g.ranks, (g.rank + g.ranks - 1) % g.ranks
}
