package rank

import (
	"testing"

	"github.com/weft-mpi/weft/internal/bench"
)

// TestGrids: what goes to a neighbour comes from the rank whose neighbour we are, and grids are as
// square as they can be.
func TestGrids(t *testing.T) {
	for ranks := 1; ranks <= 64; ranks++ {
		for dimensions := 1; dimensions <= 3; dimensions++ {
			var all []*pattern
			for r := range ranks {
				all = append(all, (&group{rank: r, ranks: ranks}).onGrid(1, dimensions))
			}
			for r, p := range all {
				if len(p.to) != 2*dimensions || len(p.from) != len(p.to) {
					t.Fatalf("%d ranks: rank %d sends to %v and receives from %v", ranks, r, p.to, p.from)
				}
				for k, to := range p.to {
					if all[to].from[k] != r {
						t.Errorf("%d ranks, %d dimensions: %d sends block %d to %d, which expects it from %d",
							ranks, dimensions, r, k, to, all[to].from[k])
					}
				}
			}
		}
	}
	for ranks, want := range map[int][2]int{1: {1, 1}, 2: {1, 1}, 4: {2, 1}, 8: {2, 2}, 12: {3, 2}, 27: {3, 3}, 64: {8, 4}} {
		if got := [2]int{width(ranks, 2), width(ranks, 3)}; got != want {
			t.Errorf("%d ranks: widths %v, want %v", ranks, got, want)
		}
	}
}

// TestGoroutinesShareTheMessages: each of a step's goroutines sends its part of them.
func TestGoroutinesShareTheMessages(t *testing.T) {
	for _, name := range []string{"latency_mt", "rate_mt"} {
		test, err := bench.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		steps := bench.PlainSteps(test, []int{8}, bench.Loops{Iterations: 3, Shares: []int{1, 5}})
		rows, err := measure(t, 4, bench.Case{Test: test, Window: 4, Validate: true, Steps: steps})
		if err != nil || len(rows) != 2 {
			t.Fatalf("%s: %v, %v", name, rows, err)
		}
		if rows[1].Share != 5 || rows[1].Value <= 0 || rows[1].Valid != bench.Pass || test.Operations(steps[1]) != 15 {
			t.Errorf("%s: %+v", name, rows[1])
		}
	}
}
