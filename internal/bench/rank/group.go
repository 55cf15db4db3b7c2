package rank

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/mpi"
)

// group runs the collective tests.
type group struct {
	world       *mpi.Comm
	rank, ranks int
	prepare     func(g *group, size int) operation
	lonely      bool // no barrier between calls, because the call is the barrier

	out, in         []byte
	floats, results []float32

	size  int // what ready is prepared for
	ready operation
}

// operation is one collective call on buffers of one size. The slices it works on belong to the group.
type operation struct {
	fill  func(round int) // writes what this rank contributes and clears what it receives
	call  func() error
	right func(round int) bool // whether this rank received what it should
}

var operations = map[string]func(g *group, size int) operation{
	"barrier":        (*group).barrier,
	"bcast":          (*group).bcast,
	"reduce":         (*group).reduce,
	"allreduce":      (*group).allreduce,
	"gather":         (*group).gather,
	"scatter":        (*group).scatter,
	"allgather":      (*group).allgather,
	"alltoall":       (*group).alltoall,
	"reduce_scatter": (*group).reduceScatter,
	"scan":           (*group).scan,
}

// newGroup prepares for messages of up to that many bytes; only the buffers that the test uses are allocated.
func newGroup(world *mpi.Comm, test bench.Test, bytes int) (*group, error) {
	prepare, known := operations[test.Name]
	if !known {
		return nil, fmt.Errorf("%s is in the table of tests but cannot be measured", test.Name)
	}
	g := &group{
		world: world, rank: world.Rank(), ranks: world.Size(),
		prepare: prepare, lonely: test.Sizeless, size: -1,
	}
	if test.Vector {
		g.floats, g.results = alignedFloats(bytes), alignedFloats(bytes)
	} else {
		g.out, g.in = alignedBytes(bytes), alignedBytes(bytes)
	}
	return g, nil
}

// use prepares the operation for a size, outside of any timing.
func (g *group) use(size int) {
	if g.size != size {
		g.ready, g.size = g.prepare(g, size), size
	}
}

// batch times each call alone, with a barrier between calls so that they do not run into each other.
func (g *group) batch(s bench.Step, iterations int) (float64, error) {
	g.use(s.Size)
	call := g.ready.call
	if g.lonely {
		start := mpi.Wtime()
		for range iterations {
			if err := call(); err != nil {
				return 0, err
			}
		}
		return mpi.Wtime() - start, nil
	}
	spent := 0.0
	for range iterations {
		start := mpi.Wtime()
		if err := call(); err != nil {
			return 0, err
		}
		spent += mpi.Wtime() - start
		if err := mpi.Barrier(g.world); err != nil {
			return 0, err
		}
	}
	return spent, nil
}

// check runs one call with known data.
func (g *group) check(size, round int) (bool, error) {
	g.use(size)
	g.ready.fill(round)
	if err := g.ready.call(); err != nil {
		return false, err
	}
	return g.ready.right(round), nil
}
