// Command montecarlo finds how far apart two random points in a cube are on average, and how exact
// that answer is.
//
// Every rank draws its share of the samples and keeps their count, mean and sum of squared
// deviations. One Reduce with a reduction of the program's own (NewOp) combines these three into
// those of all samples; from them follow the mean and its standard error. The exact answer is known
// (Robbins's constant), so one can see that the error is honest.
//
// Samples come in batches, and each batch has its own stream of random numbers. So the samples are
// the same whatever the number of ranks; only the last digits change, with the order of additions.
// Run it with
//
//	weft run -n 4 ./examples/montecarlo
//	weft run -n 4 ./examples/montecarlo -samples 100000000 -seed 7
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"

	"github.com/weft-mpi/weft/mpi"
)

// batch is how many samples share a stream of random numbers.
const batch = 10_000

func main() {
	samples := flag.Int("samples", 4_000_000, "how many pairs of points to draw")
	seed := flag.Uint64("seed", 1, "another seed draws other points")
	flag.Parse()
	mpi.Main(func(world *mpi.Comm) error {
		if flag.NArg() > 0 {
			return fmt.Errorf("unexpected argument %q: every option begins with -", flag.Arg(0))
		}
		return run(world, os.Stdout, *samples, *seed)
	})
}

// run draws this rank's samples; rank 0 prints what all of them say.
func run(world *mpi.Comm, out io.Writer, samples int, seed uint64) error {
	if samples < 2 {
		return errors.New("-samples must be at least 2: one sample says nothing about its error")
	}
	var own moments
	for first := world.Rank() * batch; first < samples; first += world.Size() * batch {
		stream := rand.New(rand.NewPCG(seed, uint64(first)))
		for range min(batch, samples-first) {
			own.add(distance(stream))
		}
	}
	all := make([]moments, 1)
	if err := mpi.Reduce(world, []moments{own}, all, mpi.NewOp(true, combine), 0); err != nil {
		return err
	}
	if world.Rank() != 0 {
		return nil
	}
	mean, deviation := all[0].Mean, all[0].standardError()
	_, err := fmt.Fprintf(out, "mean distance %.6f ± %.6f, from %.0f samples on %d ranks\nexact %.6f, which is %.1f standard errors away\n",
		mean, deviation, all[0].Count, world.Size(), robbins, math.Abs(mean-robbins)/deviation)
	return err
}

// robbins is the mean distance of two random points in a cube of side 1.
var robbins = (4 + 17*math.Sqrt2 - 6*math.Sqrt(3) + 21*math.Log(1+math.Sqrt2) + 42*math.Log(2+math.Sqrt(3)) - 7*math.Pi) / 105

// distance draws two points in the cube.
func distance(stream *rand.Rand) float64 {
	x, y, z := stream.Float64()-stream.Float64(), stream.Float64()-stream.Float64(), stream.Float64()-stream.Float64()
	return math.Sqrt(x*x + y*y + z*z)
}

// moments is what must be kept of samples to know their mean and how much they scatter. It has no
// pointers, so it can be sent as it is.
type moments struct {
	Count   float64
	Mean    float64
	Squares float64 // sum of the squared deviations from the mean
}

// add takes one more sample in (Welford's method: it loses no digits, whatever the number of
// samples).
func (m *moments) add(x float64) {
	m.Count++
	off := x - m.Mean
	m.Mean += off / m.Count
	m.Squares += off * (x - m.Mean)
}

// combine gives the moments of the samples of both.
func combine(a, b moments) moments {
	if a.Count == 0 || b.Count == 0 {
		return moments{a.Count + b.Count, a.Mean + b.Mean, a.Squares + b.Squares} // one of them is all zero
	}
	n, off := a.Count+b.Count, b.Mean-a.Mean
	return moments{n, a.Mean + off*b.Count/n, a.Squares + b.Squares + off*off*a.Count*b.Count/n}
}

// standardError says how far the mean is off, typically: in 68 of 100 cases by less.
func (m moments) standardError() float64 { return math.Sqrt(m.Squares / (m.Count - 1) / m.Count) }
