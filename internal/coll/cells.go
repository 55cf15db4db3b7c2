package coll

import (
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
)

// cells are how ranks of a node pass each other blocks of which only the two at
// the ends know the length: there is a place of fixed length from a sender to
// every other rank, and what does not fit there goes as a message. Both ends
// know which way a block takes; where there is no block, nobody waits.
type cells struct {
	r     *room
	rows  slots // by number of the sender on the node, unless there is one sender only
	one   bool
	width int // of a cell
	flag  int // tells that a sender has filled its cells
}

// cells asks for cells from every rank of the node to all others, or from one
// rank only. Of two ranks, each has its cell beside its flag.
func (r *room) cells(one bool) cells {
	others := len(r.ranks) - 1
	if others == 1 {
		return cells{r: r, rows: r.each(plan.SlipRoom), width: plan.SlipRoom, flag: r.flags(1)}
	}
	senders := len(r.ranks)
	if one {
		senders = 1
	}
	row := cellsOf(senders, others)
	return cells{r: r, rows: r.slots(senders, []int{0, row}), one: one, width: row / others &^ 7, flag: r.flags(1)}
}

// cellsOf is how many bytes the cells of a sender have: of short memory, which is
// used again before all have left it, unless that is little for so many ranks.
func cellsOf(senders, others int) int {
	if row := plan.ShortNode / senders &^ (line - 1); row >= others*line {
		return row
	}
	return NodeMax / senders &^ (line - 1)
}

// take reports whether there are n bytes for a cell to or from a rank.
func (k *cells) take(rank, n int) bool {
	return 0 < n && n <= k.width && slices.Contains(k.r.ranks, rank)
}

// at returns where n bytes from one rank of the node to another stand, by their
// numbers on the node. They end at the end of the cell, where the flag may be.
func (k *cells) at(from, to, n int) plan.Span {
	row := from
	if k.one {
		row = 0
	}
	if to > from {
		to--
	}
	return k.rows.at(row, 0).Sub(to*k.width, k.width).Sub((k.width-n)&^7, n)
}

// fill puts what this rank has for others into its cells and raises the flag:
// the block for a rank, after a step.
func (k *cells) fill(block func(rank int) (plan.Span, int)) {
	var filled []int
	for i, rank := range k.r.ranks {
		if i == k.r.me {
			continue
		}
		if src, after := block(rank); k.take(rank, src.Len) {
			filled = append(filled, k.r.b.Copy(k.at(k.r.me, i, src.Len), src, after))
		}
	}
	if len(filled) > 0 {
		k.r.b.Set(k.flag, filled...)
	}
}

// takeOut copies what a rank has put into the cell for this one to dst, after
// deps.
func (k *cells) takeOut(from int, dst plan.Span, deps ...int) {
	b := k.r.b
	b.Copy(dst, k.at(slices.Index(k.r.ranks, from), k.r.me, dst.Len), append(deps, b.Await(from, k.flag))...)
}

// cellsFit reports that nodes have memory and one of them several ranks, with
// cells of a line at least.
func cellsFit(c Case) bool {
	most := c.MostLocal()
	return c.Shares && most > 1 && most*(most-1)*line <= NodeMax
}
