// Command pi computes pi as the area under 4/(1+x*x) between 0 and 1.
//
// Each rank takes every size-th strip of the area, and one Reduce adds the parts up at rank 0. It shows a
// collective operation and how work is dealt out by rank without any message. Run it with
//
//	weft run -n 4 ./examples/pi
//	weft run -n 4 ./examples/pi -strips 1000000
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/weft-mpi/weft/mpi"
)

func main() {
	strips := flag.Int("strips", 100_000_000, "number of strips")
	flag.Parse()
	mpi.Main(func(world *mpi.Comm) error { return run(world, os.Stdout, *strips) })
}

// run computes this rank's share; rank 0 prints the sum.
func run(world *mpi.Comm, out io.Writer, strips int) error {
	if strips < 1 {
		return errors.New("-strips must be at least 1")
	}
	if err := mpi.Barrier(world); err != nil { // everybody is up; now the clock means something
		return err
	}
	begin := mpi.Wtime()
	part := []float64{area(strips, world.Rank(), world.Size())}
	pi := make([]float64, 1)
	if err := mpi.Reduce(world, part, pi, mpi.Sum, 0); err != nil {
		return err
	}
	if world.Rank() != 0 {
		return nil
	}
	_, err := fmt.Fprintf(out, "pi is about %.16f, error %.1e\n%d strips on %d ranks took %.3f s\n",
		pi[0], math.Abs(pi[0]-math.Pi), strips, world.Size(), mpi.Wtime()-begin)
	return err
}

// area adds the strips first, first+step, first+2*step and so on, each taken at its middle.
func area(strips, first, step int) float64 {
	width := 1 / float64(strips)
	sum := 0.0
	for i := first; i < strips; i += step {
		x := (float64(i) + 0.5) * width
		sum += 4 / (1 + x*x)
	}
	return sum * width
}
