package rank

import (
	"slices"
	"syscall"
	"time"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/mpi"
)

// idler runs the idle tests: all ranks but the last wait for a message that it sends when it has slept.
type idler struct {
	world     *mpi.Comm
	wakes     bool
	message   []byte
	mine, all []float64
}

const tagIdle = 31

func newIdler(world *mpi.Comm, c bench.Case) *idler {
	return &idler{world: world, wakes: c.Test.Wakes, message: make([]byte, largest(c.Steps)), mine: make([]float64, 1),
		all: make([]float64, world.Size())}
}

// wait has the ranks wait for s.Iterations seconds, and returns what those that wait have used in that
// time: the mean, and the least and most of any of them.
func (d *idler) wait(s bench.Step) (bench.Row, error) {
	row := bench.Row{Size: s.Size, Share: s.Share, Iterations: s.Iterations}
	if err := mpi.Barrier(d.world); err != nil {
		return row, err
	}
	rank, last := d.world.Rank(), d.world.Size()-1
	if rank == last {
		time.Sleep(time.Duration(s.Iterations) * time.Second)
		for to := range last {
			if err := mpi.Send(d.world, d.message[:s.Size], to, tagIdle); err != nil {
				return row, err
			}
		}
	} else {
		start, before := mpi.Wtime(), d.spent()
		if _, err := mpi.Recv(d.world, d.message[:s.Size], last, tagIdle); err != nil {
			return row, err
		}
		d.mine[0] = (d.spent() - before) / (mpi.Wtime() - start)
	}
	if err := mpi.Gather(d.world, d.mine, d.all, 0); err != nil || rank != 0 {
		return row, err
	}
	waited := d.all[:last]
	for _, v := range waited {
		row.Value += v / float64(last)
	}
	row.Min, row.Max = slices.Min(waited), slices.Max(waited)
	return row, nil
}

// spent is what this process has used so far: hundredths of a second of processors, or how often one of its
// threads has slept.
func (d *idler) spent() float64 {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // cannot fail
	if d.wakes {
		return float64(used.Nvcsw)
	}
	return 100 * time.Duration(used.Utime.Nano()+used.Stime.Nano()).Seconds()
}
