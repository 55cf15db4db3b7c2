package datatype

// Layout says where in memory the elements of one item lie, and of which kinds they are: a number, a column
// of a matrix, some fields of a struct. It is made once, never changes, and may be used by any number of
// goroutines. Displacements count bytes from where the item is placed; they may be negative.
//
// Packed, an item is its elements one after the other without gaps, in the order in which they were named.
// Several items lie Extent bytes apart. Elements that lie together are copied together, however they were
// named: a layout without gaps is a run of bytes (see [Layout.Plain]).
type Layout struct {
	root     *node // nil: no bytes
	kinds    Kinds
	bounds   bounds
	disjoint bool // no byte is named twice, as far as is known
}

// bounds are where a layout begins and ends.
type bounds struct {
	lb, ub         int  // items are ub-lb apart
	fixed          bool // these were set, by Resized, and count for what the layout becomes part of
	any            bool // there is an element
	trueLB, trueUB int  // first byte of an element, and behind the last
	align          int  // largest alignment of an element
}

// Elements is n elements of a kind next to each other; n must not be negative. A kind without a size has none.
func Elements(k Kind, n int) (*Layout, error) {
	return elements(k, n, k.Size(), alignOf(k))
}

// Opaque is n bytes of no kind that have to be aligned, in structs, to align bytes.
func Opaque(n, align int) (*Layout, error) { return elements(Invalid, n, 1, max(align, 1)) }

func alignOf(k Kind) int {
	switch k {
	case Complex64, Complex128: // pairs of numbers
		return k.Size() / 2
	}
	return max(k.Size(), 1)
}

func elements(k Kind, n, size, align int) (*Layout, error) {
	var s sums
	bytes := s.mul(n, size)
	if n < 0 {
		return nil, badLayout("%d elements", n)
	}
	if s.wrapped {
		return nil, s.err()
	}
	l := &Layout{kinds: kindsOf(k, n), disjoint: true}
	l.bounds.align = align
	if bytes > 0 {
		l.root = &node{form: run, size: bytes}
		l.bounds.any, l.bounds.trueUB, l.bounds.ub = true, bytes, bytes
	}
	return l, nil
}

// Size is how many bytes an item has when it is packed.
func (l *Layout) Size() int {
	if l.root == nil {
		return 0
	}
	return l.root.size
}

// LB is where an item begins, as was set by Resized, or at its first byte.
func (l *Layout) LB() int { return l.bounds.lb }

// Extent is how many bytes there are from one item to the next. It may be negative.
func (l *Layout) Extent() int { return l.bounds.ub - l.bounds.lb }

// UB is where an item ends: LB and Extent.
func (l *Layout) UB() int { return l.bounds.ub }

// TrueLB is where the first byte of an item lies, whatever was set by Resized.
func (l *Layout) TrueLB() int { return l.bounds.trueLB }

// TrueExtent is how many bytes there are from the first byte of an item to its last one.
func (l *Layout) TrueExtent() int { return l.bounds.trueUB - l.bounds.trueLB }

// Kinds says of which kinds the elements are.
func (l *Layout) Kinds() Kinds { return l.kinds }

// Count is how many whole items and whole elements the first bytes of packed items hold, and how many bytes are
// left over behind the last whole element.
func (l *Layout) Count(bytes int) (items, elements, rest int) {
	size := l.Size()
	if size == 0 {
		return 0, 0, bytes
	}
	items = bytes / size
	more, rest := l.kinds.within(bytes % size)
	return items, items*l.kinds.elements + more, rest
}

// Plain tells whether items next to each other are a run of bytes that begins where the first item is placed.
func (l *Layout) Plain() bool {
	return l.root == nil || l.root.form == run && l.root.off == 0 && l.bounds.lb == 0 && l.bounds.ub == l.root.size
}

// Blocks is in how many runs of bytes an item lies, as they are copied.
func (l *Layout) Blocks() int { return l.root.blocks() }

func (n *node) blocks() (all int) {
	switch {
	case n == nil:
	case n.form == run:
		return 1
	case n.form == repeat:
		return n.n * n.kid.blocks()
	case n.form == runs:
		return len(n.offs)
	default:
		for _, k := range n.kids {
			all += k.blocks()
		}
	}
	return all
}

// frame collects the bounds of what a layout is made of.
type frame struct {
	sums
	b bounds
}

// add notes n items of a layout, stride bytes apart, of which the first is at off.
func (f *frame) add(l *Layout, off, n, stride int) {
	if n == 0 || !l.bounds.any && !l.bounds.fixed {
		return
	}
	lo, hi := off, f.sums.add(off, f.mul(n-1, stride))
	if hi < lo {
		lo, hi = hi, lo
	}
	b, o := &f.b, &l.bounds
	b.align = max(b.align, o.align)
	if o.fixed {
		lb, ub := f.sums.add(lo, o.lb), f.sums.add(hi, o.ub)
		if !b.fixed {
			b.lb, b.ub, b.fixed = lb, ub, true
		}
		b.lb, b.ub = min(b.lb, lb), max(b.ub, ub)
	}
	if o.any {
		lb, ub := f.sums.add(lo, o.trueLB), f.sums.add(hi, o.trueUB)
		if !b.any {
			b.trueLB, b.trueUB, b.any = lb, ub, true
		}
		b.trueLB, b.trueUB = min(b.trueLB, lb), max(b.trueUB, ub)
	}
}

// bounds are those of the whole. Unless somebody has set them, the end is rounded up so that items that follow each
// other are aligned as the first is.
func (f *frame) bounds() (bounds, error) {
	b := f.b
	f.sums.add(b.trueUB, -b.trueLB)
	if !b.fixed {
		b.lb, b.ub = b.trueLB, b.trueUB
		if over := (b.ub - b.lb) % max(b.align, 1); over != 0 {
			b.ub = f.sums.add(b.ub, b.align-over)
		}
	}
	f.sums.add(b.ub, -b.lb)
	return b, f.err()
}
