package datatype

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// typemap is a layout as the standard defines it: a list of elements and where they lie.
type typemap struct {
	entries []entry
	fixed   bool
	lo, hi  int // if fixed
}

type entry struct {
	off  int
	kind Kind
}

func (m *typemap) bounds() (lb, ub, trueLB, trueUB int) {
	if len(m.entries) == 0 {
		return m.lo, m.hi, 0, 0
	}
	trueLB, trueUB = math.MaxInt, math.MinInt
	align := 1
	for _, e := range m.entries {
		trueLB, trueUB = min(trueLB, e.off), max(trueUB, e.off+e.kind.Size())
		align = max(align, alignOf(e.kind))
	}
	if m.fixed {
		return m.lo, m.hi, trueLB, trueUB
	}
	ub = trueUB
	for (ub-trueLB)%align != 0 {
		ub++
	}
	return trueLB, ub, trueLB, trueUB
}

func (m *typemap) extent() int {
	lb, ub, _, _ := m.bounds()
	return ub - lb
}

// place adds another map's elements, off bytes further on.
func (m *typemap) place(o *typemap, off int) {
	for _, e := range o.entries {
		m.entries = append(m.entries, entry{e.off + off, e.kind})
	}
	if !o.fixed {
		return
	}
	if !m.fixed {
		m.fixed, m.lo, m.hi = true, o.lo+off, o.hi+off
	}
	m.lo, m.hi = min(m.lo, o.lo+off), max(m.hi, o.hi+off)
}

// blocks places n items one after the other.
func (m *typemap) blocks(o *typemap, off, n int) {
	for i := range n {
		m.place(o, off+i*o.extent())
	}
}

// packed lists where each packed byte of count items lies.
func (m *typemap) packed(count int) (offs []int) {
	for i := range count {
		for _, e := range m.entries {
			for b := range e.kind.Size() {
				offs = append(offs, i*m.extent()+e.off+b)
			}
		}
	}
	return offs
}

// mostEntries keeps random layouts small.
const mostEntries = 300

// drawLayout makes a random layout and its twin.
func drawLayout(t *rapid.T, depth int) (*Layout, *typemap) {
	if depth == 0 || rapid.IntRange(0, 5).Draw(t, "leaf") == 0 {
		k := rapid.SampledFrom([]Kind{Int8, Int16, Int32, Float64, Complex128, Complex64}).Draw(t, "kind")
		l, err := Elements(k, 1)
		must(t, err)
		return l, &typemap{entries: []entry{{0, k}}}
	}
	kid, model := drawLayout(t, depth-1)
	few := rapid.IntRange(0, 4)
	disp := rapid.IntRange(-40, 40)
	n, m := few.Draw(t, "n"), &typemap{}
	if len(model.entries)*n*4 > mostEntries {
		n = 1
	}
	displs := rapid.SliceOfN(disp, n, n).Draw(t, "displs")
	lens := rapid.SliceOfN(few, n, n).Draw(t, "lens")
	var l *Layout
	var err error
	switch rapid.IntRange(0, 8).Draw(t, "form") {
	case 0:
		l, err = Contiguous(n, kid)
		m.blocks(model, 0, n)
	case 1:
		block, stride := few.Draw(t, "block"), disp.Draw(t, "stride")
		l, err = Vector(n, block, stride, kid)
		for i := range n {
			m.blocks(model, i*stride*model.extent(), block)
		}
	case 2:
		block, stride := few.Draw(t, "block"), disp.Draw(t, "stride")
		l, err = HVector(n, block, stride, kid)
		for i := range n {
			m.blocks(model, i*stride, block)
		}
	case 3:
		l, err = Indexed(lens, displs, kid)
		for i := range n {
			m.blocks(model, displs[i]*model.extent(), lens[i])
		}
	case 4:
		l, err = HIndexed(lens, displs, kid)
		for i := range n {
			m.blocks(model, displs[i], lens[i])
		}
	case 5:
		block := few.Draw(t, "block")
		l, err = IndexedBlock(block, displs, kid)
		for i := range n {
			m.blocks(model, displs[i]*model.extent(), block)
		}
	case 6:
		other, twin := drawLayout(t, depth-1)
		kids := make([]*Layout, n)
		for i := range n {
			of := model
			if kids[i] = kid; i%2 == 1 {
				kids[i], of = other, twin
			}
			m.blocks(of, displs[i], lens[i])
		}
		l, err = Struct(lens, displs, kids)
	case 7:
		lb, extent := disp.Draw(t, "lb"), disp.Draw(t, "extent")
		l, err = Resized(kid, lb, extent)
		*m = typemap{entries: model.entries, fixed: true, lo: lb, hi: lb + extent}
	default:
		block := few.Draw(t, "block")
		l, err = HIndexedBlock(block, displs, kid)
		for i := range n {
			m.blocks(model, displs[i], block)
		}
	}
	must(t, err)
	return l, m
}

