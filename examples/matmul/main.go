// Command matmul multiplies two square matrices that are spread over a grid of ranks.
//
// Each rank owns one block of A, B and C. The product is a sum over thin panels: in every step, the
// ranks that own a panel of A send it along their row of the grid, those that own a panel of B send
// it along their column, and every rank adds the product of the two to its block of C. That is the
// SUMMA algorithm; no rank needs a whole matrix, but for the check at the end. It shows Comm.Split,
// Bcast on rows and columns, and Gatherv. Run it with
//
//	weft run -n 4 ./examples/matmul
//	weft run -n 4 ./examples/matmul -size 1000 -panel 64 -check=false
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/weft-mpi/weft/mpi"
)

// problem is what to multiply, and how.
type problem struct {
	Size  int  // rows and columns of the matrices
	Panel int  // width of a panel: more means fewer and longer messages
	Check bool // rank 0 compares the result with a product of its own
}

func main() {
	var p problem
	flag.IntVar(&p.Size, "size", 240, "rows and columns of the matrices")
	flag.IntVar(&p.Panel, "panel", 32, "columns of A and rows of B per step, at most")
	flag.BoolVar(&p.Check, "check", true, "compare the result with a serial product")
	flag.Parse()
	mpi.Main(func(world *mpi.Comm) error {
		if flag.NArg() > 0 {
			return fmt.Errorf("unexpected argument %q: every option begins with -", flag.Arg(0))
		}
		return run(world, os.Stdout, p)
	})
}

// run multiplies, and has rank 0 print how long that took and whether it is right.
func run(world *mpi.Comm, out io.Writer, p problem) error {
	if p.Size < 1 || p.Panel < 1 {
		return fmt.Errorf("-size %d -panel %d: both must be at least 1", p.Size, p.Panel)
	}
	g, err := newGrid(world)
	if err != nil {
		return err
	}
	if p.Size < g.columns { // there are never more rows than columns
		return fmt.Errorf("-size %d: %d ranks are a grid of %d x %d and need a matrix of at least %d rows",
			p.Size, world.Size(), g.rows, g.columns, g.columns)
	}
	a, b := g.newBlock(p.Size), g.newBlock(p.Size)
	a.fill(elementA)
	b.fill(elementB)
	if err := mpi.Barrier(world); err != nil { // everybody is up; now the clock means something
		return err
	}
	begin := mpi.Wtime()
	c, err := multiply(g, a, b, p)
	if err != nil {
		return err
	}
	if err := mpi.Barrier(world); err != nil {
		return err
	}
	seconds := mpi.Wtime() - begin
	verdict := "not checked"
	if p.Check {
		if verdict, err = check(g, c, p.Size); err != nil {
			return err
		}
	}
	if err := g.free(); err != nil || world.Rank() != 0 {
		return err
	}
	n := float64(p.Size)
	_, err = fmt.Fprintf(out, "%d x %d elements on %d x %d ranks: %.3f s, %.2f GFLOP/s, %s\n",
		p.Size, p.Size, g.rows, g.columns, seconds, 2*n*n*n/seconds/1e9, verdict)
	return err
}

// multiply returns this rank's block of the product.
func multiply(g *grid, a, b *block, p problem) (*block, error) {
	c := g.newBlock(p.Size)
	height, width := c.height(), c.width()
	panelA := make([]float64, height*min(p.Panel, p.Size))
	panelB := make([]float64, width*min(p.Panel, p.Size))
	for k := 0; k < p.Size; {
		ownerA, endA := owner(k, p.Size, g.columns)
		ownerB, endB := owner(k, p.Size, g.rows)
		end := min(k+p.Panel, endA, endB) // a panel has one owner of each matrix
		deep := end - k
		fromA, fromB := panelA[:height*deep], panelB[:deep*width]
		if g.row.Rank() == ownerA {
			for i := range height {
				copy(fromA[i*deep:(i+1)*deep], a.row(i)[k-a.left:])
			}
		}
		if g.column.Rank() == ownerB {
			copy(fromB, b.elements[(k-b.top)*width:])
		}
		if err := mpi.Bcast(g.row, fromA, ownerA); err != nil {
			return nil, err
		}
		if err := mpi.Bcast(g.column, fromB, ownerB); err != nil {
			return nil, err
		}
		for i := range height {
			addRow(c.row(i), fromA[i*deep:(i+1)*deep], fromB)
		}
		k = end
	}
	return c, nil
}

// addRow adds the product of a row and a matrix, whose rows are as long as sum, to sum.
func addRow(sum, row, matrix []float64) {
	for k, factor := range row {
		for j, x := range matrix[k*len(sum) : (k+1)*len(sum)] {
			sum[j] += factor * x
		}
	}
}

// Elements of A and B. They are small whole numbers, so products are exact and do not depend on the
// order of additions.
func elementA(i, j int) float64 { return float64((7*i+3*j)%19 - 9) }
func elementB(i, j int) float64 { return float64((5*i+11*j)%17 - 8) }

// check collects the product at rank 0, which compares it with one that it computes alone.
func check(g *grid, c *block, size int) (verdict string, err error) {
	product, err := g.collect(c, size)
	if err != nil || product == nil {
		return "", err
	}
	if !slices.Equal(product, serial(size)) {
		return "", fmt.Errorf("the product on %d x %d ranks differs from the serial one", g.rows, g.columns)
	}
	return "equal to the serial product", nil
}

// serial is the product without ranks.
func serial(size int) []float64 {
	b := make([]float64, 0, size*size)
	for i := range size {
		for j := range size {
			b = append(b, elementB(i, j))
		}
	}
	product, row := make([]float64, size*size), make([]float64, size)
	for i := range size {
		for j := range row {
			row[j] = elementA(i, j)
		}
		addRow(product[i*size:(i+1)*size], row, b)
	}
	return product
}
