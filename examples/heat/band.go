package main

import (
	"math"

	"github.com/weft-mpi/weft/mpi"
)

// hot is the temperature of the upper edge; the other edges have 0.
const hot = 100

// band is one rank's rows of the plate. Row 0 and row rows+1 are the halo: the neighbours' rows, or the edge of the
// plate. Column 0 and the last column are the edge.
type band struct {
	rows, width  int // own rows; points in a row, with both edges
	above, below int // neighbour ranks, ProcNull at the edge of the plate
	points       []float64
}

// newBand makes this rank's share of a plate of size x size points. The first ranks get one row more if the rows do
// not divide evenly.
func newBand(world *mpi.Comm, size int) *band {
	b := &band{rows: share(size, world.Rank(), world.Size()), width: size + 2, above: world.Rank() - 1, below: world.Rank() + 1}
	b.points = make([]float64, (b.rows+2)*b.width)
	if b.above < 0 {
		b.above = mpi.ProcNull
		for i := range b.row(0) {
			b.row(0)[i] = hot
		}
	}
	if b.below == world.Size() {
		b.below = mpi.ProcNull
	}
	return b
}

// share is how many of n rows a rank owns.
func share(n, rank, ranks int) int {
	if rank < n%ranks {
		return n/ranks + 1
	}
	return n / ranks
}

// row is one row with its edge points.
func (b *band) row(r int) []float64 { return b.points[r*b.width : (r+1)*b.width] }

// relax sets row r to the mean of the neighbours in old and returns the largest change.
func (b *band) relax(old *band, r int) (change float64) {
	up, mid, down, out := old.row(r-1), old.row(r), old.row(r+1), b.row(r)
	for i := 1; i < b.width-1; i++ {
		out[i] = (up[i] + down[i] + mid[i-1] + mid[i+1]) / 4
		change = max(change, math.Abs(out[i]-mid[i]))
	}
	return change
}

// gather collects all bands at rank 0, rows with their edge points, without the upper and lower edge.
func (b *band) gather(world *mpi.Comm) ([]float64, error) {
	own := b.points[b.width : (b.rows+1)*b.width]
	if world.Rank() != 0 {
		return nil, mpi.Gatherv(world, own, nil, nil, nil, 0)
	}
	size := b.width - 2
	counts := make([]int, world.Size())
	for r := range counts {
		counts[r] = share(size, r, world.Size()) * b.width
	}
	plate := make([]float64, size*b.width)
	return plate, mpi.Gatherv(world, own, plate, counts, nil, 0)
}
