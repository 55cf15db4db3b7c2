package datatype

import "unsafe"

// Shape is items of a layout in memory: a buffer whose bytes need not lie next to each other. It owns nothing:
// whoever made it keeps the memory alive, and says who may read or write it when.
type Shape struct {
	mem    unsafe.Pointer // where the first item is placed
	count  int
	layout *Layout
}

// At is count items of a layout of which the first is placed at mem. The caller answers for the memory from
// Span's first byte to its last. mem may be nil if displacements are addresses.
func At(mem unsafe.Pointer, count int, l *Layout) (Shape, error) {
	if _, _, err := Span(count, l); err != nil {
		return Shape{}, err
	}
	return Shape{mem, count, l}, nil
}

// In is count items of a layout of which the first is placed at byte off of buf. All of their bytes must lie there.
func In(buf []byte, off, count int, l *Layout) (Shape, error) {
	lo, hi, err := Span(count, l)
	if err != nil {
		return Shape{}, err
	}
	if count == 0 || l.root == nil {
		return Shape{unsafe.Pointer(unsafe.SliceData(buf)), 0, l}, nil
	}
	var s sums
	if lo, hi = s.add(lo, off), s.add(hi, off); s.wrapped || lo < 0 || hi > len(buf) {
		return Shape{}, badLayout("it names bytes %d to %d of a buffer of %d", lo, hi, len(buf))
	}
	if off != 0 { // the layout moves, not the pointer: that must stay within the buffer
		if l, err = Moved(l, off); err != nil {
			return Shape{}, err
		}
	}
	return Shape{unsafe.Pointer(unsafe.SliceData(buf)), count, l}, nil
}

// Span is from which byte to behind which other one count items lie, from where the first is placed.
func Span(count int, l *Layout) (lo, hi int, err error) {
	if count < 0 {
		return 0, 0, badLayout("%d items", count)
	}
	var f frame
	f.mul(count, l.Size())
	f.add(l, 0, count, l.Extent())
	b, err := f.bounds()
	return b.trueLB, b.trueUB, err
}

// Len is how many bytes the items have when they are packed.
func (s Shape) Len() int {
	if s.layout == nil {
		return 0
	}
	return s.count * s.layout.Size()
}

// Layout is that of an item.
func (s Shape) Layout() *Layout { return s.layout }

// Plain returns the memory of the items if it is one run of bytes.
func (s Shape) Plain() ([]byte, bool) {
	if s.Len() == 0 {
		return nil, true
	}
	n := s.whole()
	if n.form != run {
		return nil, false
	}
	return unsafe.Slice((*byte)(unsafe.Add(s.mem, n.off)), n.size), true
}

// whole is the tree of all items. It stays on the caller's stack.
func (s *Shape) whole() node { return repeated(s.layout.root, s.count, s.layout.Extent()) }

// Pack copies packed bytes from at on to dst, and returns how many: all there are, or as many as fit.
func (s Shape) Pack(dst []byte, at int) int {
	return s.move(dst, at, false)
}

// Unpack copies src to where the packed bytes from at on belong, and returns how many bytes that were: all, or
// as many as belong anywhere. Of bytes that belong to the same place, the last ones stay.
func (s Shape) Unpack(src []byte, at int) int {
	return s.move(src, at, true)
}

func (s Shape) move(packed []byte, at int, out bool) int {
	n := min(len(packed), s.Len()-at)
	if n <= 0 {
		return 0
	}
	whole := s.whole()
	m := mover{packed: unsafe.Pointer(unsafe.SliceData(packed)), mem: s.mem, out: out}
	m.move(&whole, 0, 0, at, at+n)
	return n
}

// Blocks calls yield with the runs of bytes that hold the packed bytes from at on, in their order, until it answers
// false.
func (s Shape) Blocks(at int, yield func(b []byte) bool) {
	if s.Len() <= at {
		return
	}
	n := s.whole()
	n.each(0, at, n.size, func(off, size int) bool {
		return yield(unsafe.Slice((*byte)(unsafe.Add(s.mem, off)), size))
	})
}

// Runs calls yield with where the runs of bytes of an item lie, in their order when packed, until it answers false.
func (l *Layout) Runs(yield func(off, size int) bool) {
	if l.root != nil {
		l.root.each(0, 0, l.root.size, yield)
	}
}

// each calls yield with the runs of bytes from..to of the node, which is placed at disp.
func (n *node) each(disp, from, to int, yield func(off, size int) bool) bool {
	disp += n.off
	if n.form == run {
		return yield(disp+from, to-from)
	}
	for i := n.part(from); from < to; i++ {
		first := n.start(i)
		end := min(to, n.start(i+1))
		off, ok := disp, false
		switch n.form {
		case repeat:
			ok = n.kid.each(off+i*n.stride, from-first, end-first, yield)
		case runs:
			ok = yield(off+n.offs[i]+from-first, end-from)
		default:
			ok = n.kids[i].each(off+n.offs[i], from-first, end-first, yield)
		}
		if !ok {
			return false
		}
		from = end
	}
	return true
}
