package abi

import (
	"cmp"
	"encoding/binary"
	"math"

	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/datatype"
	"github.com/weft-mpi/weft/internal/plan"
)

// locCombine is MINLOC or MAXLOC of a pair type, on packed pairs: the value, then the index of 4 bytes, or as
// long as the value in Fortran's pairs. Of equal values the lower index wins.
func locCombine(op comm.Fold, t *dtype) plan.Combine {
	value := t.pair.Size()
	index := t.size - value
	compare := comparer(t.pair)
	sign := 1
	if op == comm.MaxLoc {
		sign = -1
	}
	fortran := t.unit == value && t.pair != datatype.Int32
	return func(dst, src []byte, _ bool) {
		for ; len(dst) >= t.size; dst, src = dst[t.size:], src[t.size:] {
			order := sign * compare(src, dst)
			if order == 0 && fortran {
				order = compare(src[value:], dst[value:])
			} else if order == 0 {
				order = cmp.Compare(integer(src[value:], index), integer(dst[value:], index))
			}
			if order < 0 {
				copy(dst[:t.size], src)
			}
		}
	}
}

// integer is a signed integer of 2, 4 or 8 bytes.
func integer(b []byte, size int) int64 {
	switch size {
	case 2:
		return int64(int16(binary.NativeEndian.Uint16(b)))
	case 4:
		return int64(int32(binary.NativeEndian.Uint32(b)))
	}
	return int64(binary.NativeEndian.Uint64(b))
}

// comparer compares the values at the front of two pairs.
func comparer(k datatype.Kind) func(a, b []byte) int {
	ne := binary.NativeEndian
	switch k {
	case datatype.Float32:
		return func(a, b []byte) int {
			return cmp.Compare(math.Float32frombits(ne.Uint32(a)), math.Float32frombits(ne.Uint32(b)))
		}
	case datatype.Float64:
		return func(a, b []byte) int {
			return cmp.Compare(math.Float64frombits(ne.Uint64(a)), math.Float64frombits(ne.Uint64(b)))
		}
	}
	size := k.Size()
	return func(a, b []byte) int { return cmp.Compare(integer(a, size), integer(b, size)) }
}
