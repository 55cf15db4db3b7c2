package abi

import (
	"unsafe"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/datatype"
)

// dtype is a datatype. It never changes once it is made, but for its name, its attributes and that it is committed.
type dtype struct {
	handle uintptr
	name   string
	l      *datatype.Layout
	size   int // of l
	unit   int // bytes of a basic element, if all are as long; else 0

	kind    datatype.Kind // predefined types: of their elements; Invalid if no kernel knows it
	pair    datatype.Kind // types for MINLOC: of the values
	own     ownKind       // predefined types that C has to reduce
	logical bool

	made       *envelope // nil: predefined
	committed  bool
	permanent  bool // it cannot be freed
	attributes attributes
}

// extent is how far apart elements of the type are.
func (t *dtype) extent() int { return t.l.Extent() }

// firstType and lastType enclose the handles of predefined types.
const (
	firstType = 0x200
	lastType  = 0x2ff
)

// predefined describes a type of the table.
type predefined struct {
	handle  uintptr
	name    string
	size    int
	kind    datatype.Kind
	own     ownKind
	logical bool
}

var predefinedTypes = []predefined{
	{handle: spec.AINT, name: "MPI_AINT", kind: datatype.Int64},
	{handle: spec.COUNT, name: "MPI_COUNT", kind: datatype.Int64},
	{handle: spec.OFFSET, name: "MPI_OFFSET", kind: datatype.Int64},
	{handle: spec.PACKED, name: "MPI_PACKED", size: 1},
	{handle: spec.SHORT, name: "MPI_SHORT", kind: datatype.Int16},
	{handle: spec.INT, name: "MPI_INT", kind: datatype.Int32},
	{handle: spec.LONG, name: "MPI_LONG", kind: datatype.Int64},
	{handle: spec.LONG_LONG, name: "MPI_LONG_LONG", kind: datatype.Int64},
	{handle: spec.UNSIGNED_SHORT, name: "MPI_UNSIGNED_SHORT", kind: datatype.Uint16},
	{handle: spec.UNSIGNED, name: "MPI_UNSIGNED", kind: datatype.Uint32},
	{handle: spec.UNSIGNED_LONG, name: "MPI_UNSIGNED_LONG", kind: datatype.Uint64},
	{handle: spec.UNSIGNED_LONG_LONG, name: "MPI_UNSIGNED_LONG_LONG", kind: datatype.Uint64},
	{handle: spec.FLOAT, name: "MPI_FLOAT", kind: datatype.Float32},
	{handle: spec.C_FLOAT_COMPLEX, name: "MPI_C_FLOAT_COMPLEX", kind: datatype.Complex64},
	{handle: spec.CXX_FLOAT_COMPLEX, name: "MPI_CXX_FLOAT_COMPLEX", kind: datatype.Complex64},
	{handle: spec.DOUBLE, name: "MPI_DOUBLE", kind: datatype.Float64},
	{handle: spec.C_DOUBLE_COMPLEX, name: "MPI_C_DOUBLE_COMPLEX", kind: datatype.Complex128},
	{handle: spec.CXX_DOUBLE_COMPLEX, name: "MPI_CXX_DOUBLE_COMPLEX", kind: datatype.Complex128},
	{handle: spec.LOGICAL, name: "MPI_LOGICAL", kind: datatype.Int32, logical: true},
	{handle: spec.INTEGER, name: "MPI_INTEGER", kind: datatype.Int32},
	{handle: spec.REAL, name: "MPI_REAL", kind: datatype.Float32},
	{handle: spec.COMPLEX, name: "MPI_COMPLEX", kind: datatype.Complex64},
	{handle: spec.DOUBLE_PRECISION, name: "MPI_DOUBLE_PRECISION", kind: datatype.Float64},
	{handle: spec.DOUBLE_COMPLEX, name: "MPI_DOUBLE_COMPLEX", kind: datatype.Complex128},
	{handle: spec.CHARACTER, name: "MPI_CHARACTER", size: 1},
	{handle: spec.LONG_DOUBLE, name: "MPI_LONG_DOUBLE", size: 16, own: longDouble},
	{handle: spec.C_LONG_DOUBLE_COMPLEX, name: "MPI_C_LONG_DOUBLE_COMPLEX", size: 32, own: longDoubleComplex},
	{handle: spec.CXX_LONG_DOUBLE_COMPLEX, name: "MPI_CXX_LONG_DOUBLE_COMPLEX", size: 32, own: longDoubleComplex},
	{handle: spec.C_BOOL, name: "MPI_C_BOOL", kind: datatype.Bool, logical: true},
	{handle: spec.CXX_BOOL, name: "MPI_CXX_BOOL", kind: datatype.Bool, logical: true},
	{handle: spec.WCHAR, name: "MPI_WCHAR", size: 4},
	{handle: spec.INT8_T, name: "MPI_INT8_T", kind: datatype.Int8},
	{handle: spec.UINT8_T, name: "MPI_UINT8_T", kind: datatype.Uint8},
	{handle: spec.CHAR, name: "MPI_CHAR", kind: datatype.Int8}, // no number to the standard, but to other libraries and to programs
	{handle: spec.SIGNED_CHAR, name: "MPI_SIGNED_CHAR", kind: datatype.Int8},
	{handle: spec.UNSIGNED_CHAR, name: "MPI_UNSIGNED_CHAR", kind: datatype.Uint8},
	{handle: spec.BYTE, name: "MPI_BYTE", kind: datatype.Uint8},
	{handle: spec.INT16_T, name: "MPI_INT16_T", kind: datatype.Int16},
	{handle: spec.UINT16_T, name: "MPI_UINT16_T", kind: datatype.Uint16},
	{handle: spec.INT32_T, name: "MPI_INT32_T", kind: datatype.Int32},
	{handle: spec.UINT32_T, name: "MPI_UINT32_T", kind: datatype.Uint32},
	{handle: spec.INT64_T, name: "MPI_INT64_T", kind: datatype.Int64},
	{handle: spec.UINT64_T, name: "MPI_UINT64_T", kind: datatype.Uint64},
	{handle: spec.LOGICAL1, name: "MPI_LOGICAL1", kind: datatype.Int8, logical: true},
	{handle: spec.INTEGER1, name: "MPI_INTEGER1", kind: datatype.Int8},
	{handle: spec.LOGICAL2, name: "MPI_LOGICAL2", kind: datatype.Int16, logical: true},
	{handle: spec.INTEGER2, name: "MPI_INTEGER2", kind: datatype.Int16},
	{handle: spec.REAL2, name: "MPI_REAL2", size: 2},
	{handle: spec.LOGICAL4, name: "MPI_LOGICAL4", kind: datatype.Int32, logical: true},
	{handle: spec.INTEGER4, name: "MPI_INTEGER4", kind: datatype.Int32},
	{handle: spec.REAL4, name: "MPI_REAL4", kind: datatype.Float32},
	{handle: spec.COMPLEX4, name: "MPI_COMPLEX4", size: 4},
	{handle: spec.LOGICAL8, name: "MPI_LOGICAL8", kind: datatype.Int64, logical: true},
	{handle: spec.INTEGER8, name: "MPI_INTEGER8", kind: datatype.Int64},
	{handle: spec.REAL8, name: "MPI_REAL8", kind: datatype.Float64},
	{handle: spec.COMPLEX8, name: "MPI_COMPLEX8", kind: datatype.Complex64},
	{handle: spec.LOGICAL16, name: "MPI_LOGICAL16", size: 16},
	{handle: spec.INTEGER16, name: "MPI_INTEGER16", size: 16},
	{handle: spec.REAL16, name: "MPI_REAL16", size: 16, own: quad},
	{handle: spec.COMPLEX16, name: "MPI_COMPLEX16", kind: datatype.Complex128},
	{handle: spec.COMPLEX32, name: "MPI_COMPLEX32", size: 32},
}

