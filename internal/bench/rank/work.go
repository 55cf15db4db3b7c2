package rank

import "github.com/weft-mpi/weft/mpi"

// worker computes for a while. What it does is an amount of work, found once by calibration, and not a look at the
// clock until time is up: a rank that loses its CPU to somebody else (its own progress goroutine, the kernel copying
// a message) must still do the rest of its work afterwards, as a real program would.
type worker struct {
	perMicrosecond float64 // steps of grind
	state          uint64  // keeps the compiler from leaving the work out
}

// Calibration takes the fastest of many short pieces: the speed of a rank that nobody disturbs.
const (
	calibrationSteps  = 20_000
	calibrationPieces = 200
)

func newWorker() *worker {
	w := &worker{state: 1}
	fastest := 0.0
	for range calibrationPieces {
		start := mpi.Wtime()
		w.state = grind(w.state, calibrationSteps)
		if spent := mpi.Wtime() - start; fastest == 0 || spent < fastest {
			fastest = spent
		}
	}
	w.perMicrosecond = calibrationSteps / max(fastest*1e6, 1e-3)
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
