package rank

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/mpi"
)

// measure runs a case on n ranks of this process and returns the rows of rank 0.
func measure(t *testing.T, n int, c bench.Case) ([]bench.Row, error) {
	t.Helper()
	var mu sync.Mutex
	var rows []bench.Row
	err := mpi.Run(n, func(world *mpi.Comm) error {
		return Run(world, c, func(r bench.Row) error {
			mu.Lock()
			defer mu.Unlock()
			rows = append(rows, r)
			return nil
		})
	})
	return rows, err
}

func TestEveryTestMeasuresAndMovesTheRightData(t *testing.T) {
	steps := []bench.Step{{Size: 64, Iterations: 2, Warmup: 1, Batches: 3}, {Size: 100 << 10, Iterations: 1, Batches: 1}}
	for _, test := range bench.Tests() {
		sizes := slices.DeleteFunc([]int{3, 2, 4}, func(n int) bool { return test.CheckRanks(n) != nil || !test.Checks() })
		if testing.Short() {
			sizes = sizes[:min(1, len(sizes))]
		}
		for _, n := range sizes {
			t.Run(fmt.Sprintf("%s/%d", test.Name, n), func(t *testing.T) {
				rows, err := measure(t, n, bench.Case{Test: test, Window: 4, Validate: true, Steps: steps})
				if err != nil {
					t.Fatal(err)
				}
				if len(rows) != len(steps) {
					t.Fatalf("%d rows for %d steps", len(rows), len(steps))
				}
				for i, r := range rows {
					if r.Size != steps[i].Size || r.Value <= 0 || r.Valid != bench.Pass || r.Iterations != steps[i].Iterations {
						t.Errorf("row %+v", r)
					}
					if (r.Rate > 0) != (test.Shape == bench.Stream) || r.Max < r.Min {
						t.Errorf("row %+v", r)
					}
				}
			})
		}
	}
}

func TestZeroBytes(t *testing.T) {
	test, err := bench.Find("latency")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := measure(t, 2, bench.Case{Test: test, Window: 1, Validate: true, Steps: []bench.Step{{Iterations: 1, Batches: 1}}})
	if err != nil || len(rows) != 1 || rows[0].Valid != bench.Pass {
		t.Errorf("got %+v, %v", rows, err)
	}
}

func TestWrongNumberOfRanks(t *testing.T) {
	test, err := bench.Find("latency")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := measure(t, 3, bench.Case{Test: test, Window: 1}); err == nil || !strings.Contains(err.Error(), "exactly 2") {
		t.Errorf("got %v", err)
	}
}

// The checks themselves must be able to fail.
func TestChecksSeeWrongData(t *testing.T) {
	b := make([]byte, 300)
	fillBytes(b, 3, 1)
	if !hasBytes(b, 3, 0, 1) || hasBytes(b, 2, 0, 1) || hasBytes(b, 3, 0, 2) || hasBytes(b, 3, 1, 1) {
		t.Error("bytes of another rank, round or place pass for the right ones")
	}
	b[299]++
	if hasBytes(b, 3, 0, 1) {
		t.Error("a wrong last byte passes")
	}
	if hasBytes(make([]byte, 8), 0, 0, 0) {
		t.Error("a cleared buffer passes")
	}
	sums := make([]float32, 40)
	for i := range sums {
		for r := range 5 {
			sums[i] += floatAt(r, i, 2)
		}
	}
	if !hasSums(sums, 5, 0, 2) || hasSums(sums, 4, 0, 2) || hasSums(sums, 5, 0, 3) || hasSums(sums, 5, 1, 2) {
		t.Error("sums of other ranks, rounds or places pass for the right ones")
	}
}

func TestConvert(t *testing.T) {
	find := func(name string) bench.Test {
		test, err := bench.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		return test
	}
	step := bench.Step{Size: 1000, Iterations: 10, Batches: 1}
	for _, tc := range []struct {
		test    string
		seconds []float64
		want    bench.Row
	}{
		{"latency", []float64{20e-6, 40e-6}, bench.Row{Value: 1.5}}, // 30 us on average for 20 messages in a row
		{"bw", []float64{1e-3, 9}, bench.Row{Value: 50, Rate: 50_000}},
		{"bibw", []float64{1e-3, 9}, bench.Row{Value: 100, Rate: 100_000}},
		{"mbw_mr", []float64{1e-3, 2e-3, 9, 9}, bench.Row{Value: 50, Rate: 50_000}}, // the slower pair counts
		{"bcast", []float64{10e-6, 30e-6}, bench.Row{Value: 2, Min: 1, Max: 3}},
	} {
		m := &meter{c: bench.Case{Test: find(tc.test), Window: 5}, seconds: tc.seconds}
		got := m.convert(step)
		tc.want.Size, tc.want.Iterations = 1000, 10
		if diff := cmp.Diff(tc.want, got, cmpopts.EquateApprox(1e-9, 0)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.test, diff)
		}
	}
}

func TestAlignedMemory(t *testing.T) {
	for _, n := range []int{0, 1, 4, 4096, 100_000} {
		if b := alignedBytes(n); len(b) != n || cap(b) != n {
			t.Errorf("%d bytes: length %d, capacity %d", n, len(b), cap(b))
		}
		if f := alignedFloats(n); len(f) != n/4 {
			t.Errorf("%d bytes: %d elements", n, len(f))
		}
	}
}

// Inside a timed loop nothing may be allocated; the batch is all there is in it.
func TestBatchesAllocateNothing(t *testing.T) {
	t.Setenv("WEFT_CHECK", "off")
	for _, name := range []string{"latency", "bw", "bibw"} {
		test, err := bench.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		const runs = 50
		err = mpi.Run(2, func(world *mpi.Comm) error {
			m := &meter{world: world, c: bench.Case{Test: test, Window: 8, Steps: []bench.Step{{Size: 64}}}}
			m.usePairs()
			batch := func() {
				if _, err := m.batch(bench.Step{Size: 64}, 20); err != nil {
					t.Error(err)
				}
			}
			for range 3 {
				batch()
			}
			if world.Rank() != 0 {
				for range runs + 1 { // as often as AllocsPerRun calls it
					batch()
				}
				return nil
			}
			if got := testing.AllocsPerRun(runs, batch); got > 1 {
				t.Errorf("%s: %.1f allocations in a batch of 20 iterations", name, got)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
