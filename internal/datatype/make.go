package datatype

// Contiguous is n items next to each other.
func Contiguous(n int, l *Layout) (*Layout, error) { return HVector(1, n, 0, l) }

// Vector is n blocks of so many items, which begin stride items apart.
func Vector(n, block, stride int, l *Layout) (*Layout, error) {
	var s sums
	bytes := s.mul(stride, l.Extent())
	if err := s.err(); err != nil {
		return nil, err
	}
	return HVector(n, block, bytes, l)
}

// HVector is [Vector] with the stride in bytes.
func HVector(n, block, stride int, l *Layout) (*Layout, error) {
	if n < 0 || block < 0 {
		return nil, badLayout("%d blocks of %d items", n, block)
	}
	var f frame
	extent := l.Extent()
	items := f.mul(n, block)
	f.mul(items, l.Size())
	f.mul(items, l.kinds.elements)
	if items > 0 {
		last := f.mul(block-1, extent) // of a block
		f.add(l, 0, n, stride)
		f.add(l, last, n, stride)
	}
	b, err := f.bounds()
	if err != nil {
		return nil, err
	}
	root := repeatOf(repeatOf(l.root, block, extent), n, stride)
	return made(root, l.kinds.times(items), b, l.disjoint), nil
}

// Indexed is blocks of lens[i] items each, of which the first is displs[i] items behind the beginning.
func Indexed(lens, displs []int, l *Layout) (*Layout, error) {
	return indexed(lens, displs, l.Extent(), l)
}

// HIndexed is [Indexed] with the displacements in bytes.
func HIndexed(lens, displs []int, l *Layout) (*Layout, error) { return indexed(lens, displs, 1, l) }

// IndexedBlock is [Indexed] with blocks of the same length.
func IndexedBlock(block int, displs []int, l *Layout) (*Layout, error) {
	return indexed(even(block, len(displs)), displs, l.Extent(), l)
}

// HIndexedBlock is [IndexedBlock] with the displacements in bytes.
func HIndexedBlock(block int, displs []int, l *Layout) (*Layout, error) {
	return indexed(even(block, len(displs)), displs, 1, l)
}

func even(block, n int) []int {
	lens := make([]int, n)
	for i := range lens {
		lens[i] = block
	}
	return lens
}

// indexed has its displacements in units of so many bytes.
func indexed(lens, displs []int, unit int, l *Layout) (*Layout, error) {
	if len(lens) != len(displs) {
		return nil, badLayout("%d lengths and %d displacements", len(lens), len(displs))
	}
	var f frame
	parts := make([]placed, len(lens))
	var kid *node
	length, items, extent := 0, 0, l.Extent()
	for i, n := range lens {
		if n < 0 {
			return nil, badLayout("block %d has %d items", i, n)
		}
		off := f.mul(displs[i], unit)
		items = f.sums.add(items, n)
		f.add(l, off, n, extent)
		if n != length && !f.wrapped { // most are as long as the one before
			f.mul(n, l.Size())
			kid, length = repeatOf(l.root, n, extent), n
		}
		if n > 0 {
			parts[i] = placed{off, kid}
		}
	}
	f.mul(items, l.Size())
	f.mul(items, l.kinds.elements)
	b, err := f.bounds()
	if err != nil {
		return nil, err
	}
	return made(join(parts), l.kinds.times(items), b, l.disjoint), nil
}

// Struct is blocks of lens[i] items of layout kinds[i] each, which begin displs[i] bytes behind the beginning.
func Struct(lens, displs []int, kinds []*Layout) (*Layout, error) {
	if len(lens) != len(displs) || len(lens) != len(kinds) {
		return nil, badLayout("%d lengths, %d displacements and %d layouts", len(lens), len(displs), len(kinds))
	}
	var f frame
	parts := make([]placed, len(lens))
	var all Kinds
	size, count, disjoint := 0, 0, true
	for i, n := range lens {
		if n < 0 {
			return nil, badLayout("block %d has %d items", i, n)
		}
		l := kinds[i]
		f.add(l, displs[i], n, l.Extent())
		size = f.sums.add(size, f.mul(n, l.Size()))
		count = f.sums.add(count, f.mul(n, l.kinds.elements))
		if f.wrapped {
			return nil, f.err()
		}
		parts[i] = placed{displs[i], repeatOf(l.root, n, l.Extent())}
		all = all.joined(l.kinds.times(n))
		disjoint = disjoint && (n == 0 || l.disjoint)
	}
	b, err := f.bounds()
	if err != nil {
		return nil, err
	}
	return made(join(parts), all, b, disjoint), nil
}

// Resized is the layout with another beginning and another distance from one item to the next. Whatever it becomes
// part of begins and ends where such parts do.
func Resized(l *Layout, lb, extent int) (*Layout, error) {
	var s sums
	c := *l
	c.bounds.lb, c.bounds.ub, c.bounds.fixed = lb, s.add(lb, extent), true
	return &c, s.err()
}

// Moved is the layout with everything, its bounds too, off bytes further on.
func Moved(l *Layout, off int) (*Layout, error) {
	var f frame
	f.add(l, off, 1, 0)
	b, err := f.bounds()
	if err != nil {
		return nil, err
	}
	return &Layout{root: l.root.shifted(off), kinds: l.kinds, bounds: b, disjoint: l.disjoint}, nil
}

// made is the layout of a tree.
func made(root *node, kinds Kinds, b bounds, disjoint bool) *Layout {
	l := &Layout{root: root, kinds: kinds, bounds: b}
	l.disjoint = root == nil || disjoint && root.apart()
	return l
}
