package progress

import (
	"testing"
	"unsafe"

	"github.com/weft-mpi/weft/internal/plan"
)

// The parts of a block do not overlap, and what different ranks write is not in one line, that of slips not
// in one pair of lines.
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

// A rank that looks back at a call while another writes over what it has said of it, as it makes one
// 64 calls later, finds no difference where there is none, and names no more than it knows where there is one.
func TestSayingOver(t *testing.T) {
	ours := Terms{Op: 3, Choice: 5, Kind: 7, Long: 1000, Root: 2, Number: 9, Bytes: 800}
	later := Terms{Op: 4, Choice: 6, Kind: 8, Long: 2000, Root: 3, Number: 9 + slots, Bytes: 16}
	other := ours
	other.Long, other.Bytes = 1001, 808
	for _, c := range []struct {
		theirs  Terms
		written int // words of the later call
		found   bool
		want    Terms
		known   bool
	}{
		{theirs: ours, written: 0},
		{theirs: ours, written: 1},
		{theirs: ours, written: 2},
		{theirs: ours, written: 3},
		{theirs: ours, written: 4},
		{theirs: other, written: 0, found: true, want: other, known: true},
		{theirs: other, written: 1, found: true, want: Terms{Op: 3, Choice: 5, Long: 1001, Number: 9}},
		{theirs: other, written: 2, found: true, want: Terms{Op: 3, Choice: 5, Long: 1001, Number: 9}},
		{theirs: other, written: 3, found: true, want: Terms{Op: 3, Choice: 5, Long: 1001, Number: 9}},
		{theirs: other, written: 4},
	} {
		n := &Commons{procs: []int{10, 11}}
		n.enterBlock(aligned(n.layout().size))
		n.block.say(0, &ours, true)
		n.block.say(1, &c.theirs, true)
		last := *(*[saidLen/8 - 1]uint64)(unsafe.Pointer(&later))
		at := n.block.said(1, later.Number)
		copy(at[1:], last[:min(c.written, len(last))])
		if c.written > len(last) {
			at[0] = later.brand()
		}
		var d Dispute
		switch found := n.saidOtherwise(ours.Number, &d); {
		case found != c.found:
			t.Errorf("%d words of the later call are there: found %v, want %v", c.written, found, c.found)
		case found && (d.Proc != 11 || *d.Ours != ours || *d.Theirs != c.want || d.Known != c.known):
			t.Errorf("%d words of the later call are there: %+v, theirs %+v", c.written, d, d.Theirs)
		}
	}
}
