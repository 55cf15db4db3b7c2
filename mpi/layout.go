package mpi

import (
	"errors"
	"fmt"
	"hash/maphash"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/datatype"
)

// Layout says which elements of a slice a call concerns, and in which order: [Strided], [Indexed], [Subarray], some
// [Fields] of structs, or any of them from another element on ([From]). nil stands for all elements of the slice.
// Elements count from the slice's first one; in windows, from the displacement. What is sent with one layout may be
// received with another, or into a plain slice: of the layout, the message knows only the order of its elements.
type Layout interface {
	// build makes the layout of elements of a type.
	build(t reflect.Type, elem *datatype.Layout) (*datatype.Layout, error)
	// key tells layouts apart, more often than not; same does so always.
	key() uint64
	same(Layout) bool
	// clone is a layout that does not change when the program's does.
	clone() Layout
}

// Strided is Count blocks of Block elements each, whose first elements are Stride elements apart: a column of a matrix.
type Strided struct{ Count, Block, Stride int }

func (s Strided) build(_ reflect.Type, elem *datatype.Layout) (*datatype.Layout, error) {
	return datatype.Vector(s.Count, s.Block, s.Stride, elem)
}

func (s Strided) key() uint64        { return mix(mix(uint64(s.Count), s.Block), s.Stride) }
func (s Strided) same(o Layout) bool { return o == Layout(s) }
func (s Strided) clone() Layout      { return s }

// Indexed is blocks of elements anywhere, in the order in which they are named.
type Indexed []Block

// Block is Len elements from Start on, one piece of an [Indexed].
type Block struct{ Start, Len int }

func (x Indexed) build(_ reflect.Type, elem *datatype.Layout) (*datatype.Layout, error) {
	lens, starts := make([]int, len(x)), make([]int, len(x))
	for i, b := range x {
		lens[i], starts[i] = b.Len, b.Start
	}
	return datatype.Indexed(lens, starts, elem)
}

func (x Indexed) key() (h uint64) {
	for _, b := range x {
		h = mix(mix(h, b.Start), b.Len)
	}
	return h
}

func (x Indexed) same(o Layout) bool {
	other, ok := o.(Indexed)
	return ok && slices.Equal(x, other)
}

func (x Indexed) clone() Layout { return slices.Clone(x) }

// Subarray is part of an array of any number of dimensions, whose last index counts fastest: of Sizes[d] elements in
// dimension d it takes Sub[d], from Start[d] on. Start may be nil: from the first ones on.
type Subarray struct{ Sizes, Sub, Start []int }

func (a Subarray) build(_ reflect.Type, elem *datatype.Layout) (*datatype.Layout, error) {
	start := a.Start
	if start == nil {
		start = make([]int, len(a.Sizes))
	}
	return datatype.Subarray(a.Sizes, a.Sub, start, datatype.LastFastest, elem)
}

func (a Subarray) key() (h uint64) {
	for _, s := range [...][]int{a.Sizes, a.Sub, a.Start} {
		for _, n := range s {
			h = mix(h, n)
		}
	}
	return h
}

func (a Subarray) same(o Layout) bool {
	b, ok := o.(Subarray)
	return ok && slices.Equal(a.Sizes, b.Sizes) && slices.Equal(a.Sub, b.Sub) && slices.Equal(a.Start, b.Start)
}

func (a Subarray) clone() Layout {
	return Subarray{slices.Clone(a.Sizes), slices.Clone(a.Sub), slices.Clone(a.Start)}
}

// from is a layout from another element on.
type from struct {
	start int
	of    Layout
}

// From is a layout that counts its elements from element start of the slice on.
func From(start int, of Layout) Layout { return from{start, of} }

func (f from) build(t reflect.Type, elem *datatype.Layout) (*datatype.Layout, error) {
	l, err := layOut(f.of, t, elem)
	if err != nil {
		return nil, err
	}
	if l, err = datatype.Resized(l, 0, elem.Extent()); err != nil {
		return nil, err
	}
	return datatype.Indexed([]int{1}, []int{f.start}, l)
}

func (f from) key() uint64 {
	if f.of == nil { // which is refused
		return 0
	}
	return mix(f.of.key(), f.start)
}

func (f from) same(o Layout) bool {
	g, ok := o.(from)
	return ok && f.start == g.start && f.of != nil && f.of.same(g.of)
}

func (f from) clone() Layout { return from{f.start, f.of.clone()} }

// fields are those of structs that lie next to each other.
type fields struct {
	t     reflect.Type
	count int
	names string // with commas
}

// Fields is the named fields of count structs of type T next to each other: all that are named of the first one, then
// those of the second. A name with dots goes into structs within: "Position.X".
func Fields[T any](count int, names ...string) Layout {
	return fields{reflect.TypeFor[T](), count, strings.Join(names, ",")}
}

