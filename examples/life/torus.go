package main

import "github.com/weft-mpi/weft/mpi"

// torus is the ranks as a grid whose edges meet: above the first row is the last one, left of the
// first column the last one. It is all that the program knows about who is next to whom.
type torus struct {
	comm          *mpi.Comm
	rows, columns int // of ranks
	row, column   int // this rank's place
}

// newTorus makes the grid as square as the number of ranks allows.
func newTorus(comm *mpi.Comm) *torus {
	t := &torus{comm: comm, rows: 1}
	for d := 2; d*d <= comm.Size(); d++ {
		if comm.Size()%d == 0 {
			t.rows = d
		}
	}
	t.columns = comm.Size() / t.rows
	t.row, t.column = t.place(comm.Rank())
	return t
}

// place is where a rank is.
func (t *torus) place(rank int) (row, column int) { return rank / t.columns, rank % t.columns }

// shift returns the neighbours of this rank in one direction: who sends to it and to whom it sends,
// if all ranks send that many rows down and columns to the right. Negative numbers mean up and to
// the left.
func (t *torus) shift(down, right int) (from, to int) {
	return t.rank(t.row-down, t.column-right), t.rank(t.row+down, t.column+right)
}

// rank is who is at a place, which may be beyond an edge.
func (t *torus) rank(row, column int) int {
	row, column = (row+t.rows)%t.rows, (column+t.columns)%t.columns
	return row*t.columns + column
}
