package lab

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/lab/measure"
)

// unfit is a job that names an algorithm which does not fit: ranks that are alone on their nodes share no memory.
func unfit(b *Bench, more ...string) Job {
	return Job{On: b.Setups("IB3")[0], Ranks: 2, Settings: append([]string{"coll=alltoall=shm"}, more...)}
}

// drawn sweeps an alltoall over two sizes.
func drawn(b *Bench, job Job) (points int, err error) {
	err = b.Run(context.Background(), job, func(k *measure.Rank) error {
		return measure.Sweep(k, []int{8, 64}, func(_, _ float64) { points++ }, func(size int) (float64, error) {
			g, err := measure.NewGroup(k, measure.Alltoall, size)
			if err != nil {
				return 0, err
			}
			return g.Slowest(measure.Loops{Warmup: 1, Timed: 1})
		})
	})
	return points, err
}

// TestNoPointOfAnother: where the algorithm that a job names does not fit, there is no point, and no error;
// if it fits there is one.
func TestNoPointOfAnother(t *testing.T) {
	b := newBench(t, Options{})
	if n, err := drawn(b, unfit(b)); n != 0 || err != nil {
		t.Errorf("%d points, %v", n, err)
	}
	job := unfit(b)
	job.Settings = []string{"coll=alltoall=pairwise"}
	if n, err := drawn(b, job); n != 2 || err != nil {
		t.Errorf("%d points, %v", n, err)
	}
}

// TestAnotherIsNoticed: a measurement fails if another algorithm has served it than the one that its job
// names, however that came about; here rules are not binding, and the machine's next one served.
func TestAnotherIsNoticed(t *testing.T) {
	b := newBench(t, Options{})
	n, err := drawn(b, unfit(b, "lab_coll_binding=off"))
	if n != 0 || err == nil || !strings.Contains(err.Error(), "alltoall/shm served 0 of 2 calls") {
		t.Errorf("%d points, %v", n, err)
	}
	// A program that measures by itself is found out at the end of its run.
	err = b.Run(t.Context(), unfit(b, "lab_coll_binding=off"), func(k *measure.Rank) error {
		g, err := measure.NewGroup(k, measure.Alltoall, 8)
		if err != nil {
			return err
		}
		return g.Once()
	})
	if !errors.Is(err, errOther) || !strings.Contains(err.Error(), "ran alltoall/mvapich 1 times, the job names alltoall/shm") {
		t.Errorf("%v", err)
	}
	// One that does not look at errors of measure.Unfit is refused.
	err = b.Run(t.Context(), unfit(b), func(k *measure.Rank) error {
		g, err := measure.NewGroup(k, measure.Alltoall, 8)
		if err != nil {
			return err
		}
		return g.Once()
	})
	if !errors.Is(err, coll.ErrUnfit) {
		t.Errorf("%v", err)
	}
}

// TestNamedIn: the first rule counts, and those with conditions before it.
func TestNamedIn(t *testing.T) {
	n, err := namedIn([]string{"WEFT_COLL=alltoall:-1K=bruck,alltoall=pairwise,alltoall=mvapich,bcast=flat"})
	if err != nil || strings.Join(n["alltoall"], " ") != "alltoall/bruck alltoall/pairwise" || strings.Join(n["bcast"], " ") != "bcast/flat" || n["scan"] != nil {
		t.Errorf("%v, %v", n, err)
	}
	if one := n.single(); len(one) != 1 || one["bcast"] != "bcast/flat" {
		t.Errorf("%v", one)
	}
	if err := n.check(0, map[string]uint64{"alltoall/bruck": 1, "bcast/flat": 2, "scan/chain": 3}); err != nil {
		t.Error(err)
	}
	if err := n.check(0, map[string]uint64{"alltoall/mvapich": 1}); !errors.Is(err, errOther) {
		t.Error(err)
	}
	if _, err := namedIn([]string{"WEFT_COLL=nonsense"}); err == nil {
		t.Error("nonsense is taken for a rule")
	}
}
