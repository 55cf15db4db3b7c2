// Command heat solves the heat equation on a plate: the upper edge is hot, the others are cold, and the program
// finds how warm the inside becomes.
//
// Every point takes the mean of its four neighbours, again and again (Jacobi's method). Each rank owns a band of
// rows. To compute its first and last row it needs one row of each neighbour, the halo, which is exchanged in
// every step while the rest of the band is computed. It shows Isend, Irecv and Waitall, ProcNull at the edges,
// Allreduce to know when to stop, and Gatherv to collect the result. Run it with
//
//	weft run -n 4 ./examples/heat
//	weft run -n 4 ./examples/heat -size 400 -steps 5000 -png plate.png
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/weft-mpi/weft/mpi"
)

// problem is what to solve and how exactly.
type problem struct {
	Size    int     // rows and columns of the plate, without its edges
	Steps   int     // at most so many steps
	Every   int     // look at the change after so many steps
	Epsilon float64 // stop when no point changes by more
}

func main() {
	p := problem{Every: 50}
	flag.IntVar(&p.Size, "size", 128, "rows and columns of the plate")
	flag.IntVar(&p.Steps, "steps", 20_000, "at most so many steps")
	flag.Float64Var(&p.Epsilon, "epsilon", 1e-4, "stop when no point changes by more in a step")
	picture := flag.String("png", "", "write the plate to this `file` instead of drawing it with letters")
	flag.Parse()
	mpi.Main(func(world *mpi.Comm) error { return run(world, os.Stdout, p, *picture) })
}

// run solves the problem; rank 0 shows the result.
func run(world *mpi.Comm, out io.Writer, p problem, picture string) error {
	begin := mpi.Wtime()
	plate, steps, change, err := solve(world, p)
	if err != nil || world.Rank() != 0 {
		return err
	}
	fmt.Fprintf(out, "%d x %d points, %d ranks: change %.2e after %d steps, %.3f s\n",
		p.Size, p.Size, world.Size(), change, steps, mpi.Wtime()-begin)
	if picture != "" {
		return writePNG(picture, plate, p.Size)
	}
	return drawLetters(out, plate, p.Size)
}

// solve returns the plate at rank 0 (nil elsewhere), the steps made and the largest change in the last one looked at.
func solve(world *mpi.Comm, p problem) (plate []float64, steps int, change float64, err error) {
	if p.Size < world.Size() || p.Steps < 1 || p.Every < 1 {
		return nil, 0, 0, fmt.Errorf("%d rows for %d ranks, %d steps: each rank needs a row, and steps must be at least 1",
			p.Size, world.Size(), p.Steps)
	}
	now, next := newBand(world, p.Size), newBand(world, p.Size)
	for steps = 1; ; steps++ {
		local, err := step(world, now, next)
		if err != nil {
			return nil, steps, 0, err
		}
		now, next = next, now
		if steps%p.Every != 0 && steps < p.Steps {
			continue
		}
		largest := []float64{0}
		if err := mpi.Allreduce(world, []float64{local}, largest, mpi.Max); err != nil {
			return nil, steps, 0, err
		}
		change = largest[0] // the same number everywhere, so all ranks stop together
		if change <= p.Epsilon || steps >= p.Steps {
			break
		}
	}
	plate, err = now.gather(world)
	return plate, steps, change, err
}

// Tags of halo rows, by the way they travel.
const (
	tagUp = iota
	tagDown
)

// step computes next from now and returns the largest change. The halo travels while the inner rows, which do not
// need it, are computed.
func step(world *mpi.Comm, now, next *band) (change float64, err error) {
	halo := []mpi.Request{
		mpi.Irecv(world, now.row(0), now.above, tagDown),
		mpi.Irecv(world, now.row(now.rows+1), now.below, tagUp),
		mpi.Isend(world, now.row(1), now.above, tagUp),
		mpi.Isend(world, now.row(now.rows), now.below, tagDown),
	}
	for r := 2; r < now.rows; r++ {
		change = max(change, next.relax(now, r))
	}
	if err := mpi.Waitall(halo); err != nil {
		return 0, err
	}
	change = max(change, next.relax(now, 1), next.relax(now, now.rows))
	return change, nil
}
