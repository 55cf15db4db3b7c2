package datatype

import (
	"cmp"
	"slices"
)

// mostSought is among how many runs overlaps are looked for where the form of a layout does not rule them out.
const mostSought = 1 << 16

// Overlaps tells that the items name a byte twice, which nothing may be received into: the standard says so, since
// nobody could say what stays there. Layouts of very many blocks that lie criss-cross get the benefit of the doubt.
func (s Shape) Overlaps() bool {
	switch {
	case s.Len() == 0:
		return false
	case !s.layout.disjoint:
		return true
	case s.count == 1:
		return false
	}
	n := s.whole()
	return !n.apart()
}

// Common finds two of several shapes that name the same byte, of which each names none twice. As in Overlaps, very
// many blocks that lie criss-cross get the benefit of the doubt.
func Common(shapes []Shape) (i, j int, found bool) {
	type span struct {
		lo, hi uintptr
		of     int
	}
	byPlace := func(a, b span) int { return cmp.Compare(a.lo, b.lo) }
	meet := func(all []span) (i, j int, found bool) {
		slices.SortFunc(all, byPlace)
		last := 0
		for k := 1; k < len(all); k++ {
			if all[k].lo < all[last].hi && all[k].of != all[last].of {
				return min(all[k].of, all[last].of), max(all[k].of, all[last].of), true
			}
			if all[k].hi > all[last].hi {
				last = k
			}
		}
		return 0, 0, false
	}
	var whole, blocks []span
	count := 0
	for i, s := range shapes {
		if s.Len() == 0 {
			continue
		}
		n := s.whole()
		lo, hi := n.span(0)
		whole = append(whole, span{uintptr(s.mem) + uintptr(lo), uintptr(s.mem) + uintptr(hi), i})
		count += n.blocks()
	}
	if _, _, may := meet(whole); !may || count > mostSought {
		return 0, 0, false
	}
	for i, s := range shapes {
		if s.Len() == 0 {
			continue
		}
		n := s.whole()
		n.each(0, 0, n.size, func(off, size int) bool {
			at := uintptr(s.mem) + uintptr(off)
			blocks = append(blocks, span{at, at + uintptr(size), i})
			return true
		})
	}
	return meet(blocks)
}

// apart tells whether no byte is named twice, as far as is known.
func (n *node) apart() bool {
	if n == nil || n.ordered() {
		return true
	}
	if n.blocks() > mostSought && n.form != runs {
		return true
	}
	all := make([][2]int, 0, n.blocks())
	n.each(0, 0, n.size, func(off, size int) bool {
		all = append(all, [2]int{off, off + size})
		return true
	})
	slices.SortFunc(all, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	for i := 1; i < len(all); i++ {
		if all[i][0] < all[i-1][1] {
			return false
		}
	}
	return true
}

// ordered tells that the form alone shows that no byte is named twice.
func (n *node) ordered() bool {
	switch n.form {
	case run:
		return true
	case repeat:
		return n.nested()
	}
	end := 0
	for i, off := range n.offs {
		lo, hi := off, off+n.start(i+1)-n.start(i)
		if n.form == list {
			if lo, hi = n.kids[i].span(off); !n.kids[i].ordered() {
				return false
			}
		}
		if i > 0 && lo < end {
			return false
		}
		end = hi
	}
	return true
}

// nested tells that, of repeats within repeats, each one's stride exceeds all that those of smaller strides name.
func (n *node) nested() bool {
	type dim struct{ n, stride int }
	var room [8]dim
	dims := room[:0]
	for ; n.form == repeat; n = n.kid {
		dims = append(dims, dim{n.n, max(n.stride, -n.stride)})
	}
	if !n.ordered() {
		return false
	}
	slices.SortFunc(dims, func(a, b dim) int { return cmp.Compare(a.stride, b.stride) })
	lo, hi := n.span(0)
	span := hi - lo
	for _, d := range dims {
		if d.stride < span {
			return false
		}
		span += (d.n - 1) * d.stride
	}
	return true
}

// span is from which byte to behind which other one the node lies if it is placed at disp.
func (n *node) span(disp int) (lo, hi int) {
	disp += n.off
	switch n.form {
	case run:
		return disp, disp + n.size
	case repeat:
		lo, hi = n.kid.span(disp)
		last := (n.n - 1) * n.stride
		return lo + min(last, 0), hi + max(last, 0)
	}
	for i, off := range n.offs {
		l, h := disp+off, disp+off+n.start(i+1)-n.start(i)
		if n.form == list {
			l, h = n.kids[i].span(disp + off)
		}
		if i == 0 {
			lo, hi = l, h
		}
		lo, hi = min(lo, l), max(hi, h)
	}
	return lo, hi
}
