package window

import (
	"cmp"
	"unsafe"

	"github.com/weft-mpi/weft/internal/datatype"
)

// located is a value with the place it came from, as it lies in memory: what MinLoc and MaxLoc reduce.
type located[T, I cmp.Ordered] struct {
	value T
	index I
}

// placed are the kinds of places: a Go int, a C int, and, as in Fortran, a number like the value.
const (
	placedInt = iota
	placedInt32
	placedAlike
	placedKinds
)

// locs holds how elements with places and values of each kind are reduced; the zero one where there is no order.
var locs = [placedKinds][datatype.Bool + 1]loc{
	placedInt: {
		datatype.Int8: locOf[int8, int](), datatype.Int16: locOf[int16, int](), datatype.Int32: locOf[int32, int](), datatype.Int64: locOf[int64, int](),
		datatype.Uint8: locOf[uint8, int](), datatype.Uint16: locOf[uint16, int](), datatype.Uint32: locOf[uint32, int](), datatype.Uint64: locOf[uint64, int](),
		datatype.Float32: locOf[float32, int](), datatype.Float64: locOf[float64, int](),
	},
	placedInt32: {
		datatype.Int16: locOf[int16, int32](), datatype.Int32: locOf[int32, int32](), datatype.Int64: locOf[int64, int32](),
		datatype.Float32: locOf[float32, int32](), datatype.Float64: locOf[float64, int32](),
	},
	placedAlike: {datatype.Float32: locOf[float32, float32](), datatype.Float64: locOf[float64, float64]()},
}

// loc is both reductions, and the bytes of an element.
type loc struct {
	size     int
	min, max func(mem, src []byte)
}

// loc finds how a fold with places is done; the zero one if it cannot be.
func (f Fold) loc() loc {
	if int(f.Kind) > int(datatype.Bool) {
		return loc{}
	}
	return locs[(f.Op-MinLoc)/2][f.Kind]
}

func locOf[T, I cmp.Ordered]() loc {
	return loc{
		size: int(unsafe.Sizeof(located[T, I]{})),
		min:  func(mem, src []byte) { foldLoc[T, I](mem, src, func(a, b T) bool { return a < b }) },
		max:  func(mem, src []byte) { foldLoc[T, I](mem, src, func(a, b T) bool { return a > b }) },
	}
}

// foldLoc takes over the elements of src whose values are better than those of mem, or equal and from a
// lower place. Neither needs to be aligned. Whoever calls has seen that both are whole elements.
func foldLoc[T, I cmp.Ordered](mem, src []byte, better func(a, b T) bool) {
	var there, comes located[T, I]
	size := int(unsafe.Sizeof(there))
	a := unsafe.Slice((*byte)(unsafe.Pointer(&there)), size)
	b := unsafe.Slice((*byte)(unsafe.Pointer(&comes)), size)
	for ; len(mem) >= size && len(src) >= size; mem, src = mem[size:], src[size:] {
		copy(a, mem)
		copy(b, src)
		if better(comes.value, there.value) || comes.value == there.value && comes.index < there.index {
			copy(mem, b)
		}
	}
}
