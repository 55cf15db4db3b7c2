package rank

import (
	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/mpi"
)

// worker computes for a while. What it does is an amount of work, found once by calibration, and not a look at the
// clock until time is up: a rank that loses its CPU to somebody else (its own progress goroutine, the kernel copying
// a message) must still do the rest of its work afterwards, as a real program would.
type worker struct {
	perMicrosecond float64 // steps of grind
	state          uint64  // keeps the compiler from leaving the work out
}

// Calibration takes the median of many short pieces. The fastest would be up to a third too fast where a
// processor changes its pace, and all work that follows too long by as much.
const (
	calibrationSteps  = 20_000
	calibrationPieces = 200
)

func newWorker() *worker {
	w := &worker{state: 1}
	var pieces [calibrationPieces]float64
	for i := range pieces {
		start := mpi.Wtime()
		w.state = grind(w.state, calibrationSteps)
		pieces[i] = mpi.Wtime() - start
	}
	w.perMicrosecond = calibrationSteps / max(bench.Median(pieces[:])*1e6, 1e-3)
	return w
}

// compute does as much work as takes that many microseconds undisturbed.
func (w *worker) compute(microseconds float64) {
	w.state = grind(w.state, int(microseconds*w.perMicrosecond))
}

// grind is a chain of multiplications of which each needs the one before.
//
//go:noinline
func grind(x uint64, steps int) uint64 {
	for range steps {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}
