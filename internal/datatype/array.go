package datatype

// Order is which index of an array's elements counts fastest in memory.
type Order uint8

// The last index in C and Go, the first one in Fortran.
const (
	LastFastest Order = iota
	FirstFastest
)

// Subarray is the part of an array of sizes[d] items in dimension d that has subs[d] of them, from starts[d] on. Its items
// are as far apart as whole arrays.
func Subarray(sizes, subs, starts []int, order Order, l *Layout) (*Layout, error) {
	if len(sizes) == 0 || len(sizes) != len(subs) || len(sizes) != len(starts) {
		return nil, badLayout("%d sizes, %d lengths and %d starts", len(sizes), len(subs), len(starts))
	}
	var err error
	for i := range sizes {
		d := dimension(i, len(sizes), order)
		size, sub, start := sizes[d], subs[d], starts[d]
		if size < 1 || sub < 0 || start < 0 || sub > size || start > size-sub {
			return nil, badLayout("items %d to %d of %d in dimension %d", start, start+sub, size, d)
		}
		if l, err = slab(l, size, start, sub, sub, 0); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// dimension is the one that counts i-th fastest.
func dimension(i, of int, order Order) int {
	if order == FirstFastest {
		return i
	}
	return of - 1 - i
}

// slab is blocks of items, of those that there are of a dimension of the given size: from start on, each block of
// them, stride apart (0: there is one), and the last one perhaps shorter, n items in all.
func slab(l *Layout, size, start, block, n, stride int) (*Layout, error) {
	var s sums
	extent := l.Extent()
	whole, step, off := s.mul(size, extent), s.mul(stride, extent), s.mul(start, extent)
	if err := s.err(); err != nil {
		return nil, err
	}
	blocks, rest := 0, 0
	if n > 0 {
		blocks, rest = n/block, n%block
	}
	full, err := HVector(blocks, block, step, l)
	if err != nil {
		return nil, err
	}
	part, err := Contiguous(rest, l)
	if err != nil {
		return nil, err
	}
	at := s.add(off, s.mul(blocks, step))
	if err := s.err(); err != nil {
		return nil, err
	}
	all, err := Struct([]int{1, 1}, []int{off, at}, []*Layout{full, part})
	if err != nil {
		return nil, err
	}
	return Resized(all, 0, whole)
}

// Distribution is how a dimension of an array is dealt to processes.
type Distribution uint8

// Whole blocks, blocks in turn, or not at all.
const (
	Block Distribution = iota
	Cyclic
	Whole
)

// Dealt is how one dimension of an array is dealt: Size items, in blocks of Block items (0: as Way has it by default), to
// Procs processes in a row.
type Dealt struct {
	Size, Block, Procs int
	Way                Distribution
}

// Darray is the part of an array that is a process's own: of that with this rank, in a grid in which the last index of
// processes counts fastest whatever the order of the array. Its items are as far apart as whole arrays.
func Darray(rank int, dims []Dealt, order Order, l *Layout) (*Layout, error) {
	at := make([]int, len(dims)) // where the process is in the grid
	left := rank
	for d := len(dims) - 1; d >= 0; d-- {
		if dims[d].Procs < 1 {
			return nil, badLayout("%d processes in dimension %d", dims[d].Procs, d)
		}
		at[d], left = left%dims[d].Procs, left/dims[d].Procs
	}
	if len(dims) == 0 || rank < 0 || left != 0 {
		return nil, badLayout("rank %d in a grid of %d dimensions", rank, len(dims))
	}
	for i := range dims {
		d := dimension(i, len(dims), order)
		block, err := dims[d].block(d)
		if err != nil {
			return nil, err
		}
		stride := block * dims[d].Procs
		if block != 0 && stride/block != dims[d].Procs {
			return nil, errTooLong
		}
		start := at[d] * block
		if l, err = slab(l, dims[d].Size, min(start, dims[d].Size), block, owned(dims[d].Size, start, block, stride), stride); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// owned is how many of size items belong to whoever has the blocks from start on.
func owned(size, start, block, stride int) int {
	if start >= size {
		return 0
	}
	rounds := (size - start) / stride
	return rounds*block + min(block, size-start-rounds*stride)
}

// block is how long blocks of dimension number i are.
func (d *Dealt) block(i int) (int, error) {
	if d.Size < 1 || d.Block < 0 {
		return 0, badLayout("%d items in blocks of %d in dimension %d", d.Size, d.Block, i)
	}
	even := (d.Size-1)/d.Procs + 1
	switch {
	case d.Way == Whole && d.Procs == 1:
		return d.Size, nil
	case d.Way == Cyclic:
		return max(d.Block, 1), nil
	case d.Way == Block && d.Block == 0:
		return even, nil
	case d.Way == Block && d.Block >= even:
		return d.Block, nil
	}
	return 0, badLayout("dimension %d: %d processes cannot deal %d items in blocks of %d", i, d.Procs, d.Size, d.Block)
}