// pairs are the types of a value and a C int, for MINLOC and MAXLOC, and those of two equal numbers, of Fortran.
var pairs = []struct {
	handle     uintptr
	name       string
	value      datatype.Kind
	own        ownKind
	size       int // of the value
	at, extent int // of the index; of the whole
	index      int // bytes of the index
}{
	{spec.FLOAT_INT, "MPI_FLOAT_INT", datatype.Float32, notOwn, 4, 4, 8, 4},
	{spec.DOUBLE_INT, "MPI_DOUBLE_INT", datatype.Float64, notOwn, 8, 8, 16, 4},
	{spec.LONG_INT, "MPI_LONG_INT", datatype.Int64, notOwn, 8, 8, 16, 4},
	{spec.TYPE_2INT, "MPI_2INT", datatype.Int32, notOwn, 4, 4, 8, 4},
	{spec.SHORT_INT, "MPI_SHORT_INT", datatype.Int16, notOwn, 2, 4, 8, 4},
	{spec.LONG_DOUBLE_INT, "MPI_LONG_DOUBLE_INT", datatype.Invalid, longDoubleInt, 16, 16, 32, 4},
	{spec.TYPE_2REAL, "MPI_2REAL", datatype.Float32, notOwn, 4, 4, 8, 4},
	{spec.TYPE_2DOUBLE_PRECISION, "MPI_2DOUBLE_PRECISION", datatype.Float64, notOwn, 8, 8, 16, 8},
	{spec.TYPE_2INTEGER, "MPI_2INTEGER", datatype.Int32, notOwn, 4, 4, 8, 4},
}

