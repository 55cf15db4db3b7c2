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
	test        bench.Test
	prepare     func(g *group, size int) operation

	out, in         []byte
	floats, results []float32

	grid  *mpi.Cart // of cart2d and cart3d, once it is made
	size  int       // what ready is prepared for
	ready operation
	kept  []mpi.Request // the persistent form that ready starts, if it does
}

// operation is one collective call on buffers of one size. The slices it works on belong to the group.
type operation struct {
	fill  func(round int) // writes what this rank contributes and clears what it receives
	call  func() error
	start func() mpi.Request   // the non-blocking form of call; nil: there is none
	keep  func() mpi.Request   // the persistent form; nil: it is not measured
	right func(round int) bool // whether this rank received what it should
}

var operations = map[string]func(g *group, size int) operation{
	"barrier":          (*group).barrier,
	"bcast":            (*group).bcast,
	"reduce":           (*group).reduce,
	"allreduce":        (*group).allreduce,
	"gather":           (*group).gather,
	"gatherv":          (*group).gatherv,
	"scatter":          (*group).scatter,
	"scatterv":         (*group).scatterv,
	"allgather":        (*group).allgather,
	"allgatherv":       (*group).allgatherv,
	"alltoall":         (*group).alltoall,
	"alltoallv":        (*group).alltoallv,
	"alltoallw":        (*group).alltoallLayout,
	"reduce_scatter":   (*group).reduceScatter,
	"reduce_scatterv":  (*group).reduceScatterv,
	"scan":             (*group).scan,
	"exscan":           (*group).exscan,
	"sendrecv":         (*group).sendrecv,
	"sendrecv_replace": (*group).sendrecvReplace,
	"isend_irecv":      (*group).isendIrecv,
	"persistent_pair":  (*group).persistentPair,
	"waitall8":         (*group).waitall8,
	"test_loop":        (*group).testLoop,
	"self":             (*group).self,
	"halo2d":           (*group).halo2d,
	"halo3d":           (*group).halo3d,
	"cart2d":           (*group).cart2d,
	"cart3d":           (*group).cart3d,
	"dup":              (*group).dup,
	"split":            (*group).split,
	"split_shared":     (*group).splitShared,
	"create":           (*group).create,
	"win_allocate":     (*group).allocateWindow,
	"win_create":       (*group).createWindow,
}

// newGroup prepares for messages of up to that many bytes; only the buffers that the test uses are allocated.
func newGroup(world *mpi.Comm, test bench.Test, bytes int) (*group, error) {
	prepare, known := operations[test.Call()]
	if !known {
		return nil, fmt.Errorf("%s is in the table of tests but cannot be measured", test.Name)
	}
	g := &group{
		world: world, rank: world.Rank(), ranks: world.Size(),
		test: test, prepare: prepare, size: -1,
	}
	if test.Vector {
		g.floats, g.results = alignedFloats(bytes), alignedFloats(bytes)
	} else {
		g.out, g.in = alignedBytes(bytes), alignedBytes(bytes)
	}
	return g, nil
}

// use prepares the operation for a size, outside of any timing.
func (g *group) use(size int) error {
	if g.size == size {
		return nil
	}
	if err := g.drop(); err != nil {
		return err
	}
	g.ready, g.size = g.prepare(g, size), size
	if start := g.ready.start; g.test.Starts {
		g.ready.call = func() error {
			_, err := start().Wait()
			return err
		}
	}
	if g.test.Kept {
		r := g.ready.keep()
		g.kept = []mpi.Request{r}
		g.ready.call = func() error {
			if err := mpi.Start(r); err != nil {
				return err
			}
			_, err := r.Wait()
			return err
		}
	}
	return nil
}

// drop frees what was made for a size.
func (g *group) drop() error {
	for _, r := range g.kept {
		if err := r.Free(); err != nil {
			return err
		}
	}
	g.kept = nil
	return nil
}

// batch times each call alone, with a barrier between calls so that they do not run into each
// other, unless ranks wait for each other in the calls themselves.
func (g *group) batch(s bench.Step, iterations int) (float64, error) {
	if err := g.use(s.Size); err != nil {
		return 0, err
	}
	call := g.ready.call
	if g.test.Chained {
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
	if err := g.use(size); err != nil {
		return false, err
	}
	g.ready.fill(round)
	if err := g.ready.call(); err != nil {
		return false, err
	}
	return g.ready.right(round), nil
}
