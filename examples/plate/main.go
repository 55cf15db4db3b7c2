// Command plate solves the heat equation on a plate that is cut in both directions: every rank owns a block of it.
//
// It computes what heat does, which cuts the plate into bands. Blocks have less border than bands, so less has to
// travel, but two of the four borders are columns, whose points do not lie together. The ranks are a Cartesian grid,
// with reorder, so that neighbours are on one host where that can be had. In each step one call sends all four borders
// and takes the neighbours' where they lie, while the points that need none of them are computed. In the end rank 0
// receives every block straight into its place on the plate. It shows Comm.Cart, Strided and Subarray,
// IneighborAlltoallLayout and RecvLayout. Run it with
//
//	weft run -n 4 ./examples/plate
//	weft run -n 6 ./examples/plate -rows 300 -columns 500 -check
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/weft-mpi/weft/mpi"
)

// problem is what to solve and how exactly.
type problem struct {
	Rows, Columns int     // of the plate, without its edges
	Steps         int     // at most so many steps
	Every         int     // look at the change after so many steps
	Epsilon       float64 // stop when no point changes by more
	Check         bool    // rank 0 solves it alone, too, and compares
}

func main() {
	p := problem{Every: 50}
	flag.IntVar(&p.Rows, "rows", 48, "rows of the plate")
	flag.IntVar(&p.Columns, "columns", 128, "columns of the plate")
	flag.IntVar(&p.Steps, "steps", 10_000, "at most so many steps")
	flag.Float64Var(&p.Epsilon, "epsilon", 1e-4, "stop when no point changes by more in a step")
	flag.BoolVar(&p.Check, "check", false, "have rank 0 solve it alone, too, and compare the plates")
	flag.Parse()
	mpi.Main(func(world *mpi.Comm) error {
		if flag.NArg() > 0 {
			return fmt.Errorf("unexpected argument %q: every option begins with -", flag.Arg(0))
		}
		return run(world, os.Stdout, p)
	})
}

// run solves the problem; rank 0 of the grid shows the result.
func run(world *mpi.Comm, out io.Writer, p problem) error {
	begin := mpi.Wtime()
	s, err := solve(world, p)
	if err != nil || s.plate == nil {
		return err
	}
	fmt.Fprintf(out, "%d x %d points on %d x %d ranks: change %.2e after %d steps, %.3f s\n",
		p.Rows, p.Columns, s.grid[0], s.grid[1], s.change, s.steps, mpi.Wtime()-begin)
	if p.Check {
		if err := check(world.Self(), s, p); err != nil {
			return err
		}
		fmt.Fprintln(out, "one rank alone computes the same, to the last bit")
	}
	return draw(out, s.plate, p)
}

// solution is what comes of a problem.
type solution struct {
	grid   []int     // of ranks
	plate  []float64 // row after row; nil but at rank 0 of the grid
	steps  int       // that were made
	change float64   // the largest in the last step that was looked at
}

// solve has the ranks solve the problem together. All know steps and change.
func solve(world *mpi.Comm, p problem) (s solution, err error) {
	if s.grid, err = mpi.Dims(world.Size(), 2); err != nil {
		return s, err
	}
	if p.Rows < s.grid[0] || p.Columns < s.grid[1] || p.Steps < 1 || p.Every < 1 {
		return s, fmt.Errorf("%d x %d points, %d steps: %d ranks are a grid of %d x %d, "+
			"each of them needs a point, and -steps must be at least 1",
			p.Rows, p.Columns, p.Steps, world.Size(), s.grid[0], s.grid[1])
	}
	cart, err := world.Cart(s.grid, []bool{false, false}, true)
	if err != nil {
		return s, err
	}
	err = relax(cart, p, &s)
	return s, errors.Join(err, cart.Free())
}

// relax makes steps until nothing changes any more, and collects the plate.
func relax(cart *mpi.Cart, p problem, s *solution) error {
	now, err := newBlock(cart, p, cart.Rank())
	if err != nil {
		return err
	}
	next := now.twin()
	for s.steps = 1; ; s.steps++ {
		local, err := step(cart, now, next)
		if err != nil {
			return err
		}
		now, next = next, now
		if s.steps%p.Every != 0 && s.steps < p.Steps {
			continue
		}
		largest := make([]float64, 1)
		if err := mpi.Allreduce(cart.Comm, []float64{local}, largest, mpi.Max); err != nil {
			return err
		}
		s.change = largest[0] // the same number everywhere, so all ranks stop together
		if s.change <= p.Epsilon || s.steps >= p.Steps {
			break
		}
	}
	s.plate, err = collect(cart, p, now)
	return err
}

// step computes next from now and returns the largest change. The borders travel while the points within, which do
// not need the neighbours' ones, are computed.
func step(cart *mpi.Cart, now, next *block) (change float64, err error) {
	halo := mpi.IneighborAlltoallLayout(cart.Comm, now.points, now.border, now.points, now.frame)
	change = next.relax(now, 2, now.rows-1, 2, now.columns-1)
	if _, err := halo.Wait(); err != nil {
		return 0, err
	}
	return max(change,
		next.relax(now, 1, 1, 1, now.columns),
		next.relax(now, 2, now.rows, 1, 1),
		next.relax(now, 2, now.rows, max(now.columns, 2), now.columns),
		next.relax(now, max(now.rows, 2), now.rows, 2, now.columns-1)), nil
}

// check has this rank solve the problem alone. Every point is computed by the same operations in the same order,
// wherever the plate is cut, so the plates are equal to the last bit.
func check(self *mpi.Comm, s solution, p problem) error {
	alone, err := solve(self, p)
	switch {
	case err != nil:
		return err
	case alone.steps != s.steps || alone.change != s.change || !slices.Equal(alone.plate, s.plate):
		return fmt.Errorf("one rank alone has another plate: its change is %g after %d steps", alone.change, alone.steps)
	}
	return nil
}

// draw shows the plate with letters, from cold to hot, each for some points.
func draw(out io.Writer, plate []float64, p problem) error {
	const shades = " .:-=+*#%@"
	w := bufio.NewWriter(out)
	across, down := min(p.Columns, 64), min(p.Rows, 24)
	for y := range down {
		row := plate[y*p.Rows/down*p.Columns:]
		for x := range across {
			w.WriteByte(shades[min(int(row[x*p.Columns/across]/hot*float64(len(shades))), len(shades)-1)])
		}
		w.WriteByte('\n')
	}
	return w.Flush()
}