type failer interface {
	Fatal(...any)
	Helper()
}

func must(t failer, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestLayoutsAreTheirTypeMaps compares random layouts with lists of elements: bounds, kinds, where each byte is packed,
// from any byte to any other, and whether a byte is named twice.
func TestLayoutsAreTheirTypeMaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, m := drawLayout(t, rapid.IntRange(0, 3).Draw(t, "depth"))
		compareBounds(t, l, m)
		compareKinds(t, l, m)
		count := rapid.IntRange(0, 3).Draw(t, "count")
		offs := m.packed(count)
		low, high := 0, 0
		if len(offs) > 0 {
			low, high = slices.Min(offs), slices.Max(offs)+1
		}
		lo, hi, err := Span(count, l)
		must(t, err)
		if lo != low || hi != high {
			t.Fatalf("%d items span %d to %d, want %d to %d", count, lo, hi, low, high)
		}
		const margin = 16
		mem := make([]byte, hi-lo+2*margin)
		for i := range mem {
			mem[i] = byte(i*7 + i>>8)
		}
		s, err := In(mem, margin-lo, count, l)
		must(t, err)
		comparePacked(t, s, mem, offs, margin-lo)
		seen := map[int]bool{}
		twice := false
		for _, off := range offs {
			twice = twice || seen[off]
			seen[off] = true
		}
		if s.Overlaps() != twice {
			t.Fatalf("overlaps: %v, want %v", s.Overlaps(), twice)
		}
	})
}

func compareBounds(t *rapid.T, l *Layout, m *typemap) {
	lb, ub, trueLB, trueUB := m.bounds()
	if l.LB() != lb || l.UB() != ub || l.Extent() != ub-lb || l.TrueLB() != trueLB || l.TrueExtent() != trueUB-trueLB {
		t.Fatalf("bounds %d %d, true %d+%d; want %d %d, %d %d", l.LB(), l.UB(), l.TrueLB(), l.TrueExtent(), lb, ub, trueLB, trueUB)
	}
}

func compareKinds(t *rapid.T, l *Layout, m *typemap) {
	var kinds []Kind
	l.Kinds().Runs(func(k Kind, n int) bool {
		for range n {
			kinds = append(kinds, k)
		}
		return true
	})
	size, uniform := 0, true
	for i, e := range m.entries {
		size += e.kind.Size()
		uniform = uniform && e.kind == m.entries[0].kind
		if i >= len(kinds) || kinds[i] != e.kind {
			t.Fatalf("element %d of %v is not %v", i, kinds, e.kind)
		}
	}
	if l.Size() != size || l.Kinds().Elements() != len(m.entries) || len(kinds) != len(m.entries) {
		t.Fatalf("size %d with %d elements, want %d with %d", l.Size(), len(kinds), size, len(m.entries))
	}
	if k, ok := l.Kinds().Uniform(); ok != (uniform && size > 0) || ok && k != kinds[0] {
		t.Fatalf("all are %v: %v, %v", kinds, ok, k)
	}
	if size == 0 {
		return
	}
	upTo := rapid.IntRange(0, 3*size).Draw(t, "bytes")
	items, elements, rest := l.Count(upTo)
	left, n := upTo, 0
	for left >= m.entries[n%len(m.entries)].kind.Size() {
		left -= m.entries[n%len(m.entries)].kind.Size()
		n++
	}
	if items != n/len(m.entries) || elements != n || rest != left {
		t.Fatalf("%d bytes are %d items, %d elements and %d bytes; want %d, %d, %d", upTo, items, elements, rest, n/len(m.entries), n, left)
	}
}

