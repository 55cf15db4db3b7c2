package progress

import (
	"testing"

	"github.com/weft-mpi/weft/internal/plan"
)

// The parts of a block do not overlap, and what different ranks write is not in one line, that of slips not in one pair of lines.
func TestBlockParts(t *testing.T) {
	for _, ranks := range []int{1, 2, 3, 64, 65, 600} {
		c := &Commons{procs: make([]int, ranks)}
		c.enterBlock(aligned(c.layout().size))
		b := &c.block
		for i := range ranks {
			if at := b.rankAt(i); at%line != 0 || b.failure(i, slots-1)+8 > at+sleepAt || b.flags < sleepAt+8*b.words || b.flags+slots*b.copies*line > b.rank {
				t.Errorf("%d ranks: the lines of rank %d overlap", ranks, i)
			}
		}
		if b.slips%plan.SlipLen != 0 || b.slips < b.rankAt(ranks) || b.shelf < b.slips+slots*ranks*plan.SlipLen {
			t.Errorf("%d ranks: slips at %d, shelves at %d, ranks end at %d", ranks, b.slips, b.shelf, b.rankAt(ranks))
		}
	}
}
