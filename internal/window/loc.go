package window

import (
	"cmp"
	"unsafe"

	"github.com/weft-mpi/weft/internal/datatype"
)

// located is a value with the place it came from, as it lies in memory: what MinLoc and MaxLoc reduce.
type located[T cmp.Ordered] struct {
	value T
	index int
}

// locs holds how elements with values of each kind are reduced; the zero one where there is no order.
var locs = [datatype.Bool + 1]loc{
	datatype.Int8: locOf[int8](), datatype.Int16: locOf[int16](), datatype.Int32: locOf[int32](), datatype.Int64: locOf[int64](),
	datatype.Uint8: locOf[uint8](), datatype.Uint16: locOf[uint16](), datatype.Uint32: locOf[uint32](), datatype.Uint64: locOf[uint64](),
	datatype.Float32: locOf[float32](), datatype.Float64: locOf[float64](),
}

// loc is both reductions, and the bytes of an element.
type loc struct {
	size     int
	min, max func(mem, src []byte)
}

func locOf[T cmp.Ordered]() loc {
	return loc{
		size: int(unsafe.Sizeof(located[T]{})),
		min:  func(mem, src []byte) { foldLoc(mem, src, func(a, b T) bool { return a < b }) },
		max:  func(mem, src []byte) { foldLoc(mem, src, func(a, b T) bool { return a > b }) },
	}
}

// foldLoc takes over the elements of src whose values are better than those of mem, or equal and from a
// lower place. Neither needs to be aligned. Whoever calls has seen that both are whole elements.
func foldLoc[T cmp.Ordered](mem, src []byte, better func(a, b T) bool) {
	var there, comes located[T]
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
