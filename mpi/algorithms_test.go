package mpi_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/mpi"
)

// bodiesOf tests an operation.
var bodiesOf = map[coll.Op]func(*mpi.Comm, form, int) error{
	coll.Barrier: bodyBarrier, coll.Bcast: bodyBcast, coll.Reduce: bodyReduce, coll.Allreduce: bodyAllreduceAndScans, coll.Scan: bodyAllreduceAndScans,
	coll.ReduceScatter: bodyReduceScatter, coll.Gather: bodyGatherAndScatter, coll.Scatter: bodyGatherAndScatter,
	coll.Gatherv: bodyGathervAndScatterv, coll.Allgather: bodyAllgather, coll.Allgatherv: bodyAllgather, coll.Alltoall: bodyAlltoall,
	coll.Alltoallv: bodyAlltoallv, coll.NeighborAllgather: bodyNeighbors, coll.NeighborAlltoall: bodyNeighbors,
	coll.NeighborAllgatherv: bodyNeighborsv,
}

// choices are settings which, one after the other, choose every algorithm of every operation: the n-th
// chooses the n-th of each.
func choices() (all []string) {
	for n := 0; ; n++ {
		var rules []string
		for _, op := range coll.Ops() {
			if own := coll.Algorithms(op); n < len(own) {
				_, way, _ := strings.Cut(own[n].Name, "/")
				rules = append(rules, fmt.Sprintf("%s=%s", op, way))
			}
		}
		if len(rules) == 0 {
			return all
		}
		all = append(all, "WEFT_COLL="+strings.Join(rules, ","))
	}
}

// everyOp tests the operations for which a choice was made.
func everyOp(w *mpi.Comm, choice string) error {
	half, err := w.Split(w.Rank()%2, -w.Rank())
	if err != nil {
		return err
	}
	for _, op := range coll.Ops() {
		body := bodiesOf[op]
		if body == nil || !strings.Contains(choice, op.String()+"=") {
			continue
		}
		for _, n := range []int{0, 7, 3000} {
			for _, c := range []*mpi.Comm{w, half} {
				if err := body(c, forms["blocking"], n); err != nil {
					return fmt.Errorf("%v of %d elements on %s: %w", op, n, c.Name(), err)
				}
			}
			if err := body(w, forms["waiting"], n); err != nil {
				return fmt.Errorf("%v of %d elements, started: %w", op, n, err)
			}
		}
	}
	return half.Free()
}

// layouts are how ranks pretend to be spread over nodes: on one, in blocks, in turn and uneven, each on its own.
var layouts = []string{"", "2", "0,1,0,0,2", "100"}

// TestEveryAlgorithm runs every algorithm between goroutines, on nodes of every kind.
func TestEveryAlgorithm(t *testing.T) {
	for i, choice := range choices() {
		for k, nodes := range layouts {
			if os.Getenv("WEFT_SOAK") == "" && (i+k)%4 != 0 || (testing.Short() || underRace) && i%8 != 0 {
				continue
			}
			_, rules, _ := strings.Cut(choice, "=")
			t.Setenv("WEFT_COLL", rules)
			t.Setenv("WEFT_LAB_NODES", nodes)
			if err := mpi.Run(5, func(w *mpi.Comm) error { return everyOp(w, choice) }); err != nil {
				t.Errorf("%s WEFT_LAB_NODES=%s: %v", choice, nodes, err)
			}
		}
	}
}

// TestEveryAlgorithmInVirtualTime runs every algorithm on a simulated cluster, twice: both take the same time.
func TestEveryAlgorithmInVirtualTime(t *testing.T) {
	oneThread(t)
	for i, choice := range choices() {
		if os.Getenv("WEFT_SOAK") == "" && i%5 != 3 || testing.Short() && i != 13 {
			continue
		}
		var took [2]int64
		for again := range took {
			j := &cluster{profile: "connectx-ddr", nodes: 3, ranks: 7, seed: uint64(i + 1), env: []string{choice}}
			if err := j.run(t, func(w *mpi.Comm) error { return everyOp(w, choice) }); err != nil {
				t.Fatalf("%s: %v", choice, err)
			}
			took[again] = j.s.Now()
			if shared := j.crew.Ranks[0].Commons(); strings.Contains(choice, "smp") && (shared.Runs == 0 || shared.Flags == 0) {
				t.Errorf("%s: %+v, and algorithms share memory", choice, shared)
			}
		}
		if took[0] != took[1] {
			t.Errorf("%s: took %d ns, then %d", choice, took[0], took[1])
		}
	}
}

// TestEveryAlgorithmBetweenProcesses runs algorithms between processes that share memory; all of them with WEFT_SOAK.
func TestEveryAlgorithmBetweenProcesses(t *testing.T) {
	all := choices()
	for i, choice := range all {
		if few := len(all) - i; os.Getenv("WEFT_SOAK") == "" && (few%5 != 0 || testing.Short() && few != 10) {
			continue
		}
		nodes := layouts[i%len(layouts)]
		if code, text := job(t, 4, "algorithms", choice, "WEFT_LAB_NODES="+nodes, "WEFT_TEST_CHOICE="+choice); code != 0 {
			t.Errorf("%s WEFT_LAB_NODES=%s: code %d\n%s", choice, nodes, code, text)
		}
	}
}

// TestDeadNeighbour: a rank that dies ends collectives of its node in which others wait for its flags, now and later.
func TestDeadNeighbour(t *testing.T) {
	for _, way := range []string{"shm", "shm_tree", "smp"} {
		j := &cluster{profile: "connectx-ddr", nodes: 1, ranks: 4, env: []string{"WEFT_COLL=barrier=" + way}}
		err := j.run(t, func(w *mpi.Comm) error {
			if err := mpi.Barrier(w); err != nil {
				return err
			}
			if w.Rank() == 2 {
				j.compute(w, 1000_000)
				j.crew.Kill(2)
			}
			for range 20 {
				if err := mpi.Barrier(w); !errors.Is(err, mpi.ErrProcFailed) {
					return fmt.Errorf("rank %d: barrier with a dead rank: %v", w.Rank(), err)
				}
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", way, err)
		}
	}
}
