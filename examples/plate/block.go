package main

import (
	"math"

	"github.com/weft-mpi/weft/mpi"
)

// The temperatures of the upper and the left edge of the plate; the other edges have 0.
const (
	hot  = 100
	warm = 50
)

// block is one rank's part of the plate, with a frame of one point around it: the neighbours' borders, or the edge of
// the plate.
type block struct {
	top, left     int // where its first point is on the plate
	rows, columns int // without the frame
	points        []float64
	border, frame []mpi.Layout // what goes to each neighbour, and where comes what it sends
}

// newBlock makes the block of a rank in the grid, cold but for the edges of the plate.
func newBlock(cart *mpi.Cart, p problem, rank int) (*block, error) {
	at, err := cart.Coords(rank)
	if err != nil {
		return nil, err
	}
	b := new(block)
	grid := cart.Sizes()
	b.top, b.rows = part(p.Rows, at[0], grid[0])
	b.left, b.columns = part(p.Columns, at[1], grid[1])
	b.points = make([]float64, (b.rows+2)*(b.columns+2))
	if b.left == 0 {
		for r := range b.rows + 2 {
			b.row(r)[0] = warm
		}
	}
	if b.top == 0 {
		for c := range b.row(0) {
			b.row(0)[c] = hot
		}
	}
	// Neighbours are in this order: above, below, left, right.
	b.border = []mpi.Layout{b.across(1), b.across(b.rows), b.down(1), b.down(b.columns)}
	b.frame = []mpi.Layout{b.across(0), b.across(b.rows + 1), b.down(0), b.down(b.columns + 1)}
	return b, nil
}

// part is which of n rows or columns the i-th of so many parts has.
func part(n, i, parts int) (first, count int) {
	first = i * n / parts
	return first, (i+1)*n/parts - first
}

// twin is a block with the same frame, for the next step.
func (b *block) twin() *block {
	t := *b
	t.points = append([]float64(nil), b.points...)
	return &t
}

// width is how far apart two points are of which one is below the other.
func (b *block) width() int { return b.columns + 2 }

// row is a row with its two points of the frame; rows 1 to rows are the block's own.
func (b *block) row(r int) []float64 { return b.points[r*b.width() : (r+1)*b.width()] }

// across is the points of a row, without those of the frame at its ends.
func (b *block) across(row int) mpi.Layout {
	return mpi.From(row*b.width()+1, mpi.Strided{Count: 1, Block: b.columns, Stride: b.columns})
}

// down is the points of a column, which lie a row apart.
func (b *block) down(column int) mpi.Layout {
	return mpi.From(b.width()+column, mpi.Strided{Count: b.rows, Block: 1, Stride: b.width()})
}

// own is all but the frame.
func (b *block) own() mpi.Layout {
	return mpi.Subarray{Sizes: []int{b.rows + 2, b.width()}, Sub: []int{b.rows, b.columns}, Start: []int{1, 1}}
}

// place is where the block lies on the whole plate.
func (b *block) place(p problem) mpi.Layout {
	return mpi.Subarray{Sizes: []int{p.Rows, p.Columns}, Sub: []int{b.rows, b.columns}, Start: []int{b.top, b.left}}
}

// relax sets the points of some rows and columns to the mean of their neighbours in old, and returns the
// largest change.
func (b *block) relax(old *block, top, bottom, left, right int) (change float64) {
	for r := top; r <= bottom; r++ {
		up, mid, down, out := old.row(r-1), old.row(r), old.row(r+1), b.row(r)
		for c := left; c <= right; c++ {
			out[c] = (up[c] + down[c] + mid[c-1] + mid[c+1]) / 4
			change = max(change, math.Abs(out[c]-mid[c]))
		}
	}
	return change
}

// collect returns the plate at rank 0, and nil at the others. Every block is received where it belongs.
func collect(cart *mpi.Cart, p problem, b *block) ([]float64, error) {
	send := mpi.IsendLayout(cart.Comm, b.points, b.own(), 0, 0)
	if cart.Rank() != 0 {
		_, err := send.Wait()
		return nil, err
	}
	plate := make([]float64, p.Rows*p.Columns)
	for rank := range cart.Size() {
		from, err := newBlock(cart, p, rank)
		if err != nil {
			return nil, err
		}
		if _, err := mpi.RecvLayout(cart.Comm, plate, from.place(p), rank, 0); err != nil {
			return nil, err
		}
	}
	_, err := send.Wait()
	return plate, err
}
