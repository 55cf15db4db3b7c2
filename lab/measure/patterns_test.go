package measure_test

import (
	"testing"

	"github.com/weft-mpi/weft/lab/measure"
	"github.com/weft-mpi/weft/mpi"
)

// TestPatterns: the programs of the applications end on two ranks, and refuse other numbers.
func TestPatterns(t *testing.T) {
	for _, p := range append(measure.Patterns(), "nonesuch") {
		err := mpi.Run(2, func(world *mpi.Comm) error { return p.Program(measure.NewRank(world, new(still)), 1<<10, 3, 10) })
		if (err != nil) != (p == "nonesuch") {
			t.Errorf("%s: %v", p, err)
		}
	}
	if err := mpi.Run(1, func(world *mpi.Comm) error { return measure.CG.Program(measure.NewRank(world, new(still)), 1, 1, 0) }); err == nil {
		t.Error("a single rank was accepted")
	}
}