// standardTypes are the predefined types, by handle. Processes share them but for names and attributes.
func standardTypes() (all [lastType - firstType + 1]*dtype) {
	for _, p := range predefinedTypes {
		size := max(p.size, p.kind.Size())
		l, err := datatype.Elements(p.kind, 1)
		if p.kind == datatype.Invalid {
			l, err = datatype.Opaque(size, alignment(p, size))
		}
		all[p.handle-firstType] = standardType(l, err, &dtype{handle: p.handle, name: p.name, unit: size, kind: p.kind, own: p.own, logical: p.logical})
	}
	for _, p := range pairs {
		value, err := datatype.Elements(p.value, 1)
		if p.value == datatype.Invalid {
			value, err = datatype.Opaque(p.size, p.size)
		}
		index, failed := datatype.Elements(datatype.Int32, 1)
		if p.index == p.size {
			index = value
		}
		l, err := datatype.Struct([]int{1, 1}, []int{0, p.at}, []*datatype.Layout{must(value, err), must(index, failed)})
		unit := 0
		if p.index == p.size {
			unit = p.size
		}
		all[p.handle-firstType] = standardType(l, err, &dtype{handle: p.handle, name: p.name, unit: unit, pair: p.value, own: p.own})
	}
	return all
}

func standardType(l *datatype.Layout, err error, t *dtype) *dtype {
	t.l, t.committed = must(l, err), true
	t.size = t.l.Size()
	return t
}

// must is a layout of the table, which is a part of the program.
func must(l *datatype.Layout, err error) *datatype.Layout {
	if err != nil {
		panic(err)
	}
	return l
}

// alignment is that of a predefined type of a kind that Go does not have.
func alignment(p predefined, size int) int {
	if p.own == longDoubleComplex || p.handle == spec.COMPLEX32 || p.handle == spec.COMPLEX4 {
		return size / 2
	}
	return size
}

// typeOf finds the type of a handle.
func (p *Proc) typeOf(h uintptr) (*dtype, error) {
	var t *dtype
	if h >= firstType && h <= lastType {
		t = p.standard[h-firstType]
	} else {
		t = p.types.get(h)
	}
	switch {
	case h == spec.DATATYPE_NULL:
		return nil, bad(spec.ERR_TYPE, "the datatype is MPI_DATATYPE_NULL")
	case t == nil:
		return nil, bad(spec.ERR_TYPE, "0x%x is no datatype, or it has been freed", h)
	}
	return t, nil
}

// datatype is argument i, a datatype.
func (c call) datatype(i int) (*dtype, error) { return c.p.typeOf(c.word(i)) }

// committedType is argument i, a datatype for data that moves.
func (c call) committedType(i int) (*dtype, error) { return committed(c.p.typeOf(c.word(i))) }

func committed(t *dtype, err error) (*dtype, error) {
	if err == nil && !t.committed {
		return nil, bad(spec.ERR_TYPE, "the datatype has not been committed; call MPI_Type_commit")
	}
	return t, err
}

// view is data of the program's: n elements of a type from an address on; nil is MPI_BOTTOM.
type view struct {
	base unsafe.Pointer
	n    int
	t    *dtype
}

// view is the data of three arguments: buffer, count, type.
func (c call) view(buf, count, typ int) (view, error) {
	n, err := c.count(count)
	if err != nil {
		return view{}, err
	}
	t, err := c.committedType(typ)
	if err != nil {
		return view{}, err
	}
	return c.viewAt(buf, n, t)
}

// viewAt is the data that argument buf points to.
func (c call) viewAt(buf, n int, t *dtype) (view, error) {
	v := view{c.ptr(buf), n, t}
	if v.base == nil && n > 0 && t.size > 0 {
		if lb := t.l.TrueLB(); c.word(buf) != 0 || lb >= 0 && lb < firstPage {
			return view{}, bad(spec.ERR_BUFFER, "%s is no address: 0x%x", c.f.Args[buf].Name, c.word(buf))
		}
	}
	_, _, err := datatype.Span(n, t.l)
	return v, err
}

// from is n elements of the data, from element first on.
func (v view) from(first, n int) view {
	if v.base != nil {
		v.base = unsafe.Add(v.base, first*v.t.extent())
	}
	v.n = n
	return v
}

// bytes is how many the data are when they travel.
func (v view) bytes() int { return v.n * v.t.size }

// shape is the data as layouts know it; viewAt has seen to it that it fits an address space.
func (v view) shape() datatype.Shape {
	s, err := datatype.At(v.base, v.n, v.t.l)
	if err != nil {
		return datatype.Shape{}
	}
	return s
}

// plain is the memory of data without holes; false if they have some.
func (v view) plain() ([]byte, bool) {
	if v.t.l.Plain() && v.n > 0 && v.t.size > 0 {
		return unsafe.Slice((*byte)(v.base), v.n*v.t.size), true
	}
	return v.shape().Plain()
}

// pack copies data to dst, which has room for all of it.
func (v view) pack(dst []byte) { v.shape().Pack(dst, 0) }

// unpack copies src to data, as far as there is room.
func (v view) unpack(src []byte) { v.shape().Unpack(src, 0) }

// packed is the data as bytes: the memory itself, or a copy.
func (v view) packed() []byte {
	b, ok := v.plain()
	if !ok {
		b = make([]byte, v.bytes())
		v.pack(b)
	}
	return b
}

// room is where the data can be received as bytes: the memory itself, or scratch that has to be unpacked.
func (v view) room() (b []byte, scratch bool) {
	b, ok := v.plain()
	if !ok {
		b = make([]byte, v.bytes())
	}
	return b, !ok
}
