// Command life plays Conway's game of life on a torus that is cut into blocks, one for each rank.
//
// A cell lives in the next generation if it has three living neighbours, or two and lives already.
// A rank owns a block of cells and needs the cells just outside it, the halo: one row or column of
// each neighbour above, below, left and right, and the four corners. It shows ranks as a Cartesian
// grid with neighbours in eight directions, NeighborAlltoallLayout, which exchanges rows, columns
// and corners where they lie, and Gatherv. Run it with
//
//	weft run -n 4 ./examples/life -show
//	weft run -n 4 ./examples/life -rows 2000 -columns 2000 -steps 100
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/weft-mpi/weft/mpi"
)

// game is what to play.
type game struct {
	Rows, Columns int
	Steps         int
	Show          bool // rank 0 draws the last generation
}

func main() {
	var g game
	flag.IntVar(&g.Rows, "rows", 24, "rows of the torus")
	flag.IntVar(&g.Columns, "columns", 64, "columns of the torus")
	flag.IntVar(&g.Steps, "steps", 100, "generations to play")
	flag.BoolVar(&g.Show, "show", false, "draw the last generation")
	flag.Parse()
	mpi.Main(func(world *mpi.Comm) error {
		if flag.NArg() > 0 {
			return fmt.Errorf("unexpected argument %q: every option begins with -", flag.Arg(0))
		}
		return run(world, os.Stdout, g)
	})
}

// run plays, and has rank 0 print how many cells live.
func run(world *mpi.Comm, out io.Writer, g game) error {
	t, err := newTorus(world)
	if err != nil {
		return err
	}
	return errors.Join(play(t, out, g), t.Close())
}

// play does it on a grid of ranks.
func play(t *torus, out io.Writer, g game) error {
	if g.Rows < t.rows || g.Columns < t.columns || g.Steps < 0 {
		return fmt.Errorf("%d x %d cells, %d steps: %d ranks are a grid of %d x %d, each of them needs a cell, and -steps must not be negative",
			g.Rows, g.Columns, g.Steps, t.Size(), t.rows, t.columns)
	}
	now, next := newBlock(t, g.Rows, g.Columns), newBlock(t, g.Rows, g.Columns)
	now.sow()
	living := []int{now.living(), 0}
	for range g.Steps {
		if err := now.exchange(t); err != nil {
			return err
		}
		next.follow(now)
		now, next = next, now
	}
	living[1] = now.living()
	total := make([]int, 2)
	if err := mpi.Reduce(t.Comm, living, total, mpi.Sum, 0); err != nil {
		return err
	}
	if t.Rank() == 0 {
		fmt.Fprintf(out, "%d x %d cells on %d x %d ranks: %d live at first, %d after %d steps\n",
			g.Rows, g.Columns, t.rows, t.columns, total[0], total[1], g.Steps)
	}
	if !g.Show {
		return nil
	}
	cells, err := now.collect(t, g.Rows, g.Columns)
	if err != nil || t.Rank() != 0 {
		return err
	}
	return draw(out, cells, g.Columns)
}

// draw shows each cell as a letter.
func draw(out io.Writer, cells []byte, columns int) error {
	w := bufio.NewWriter(out)
	for i, cell := range cells {
		w.WriteByte(" #"[cell])
		if (i+1)%columns == 0 {
			w.WriteByte('\n')
		}
	}
	return w.Flush()
}
