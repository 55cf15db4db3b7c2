package main

import "github.com/weft-mpi/weft/mpi"

// block is one rank's cells, with a frame of one cell around them for the halo. A cell is 1 if it
// lives, else 0.
type block struct {
	top, left     int // place of its first cell on the whole torus
	height, width int // without the frame
	cells         []byte
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

// Tags of halo messages, by the way they travel.
const (
	tagRight = iota
	tagLeft
	tagDown
	tagUp
)

// exchange fills the frame with the neighbours' cells.
func (b *block) exchange(t *torus) error {
	for _, m := range []struct{ way, out, in, tag int }{
		{1, b.width, 0, tagRight},     // our last column is the frame left of the next block
		{-1, 1, b.width + 1, tagLeft}, // our first column is the frame right of the one before
	} {
		from, to, err := t.Shift(right, m.way)
		if err != nil {
			return err
		}
		column := make([]byte, b.height)
		if _, err := mpi.Sendrecv(t.Comm, b.column(m.out), to, m.tag, column, from, m.tag); err != nil {
			return err
		}
		b.setColumn(m.in, column)
	}
	for _, m := range []struct{ way, out, in, tag int }{
		{1, b.height, 0, tagDown},
		{-1, 1, b.height + 1, tagUp},
	} {
		from, to, err := t.Shift(down, m.way)
		if err != nil {
			return err
		}
		if _, err := mpi.Sendrecv(t.Comm, b.row(m.out), to, m.tag, b.row(m.in), from, m.tag); err != nil {
			return err
		}
	}
	return nil
}

// column packs a column of the block's own rows: its cells do not lie next to each other.
func (b *block) column(j int) []byte {
	packed := make([]byte, b.height)
	for i := range packed {
		packed[i] = b.row(i + 1)[j]
	}
	return packed
}

// setColumn unpacks one.
func (b *block) setColumn(j int, packed []byte) {
	for i, cell := range packed {
		b.row(i + 1)[j] = cell
	}
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