// comparePacked packs and unpacks a part of the shape, and lists its blocks.
func comparePacked(t *rapid.T, s Shape, mem []byte, offs []int, origin int) {
	if s.Len() != len(offs) {
		t.Fatalf("packed %d bytes, want %d", s.Len(), len(offs))
	}
	from := rapid.IntRange(0, len(offs)).Draw(t, "from")
	to := rapid.IntRange(from, len(offs)+2).Draw(t, "to")
	part := offs[from:min(to, len(offs))]
	got := make([]byte, to-from)
	if n := s.Pack(got, from); n != len(part) {
		t.Fatalf("packed %d bytes from %d, want %d", n, from, len(part))
	}
	for i, off := range part {
		if got[i] != mem[origin+off] {
			t.Fatalf("packed byte %d is not that at %d", from+i, off)
		}
	}
	if b, ok := s.Plain(); ok && !bytes.Equal(b[from:len(offs)], slices.Collect(bytesAt(mem, offs[from:], origin))) {
		t.Fatal("what is plain is other bytes")
	}
	at := from
	s.Blocks(from, func(b []byte) bool {
		for i := range b {
			if &b[i] != &mem[origin+offs[at]] {
				t.Fatalf("byte %d of the blocks is in the wrong place", at)
			}
			at++
		}
		return true
	})
	if at != len(offs) {
		t.Fatalf("blocks have %d bytes, want %d", at-from, len(offs)-from)
	}
	want := slices.Clone(mem)
	src := make([]byte, to-from)
	for i := range src {
		src[i] = byte(200 + i)
	}
	for i, off := range part {
		want[origin+off] = src[i]
	}
	unique := map[int]bool{}
	for _, off := range part {
		unique[off] = true
	}
	if n := s.Unpack(src, from); n != len(part) {
		t.Fatalf("unpacked %d bytes, want %d", n, len(part))
	}
	if len(unique) == len(part) && !bytes.Equal(mem, want) {
		t.Fatal("unpacked to other places")
	}
}

func bytesAt(mem []byte, offs []int, origin int) func(func(byte) bool) {
	return func(yield func(byte) bool) {
		for _, off := range offs {
			if !yield(mem[origin+off]) {
				return
			}
		}
	}
}

// TestSubarraysAreTheirElements compares random subarrays and dealt arrays with loops over their indices.
func TestSubarraysAreTheirElements(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "dimensions")
		order := Order(rapid.IntRange(0, 1).Draw(t, "order"))
		sizes, subs, starts := make([]int, n), make([]int, n), make([]int, n)
		dims, grid, procs := make([]Dealt, n), make([]int, n), 1
		for d := range n {
			sizes[d] = rapid.IntRange(1, 6).Draw(t, "size")
			subs[d] = rapid.IntRange(0, sizes[d]).Draw(t, "sub")
			starts[d] = rapid.IntRange(0, sizes[d]-subs[d]).Draw(t, "start")
			dims[d] = drawDealt(t, sizes[d])
			grid[d] = dims[d].Procs
			procs *= grid[d]
		}
		elem, err := Elements(Int32, 1)
		must(t, err)
		l, err := Subarray(sizes, subs, starts, order, elem)
		must(t, err)
		compareArray(t, l, sizes, order, func(at []int) bool {
			for d := range n {
				if at[d] < starts[d] || at[d] >= starts[d]+subs[d] {
					return false
				}
			}
			return true
		})
		rank := rapid.IntRange(0, procs-1).Draw(t, "rank")
		l, err = Darray(rank, dims, order, elem)
		must(t, err)
		compareArray(t, l, sizes, order, func(at []int) bool {
			left := rank
			for d := n - 1; d >= 0; d-- {
				block := dims[d].Block
				switch {
				case dims[d].Way == Whole:
					block = sizes[d]
				case block == 0 && dims[d].Way == Block:
					block = (sizes[d] + grid[d] - 1) / grid[d]
				case block == 0:
					block = 1
				}
				if at[d]/block%grid[d] != left%grid[d] {
					return false
				}
				left /= grid[d]
			}
			return true
		})
	})
}

