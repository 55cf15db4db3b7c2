package main

import "github.com/weft-mpi/weft/mpi"

// block is one rank's cells, with a frame of one cell around them for the halo. A cell is 1 if it
// lives, else 0.
type block struct {
	top, left     int // place of its first cell on the whole torus
	height, width int // without the frame
	cells         []byte
	edges, frame  []mpi.Layout // what goes to the neighbours, and where comes what they send
}

// newBlock makes this rank's block of a torus of rows x columns cells.
func newBlock(t *torus, rows, columns int) *block {
	return blockAt(t, t.row, t.column, rows, columns)
}

func blockAt(t *torus, row, column, rows, columns int) *block {
	b := &block{top: row * rows / t.rows, left: column * columns / t.columns}
	b.height = (row+1)*rows/t.rows - b.top
	b.width = (column+1)*columns/t.columns - b.left
	b.cells = make([]byte, (b.height+2)*(b.width+2))
	b.lay()
	return b
}

// row is a row with its two cells of the frame; rows 1 to height are the block's own.
func (b *block) row(i int) []byte { return b.cells[i*(b.width+2) : (i+1)*(b.width+2)] }

// sow sets the first generation, by the place on the whole torus: it does not depend on the number
// of ranks.
func (b *block) sow() {
	for i := range b.height {
		row := b.row(i + 1)[1:]
		for j := range b.width {
			place := uint32(b.top+i)<<16 + uint32(b.left+j)
			if (place*2654435761)>>24%3 == 0 { // scatters well enough for a game
				row[j] = 1
			}
		}
	}
}

// exchange fills the frame with the neighbours' cells: an edge or a corner of each, where it lies,
// without a copy of a column.
func (b *block) exchange(t *torus) error {
	return mpi.NeighborAlltoallLayout(t.around.Comm, b.cells, b.edges, b.cells, b.frame)
}

// part is the cells that rows from top on and columns from left on are.
func (b *block) part(top, height, left, width int) mpi.Layout {
	return mpi.Subarray{Sizes: []int{b.height + 2, b.width + 2}, Sub: []int{height, width}, Start: []int{top, left}}
}

// lay says what goes to each neighbour and where comes what each sends: a neighbour in one direction
// gets the edge on that side, and what the one in the opposite direction sends belongs to the frame over
// there.
func (b *block) lay() {
	for _, d := range directions {
		top, height := edge(d[0], b.height)
		left, width := edge(d[1], b.width)
		b.edges = append(b.edges, b.part(top, height, left, width))
		top, height = frame(-d[0], b.height)
		left, width = frame(-d[1], b.width)
		b.frame = append(b.frame, b.part(top, height, left, width))
	}
}

// edge is which of n rows or columns lie on a side: the first, all, or the last.
func edge(side, n int) (first, count int) {
	switch side {
	case -1:
		return 1, 1
	case 1:
		return n, 1
	}
	return 1, n
}

// frame is where the frame beyond them is.
func frame(side, n int) (first, count int) {
	first, count = edge(side, n)
	return first + side, count
}

// follow makes b the generation after old, whose frame is filled.
func (b *block) follow(old *block) {
	for i := 1; i <= b.height; i++ {
		up, mid, down, out := old.row(i-1), old.row(i), old.row(i+1), b.row(i)
		for j := 1; j <= b.width; j++ {
			around := up[j-1] + up[j] + up[j+1] + mid[j-1] + mid[j+1] + down[j-1] + down[j] + down[j+1]
			out[j] = 0
			if around == 3 || around == 2 && mid[j] == 1 {
				out[j] = 1
			}
		}
	}
}

// living counts the block's own living cells.
func (b *block) living() (n int) {
	for _, cell := range b.packed() {
		n += int(cell)
	}
	return n
}

// packed is the block's own cells, row after row, without the frame.
func (b *block) packed() []byte {
	cells := make([]byte, 0, b.height*b.width)
	for i := range b.height {
		cells = append(cells, b.row(i + 1)[1:b.width+1]...)
	}
	return cells
}

// collect returns all cells at rank 0, and nil at the others.
func (b *block) collect(t *torus, rows, columns int) ([]byte, error) {
	if t.Rank() != 0 {
		return nil, mpi.Gatherv(t.Comm, b.packed(), nil, nil, nil, 0)
	}
	counts := make([]int, t.Size())
	blocks := make([]*block, t.Size())
	for r := range counts {
		row, column, err := t.place(r)
		if err != nil {
			return nil, err
		}
		blocks[r] = blockAt(t, row, column, rows, columns)
		counts[r] = blocks[r].height * blocks[r].width
	}
	packed := make([]byte, rows*columns)
	if err := mpi.Gatherv(t.Comm, b.packed(), packed, counts, nil, 0); err != nil {
		return nil, err
	}
	cells := make([]byte, rows*columns)
	for _, from := range blocks {
		for i := range from.height {
			copy(cells[(from.top+i)*columns+from.left:], packed[:from.width])
			packed = packed[from.width:]
		}
	}
	return cells, nil
}
