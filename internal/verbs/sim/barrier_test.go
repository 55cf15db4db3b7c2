package sim

import (
	"errors"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
)

// TestBarrier: nobody is let go before the last has entered, all are at the same time, sync_us later, and
// it can be used again.
func TestBarrier(t *testing.T) {
	s, f := cluster(t, "qsnet2", 3)
	b, err := f.NewBarrier(3)
	if err != nil {
		t.Fatal(err)
	}
	let := make([][]int64, 3)
	for node := range 3 {
		s.Go(fmt.Sprint(node), func() {
			for round := range 2 {
				s.Sleep(int64(10_000 * (node + 1) * (round + 1)))
				open := false
				b.Enter(func() { open = true })
				for !open {
					s.Sleep(100)
				}
				let[node] = append(let[node], s.Now())
			}
		})
	}
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	p := f.Cluster().Profile
	last := int64(30_000) + nanos(p.get("post_us")) + nanos(p.get("sync_us"))
	for node, at := range let {
		if at[0] < last || at[0] > last+100 || at[1] <= at[0] || at[1]-let[0][1] > 100 || let[0][1]-at[1] > 100 {
			t.Errorf("node %d was let go at %v, the first time is %d", node, at, last)
		}
	}
}

func TestBarrierRefuses(t *testing.T) {
	_, f := cluster(t, "qsnet2", 2)
	_, without := cluster(t, "ne020", 2)
	for what, make := range map[string]func() (*Barrier, error){
		"no nodes":       func() (*Barrier, error) { return f.NewBarrier(0) },
		"too many nodes": func() (*Barrier, error) { return f.NewBarrier(3) },
		"no barrier":     func() (*Barrier, error) { return without.NewBarrier(2) },
	} {
		if _, err := make(); !errors.Is(err, verbs.ErrArgument) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
