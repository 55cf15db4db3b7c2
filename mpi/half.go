package mpi

import (
	"fmt"
	"reflect"

	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/datatype"
)

// Float16 is a float of 16 bits as IEEE 754 defines it: 11 bits of precision, up to 65504. BFloat16 is the
// upper half of a float32: 8 bits of precision, and its range. Both travel like any other type.
//
// [Sum], [Prod], [Min] and [Max] reduce them, in collectives and in windows: each step computes in float32
// and rounds its result to 16 bits, a tie to the even number. A sum of many numbers is thus rounded many
// times, and depends on the order of its terms; for more precision, reduce float32.
type Float16 struct{ bits uint16 }

// BFloat16 is the upper half of a float32; see [Float16].
type BFloat16 struct{ bits uint16 }

// ToFloat16 rounds to the nearest number, a tie to the even one; beyond 65504 is infinity.
func ToFloat16(f float32) Float16 { return Float16{datatype.Float16From32(f)} }

// ToBFloat16 rounds to the nearest number, a tie to the even one.
func ToBFloat16(f float32) BFloat16 { return BFloat16{datatype.BFloat16From32(f)} }

// Float16Of is the number with these bits.
func Float16Of(bits uint16) Float16 { return Float16{bits} }

// BFloat16Of is the number with these bits.
func BFloat16Of(bits uint16) BFloat16 { return BFloat16{bits} }

// Float32 is the same number.
func (h Float16) Float32() float32 { return datatype.Float16To32(h.bits) }

// Float32 is the same number.
func (h BFloat16) Float32() float32 { return datatype.BFloat16To32(h.bits) }

// Bits are the number's bits.
func (h Float16) Bits() uint16 { return h.bits }

// Bits are the number's bits.
func (h BFloat16) Bits() uint16 { return h.bits }

// kindFor is the kind of elements of type T.
func kindFor[T any]() datatype.Kind {
	switch t := reflect.TypeFor[T](); t {
	case reflect.TypeFor[Float16]():
		return datatype.Float16
	case reflect.TypeFor[BFloat16]():
		return datatype.BFloat16
	default:
		return datatype.KindOf(t.Kind())
	}
}

// ReduceLocal combines two slices of one rank, element by element, as a collective would those of two ranks:
// each element of inout becomes that of in, which stands for the lower rank, combined with it.
func ReduceLocal[T any](in, inout []T, op Op) error {
	reduce, err := combineFor[T](op)
	switch {
	case !movable[T]():
		err = fmt.Errorf("%w: %v", ErrType, reflect.TypeFor[T]())
	case err == nil && len(in) != len(inout):
		err = fmt.Errorf("%w: in has %d elements, inout %d", ErrCount, len(in), len(inout))
	}
	if err != nil {
		return &Error{Op: "reduce_local", Peer: comm.None, Tag: comm.None, Err: err}
	}
	if len(in) > 0 {
		reduce(view(inout), view(in), true)
	}
	return nil
}