func (f fields) build(t reflect.Type, elem *datatype.Layout) (*datatype.Layout, error) {
	if t != f.t {
		return nil, fmt.Errorf("%w: the layout names fields of %v, the slice has elements of type %v", ErrType, f.t, t)
	}
	names := strings.Split(f.names, ",")
	lens, offs, kinds := make([]int, len(names)), make([]int, len(names)), make([]*datatype.Layout, len(names))
	for i, name := range names {
		field, off, err := fieldOf(t, name)
		if err != nil {
			return nil, err
		}
		if kinds[i], err = kindOf(field); err != nil {
			return nil, err
		}
		lens[i], offs[i] = 1, off
	}
	one, err := datatype.Struct(lens, offs, kinds)
	if err == nil {
		one, err = datatype.Resized(one, 0, elem.Extent())
	}
	if err != nil {
		return nil, err
	}
	return datatype.Contiguous(f.count, one)
}

// fieldOf finds a field, and how many bytes are before it.
func fieldOf(t reflect.Type, name string) (field reflect.Type, off int, err error) {
	whole := t
	for part := range strings.SplitSeq(name, ".") {
		if t.Kind() != reflect.Struct {
			return nil, 0, fmt.Errorf("%w: %v has no field %q, since %v is no struct", ErrType, whole, name, t)
		}
		f, found := t.FieldByName(part)
		if !found {
			return nil, 0, fmt.Errorf("%w: %v has no field %q", ErrType, whole, name)
		}
		for _, i := range f.Index { // several if it is that of an embedded struct
			off += int(t.Field(i).Offset)
			t = t.Field(i).Type
		}
	}
	return t, off, nil
}

func (f fields) key() uint64        { return mix(maphash.String(seed, f.names), f.count) }
func (f fields) same(o Layout) bool { return o == Layout(f) }
func (f fields) clone() Layout      { return f }

var seed = maphash.MakeSeed()

// mix adds a number to a hash.
func mix(h uint64, n int) uint64 {
	h = (h ^ uint64(n)) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// kindOf is the layout of one element of a type.
func kindOf(t reflect.Type) (*datatype.Layout, error) {
	if k := datatype.KindOf(t.Kind()); k != datatype.Invalid {
		return datatype.Elements(k, 1)
	}
	if t.Kind() == reflect.Array {
		elem, err := kindOf(t.Elem())
		if err != nil {
			return nil, err
		}
		return datatype.Contiguous(t.Len(), elem)
	}
	return datatype.Opaque(int(t.Size()), t.Align())
}

// made is a layout of elements of a type that has been made before.
type made struct {
	t      reflect.Type
	at     Layout
	layout *datatype.Layout
}

// layouts are those that were made last, each where its key says: to make one takes longer than to send a short
// message. Programs use the same few again and again.
var layouts [64]atomic.Pointer[made]

// layoutOf is a layout of elements of type T.
func layoutOf[T any](at Layout) (*datatype.Layout, error) {
	t := reflect.TypeFor[T]()
	slot := &layouts[(at.key()^uint64(t.Size()))%uint64(len(layouts))]
	if m := slot.Load(); m != nil && m.t == t && at.same(m.at) {
		return m.layout, nil
	}
	elem, err := kindOf(t)
	if err != nil {
		return nil, err
	}
	l, err := layOut(at, t, elem)
	if err != nil {
		return nil, err
	}
	slot.Store(&made{t, at.clone(), l})
	return l, nil
}

// layOut makes a layout.
func layOut(at Layout, t reflect.Type, elem *datatype.Layout) (*datatype.Layout, error) {
	if at == nil {
		return nil, fmt.Errorf("%w: From has no layout", ErrCount)
	}
	return at.build(t, elem)
}

// shapeOf is the elements of a slice that a layout names.
func shapeOf[T any](buf []T, at Layout) (datatype.Shape, error) {
	var l *datatype.Layout
	var err error
	count := 1
	if at == nil {
		if count = len(buf); sizeOf[T]() == 0 {
			count = 0
		}
		l, err = kindOf(reflect.TypeFor[T]())
	} else {
		l, err = layoutOf[T](at)
	}
	if err != nil {
		return datatype.Shape{}, err
	}
	return datatype.In(view(buf), 0, count, l)
}

// badLayout is the error of a layout that does not fit its slice.
func badLayout(c *Comm, op string, peer, tag int, err error) error {
	return &Error{Op: op, Comm: c.c.Name(), Peer: peer, Tag: tag, Err: inClass(err)}
}

// inClass gives the error of a layout a class.
func inClass(err error) error {
	if errors.Is(err, datatype.ErrLayout) {
		return fmt.Errorf("%w: %w", ErrCount, err)
	}
	return err
}
