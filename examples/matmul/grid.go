package main

import (
	"errors"

	"github.com/weft-mpi/weft/mpi"
)

// grid is the ranks as rows and columns: rank r is in row r/columns and column r%columns.
type grid struct {
	rows, columns int
	world         *mpi.Comm
	row           *mpi.Comm // the ranks of this rank's row, by column
	column        *mpi.Comm // the ranks of this rank's column, by row
}

// newGrid makes the grid as square as the number of ranks allows, never higher than wide. All ranks
// call it.
func newGrid(world *mpi.Comm) (*grid, error) {
	g := &grid{rows: 1, world: world}
	for d := 2; d*d <= world.Size(); d++ {
		if world.Size()%d == 0 {
			g.rows = d
		}
	}
	g.columns = world.Size() / g.rows
	var err error
	if g.row, err = world.Split(world.Rank()/g.columns, world.Rank()); err != nil {
		return nil, err
	}
	g.row.SetName("row")
	if g.column, err = world.Split(world.Rank()%g.columns, world.Rank()); err != nil {
		return nil, err
	}
	g.column.SetName("column")
	return g, nil
}

// free gives the communicators back. All ranks call it.
func (g *grid) free() error { return errors.Join(g.row.Free(), g.column.Free()) }

// first is where part number i begins, if n elements are cut into parts as evenly as possible.
func first(i, n, parts int) int { return i * n / parts }

// owner is the part that element k belongs to, and where that part ends.
func owner(k, n, parts int) (part, end int) {
	for part = k * parts / n; first(part+1, n, parts) <= k; part++ {
	}
	return part, first(part+1, n, parts)
}

// block is one rank's share of a matrix: rows top to bottom-1, columns left to right-1, row after
// row.
type block struct {
	top, bottom, left, right int
	elements                 []float64
}

// newBlock makes this rank's block of a matrix of size x size elements, all zero.
func (g *grid) newBlock(size int) *block { return g.blockOf(g.world.Rank(), size) }

func (g *grid) blockOf(rank, size int) *block {
	row, column := rank/g.columns, rank%g.columns
	b := &block{
		top: first(row, size, g.rows), bottom: first(row+1, size, g.rows),
		left: first(column, size, g.columns), right: first(column+1, size, g.columns),
	}
	b.elements = make([]float64, b.height()*b.width())
	return b
}

func (b *block) height() int { return b.bottom - b.top }
func (b *block) width() int  { return b.right - b.left }

// row is a row of the block, counted from its top.
func (b *block) row(i int) []float64 { return b.elements[i*b.width() : (i+1)*b.width()] }

// fill sets every element by its place in the whole matrix.
func (b *block) fill(element func(i, j int) float64) {
	for i := range b.height() {
		row := b.row(i)
		for j := range row {
			row[j] = element(b.top+i, b.left+j)
		}
	}
}

// collect returns the whole matrix at rank 0, and nil at the others. Blocks arrive one after the
// other and are put where they belong.
func (g *grid) collect(own *block, size int) ([]float64, error) {
	if g.world.Rank() != 0 {
		return nil, mpi.Gatherv(g.world, own.elements, nil, nil, nil, 0)
	}
	counts := make([]int, g.world.Size())
	for r := range counts {
		b := g.blockOf(r, size)
		counts[r] = len(b.elements)
	}
	blocks := make([]float64, size*size)
	if err := mpi.Gatherv(g.world, own.elements, blocks, counts, nil, 0); err != nil {
		return nil, err
	}
	matrix := make([]float64, size*size)
	for r := range counts {
		b := g.blockOf(r, size)
		b.elements, blocks = blocks[:counts[r]], blocks[counts[r]:]
		for i := range b.height() {
			copy(matrix[(b.top+i)*size+b.left:], b.row(i))
		}
	}
	return matrix, nil
}