func drawDealt(t *rapid.T, size int) Dealt {
	d := Dealt{Size: size, Procs: rapid.IntRange(1, 3).Draw(t, "procs"), Way: Distribution(rapid.IntRange(0, 2).Draw(t, "way"))}
	switch d.Way {
	case Whole:
		d.Procs = 1
	case Cyclic:
		d.Block = rapid.IntRange(0, 4).Draw(t, "block")
	case Block:
		if d.Block = rapid.IntRange(0, 6).Draw(t, "block"); d.Block*d.Procs < size {
			d.Block = 0
		}
	}
	return d
}

// compareArray compares a layout with the elements of an array that belong to it, in the order of memory.
func compareArray(t *rapid.T, l *Layout, sizes []int, order Order, belongs func(at []int) bool) {
	all := 1
	for _, n := range sizes {
		all *= n
	}
	var want, got []int
	at := make([]int, len(sizes))
	for i := range all {
		left := i
		for j := range sizes {
			d := dimension(j, len(sizes), order)
			at[d], left = left%sizes[d], left/sizes[d]
		}
		if belongs(at) {
			want = append(want, 4*i)
		}
	}
	if l.Extent() != 4*all || l.LB() != 0 || l.Size() != 4*len(want) {
		t.Fatalf("extent %d from %d, size %d; want %d, %d", l.Extent(), l.LB(), l.Size(), 4*all, 4*len(want))
	}
	mem := make([]byte, 4*all)
	s, err := In(mem, 0, 1, l)
	must(t, err)
	packed := make([]byte, s.Len())
	for i := range packed {
		packed[i] = 1
	}
	s.Unpack(packed, 0)
	for i := 0; i < len(mem); i += 4 {
		if mem[i] == 1 {
			got = append(got, i)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("elements at %v, want %v", got, want)
	}
}

func TestBadLayoutsAreRefused(t *testing.T) {
	elem, err := Elements(Float64, 1)
	must(t, err)
	big, err := Resized(elem, 0, math.MaxInt/2)
	must(t, err)
	bad := map[string]func() (*Layout, error){
		"negative elements":   func() (*Layout, error) { return Elements(Int8, -1) },
		"too many elements":   func() (*Layout, error) { return Elements(Int64, math.MaxInt/4) },
		"negative count":      func() (*Layout, error) { return Contiguous(-1, elem) },
		"too many":            func() (*Layout, error) { return Contiguous(math.MaxInt/4, elem) },
		"far apart":           func() (*Layout, error) { return Contiguous(5, big) },
		"wide stride":         func() (*Layout, error) { return Vector(2, 1, math.MaxInt/4, elem) },
		"stride and count":    func() (*Layout, error) { return HVector(math.MaxInt/16, 1, 32, elem) },
		"lengths and places":  func() (*Layout, error) { return Indexed([]int{1}, nil, elem) },
		"negative block":      func() (*Layout, error) { return HIndexed([]int{-1}, []int{0}, elem) },
		"far block":           func() (*Layout, error) { return Indexed([]int{1}, []int{math.MaxInt / 2}, elem) },
		"long block":          func() (*Layout, error) { return HIndexed([]int{math.MaxInt / 2}, []int{0}, elem) },
		"apart":               func() (*Layout, error) { return HIndexed([]int{1, 1}, []int{math.MinInt, math.MaxInt - 8}, elem) },
		"struct lengths":      func() (*Layout, error) { return Struct([]int{1}, []int{0, 1}, []*Layout{elem}) },
		"struct block":        func() (*Layout, error) { return Struct([]int{-1}, []int{0}, []*Layout{elem}) },
		"struct far":          func() (*Layout, error) { return Struct([]int{1}, []int{math.MaxInt}, []*Layout{elem}) },
		"extent":              func() (*Layout, error) { return Resized(elem, math.MaxInt, 1) },
		"moved too far":       func() (*Layout, error) { return Moved(elem, math.MaxInt) },
		"subarray dimensions": func() (*Layout, error) { return Subarray([]int{2}, []int{1, 1}, []int{0}, LastFastest, elem) },
		"subarray outside":    func() (*Layout, error) { return Subarray([]int{4}, []int{3}, []int{2}, LastFastest, elem) },
		"subarray huge":       func() (*Layout, error) { return Subarray([]int{math.MaxInt}, []int{3}, []int{2}, LastFastest, elem) },
		"rank outside":        func() (*Layout, error) { return Darray(4, []Dealt{{8, 0, 4, Block}}, LastFastest, elem) },
		"blocks too short":    func() (*Layout, error) { return Darray(0, []Dealt{{8, 1, 4, Block}}, LastFastest, elem) },
		"whole for two":       func() (*Layout, error) { return Darray(0, []Dealt{{8, 0, 2, Whole}}, LastFastest, elem) },
		"no processes":        func() (*Layout, error) { return Darray(0, []Dealt{{8, 0, 0, Cyclic}}, LastFastest, elem) },
		"huge blocks":         func() (*Layout, error) { return Darray(0, []Dealt{{8, math.MaxInt / 2, 3, Cyclic}}, LastFastest, elem) },
	}
	for name, f := range bad {
		if l, err := f(); !errors.Is(err, ErrLayout) {
			t.Errorf("%s: %v, error %v", name, l, err)
		}
	}
	buf := make([]byte, 16)
	for name, f := range map[string]func() (Shape, error){
		"behind the end":    func() (Shape, error) { return In(buf, 0, 3, elem) },
		"before the start":  func() (Shape, error) { return In(buf, -1, 1, elem) },
		"far":               func() (Shape, error) { return In(buf, math.MaxInt, 1, elem) },
		"negative items":    func() (Shape, error) { return In(buf, 0, -1, elem) },
		"too many items":    func() (Shape, error) { return In(buf, 0, math.MaxInt/2, elem) },
		"items too far":     func() (Shape, error) { return At(nil, 4, big) },
		"too many items at": func() (Shape, error) { return At(nil, math.MaxInt/2, elem) },
	} {
		if _, err := f(); !errors.Is(err, ErrLayout) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestLayoutsCollapse has layouts that say the same become the same, as simple as they can be.
func TestLayoutsCollapse(t *testing.T) {
	elem, err := Elements(Float64, 1)
	must(t, err)
	ok := func(l *Layout, err error) *Layout { must(t, err); return l }
	row := ok(Contiguous(10, elem))
	for name, l := range map[string]*Layout{
		"contiguous":       row,
		"vector":           ok(Vector(5, 2, 2, elem)),
		"of vectors":       ok(Contiguous(3, ok(Vector(5, 2, 2, elem)))),
		"indexed":          ok(Indexed([]int{2, 0, 3}, []int{0, 77, 2}, elem)),
		"struct":           ok(Struct([]int{1, 1}, []int{0, 8}, []*Layout{elem, ok(Elements(Int64, 2))})),
		"whole subarray":   ok(Subarray([]int{3, 4}, []int{3, 4}, []int{0, 0}, LastFastest, elem)),
		"rows of an array": ok(Resized(ok(Subarray([]int{3, 4}, []int{2, 4}, []int{0, 0}, LastFastest, elem)), 0, 64)),
		"nothing":          ok(Contiguous(0, elem)),
	} {
		if !l.Plain() || l.Blocks() > 1 {
			t.Errorf("%s is not plain: %+v", name, l.root)
		}
	}
	for name, l := range map[string]*Layout{
		"column":  ok(Vector(5, 1, 10, elem)),
		"indexed": ok(Indexed([]int{1, 1, 1}, []int{3, 13, 23}, elem)),
		"rows":    ok(HVector(4, 3, 80, elem)),
		"columns": ok(Subarray([]int{4, 10}, []int{4, 1}, []int{0, 3}, LastFastest, elem)),
	} {
		if l.Plain() || l.root.form != repeat || l.root.kid.form != run {
			t.Errorf("%s is not a repeat of runs: %+v", name, l.root)
		}
	}
	if l := ok(Resized(elem, 0, 16)); l.Plain() || l.Blocks() != 1 {
		t.Error("elements with gaps are called plain")
	}
}

// TestOverlapIsSoughtWhereFormsDoNotTell: columns that interleave do not overlap, columns that meet do.
func TestOverlapIsSoughtWhereFormsDoNotTell(t *testing.T) {
	elem, err := Elements(Float64, 1)
	must(t, err)
	ok := func(l *Layout, err error) *Layout { must(t, err); return l }
	column := ok(Resized(ok(Vector(100, 1, 10, elem)), 0, 8))
	for name, c := range map[string]struct {
		l     *Layout
		count int
		want  bool
	}{
		"all columns":      {column, 10, false},
		"a column twice":   {column, 11, true},
		"transpose":        {ok(Contiguous(10, column)), 1, false},
		"backwards":        {ok(Indexed([]int{1, 1, 1}, []int{9, 3, 5}, elem)), 1, false},
		"backwards, twice": {ok(Indexed([]int{1, 2, 1}, []int{9, 3, 4}, elem)), 1, true},
		"same place":       {ok(Vector(2, 1, 0, elem)), 1, true},
		"negative extent":  {ok(Resized(elem, 0, -8)), 4, false},
		"half":             {ok(Resized(elem, 0, 4)), 2, true},
	} {
		s, err := At(nil, c.count, c.l)
		must(t, err)
		if s.Overlaps() != c.want {
			t.Errorf("%s: overlaps %v", name, s.Overlaps())
		}
	}
}

// TestCommon: of several shapes in a buffer, those that name the same byte are found, against a naive search.
func TestCommon(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		buf := make([]byte, 400)
		var shapes []Shape
		seen := map[int]int{} // by byte: the first shape that names it
		meet := false
		for i := range rapid.IntRange(0, 4).Draw(t, "shapes") {
			n, b, gap := rapid.IntRange(0, 5).Draw(t, "blocks"), rapid.IntRange(0, 6).Draw(t, "bytes"), rapid.IntRange(0, 30).Draw(t, "gap")
			off := rapid.IntRange(0, 200).Draw(t, "off")
			elem, err := Elements(Uint8, 1)
			must(t, err)
			l, err := Vector(n, b, b+gap, elem)
			must(t, err)
			s, err := In(buf, off, 1, l)
			must(t, err)
			shapes = append(shapes, s)
			for k := range n {
				for at := off + k*(b+gap); at < off+k*(b+gap)+b; at++ {
					_, there := seen[at]
					meet = meet || there
					seen[at] = i
				}
			}
		}
		i, j, found := Common(shapes)
		if found != meet {
			t.Fatalf("%d and %d meet: %v, want %v", i, j, found, meet)
		}
		if !found {
			return
		}
		named := func(s Shape) (all []*byte) {
			s.Blocks(0, func(b []byte) bool {
				for k := range b {
					all = append(all, &b[k])
				}
				return true
			})
			return all
		}
		if i >= j || !slices.ContainsFunc(named(shapes[i]), func(b *byte) bool { return slices.Contains(named(shapes[j]), b) }) {
			t.Fatalf("shapes %d and %d have no byte in common", i, j)
		}
	})
}
