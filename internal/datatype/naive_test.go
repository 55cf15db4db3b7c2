package datatype

import (
	"math"
	"unsafe"
)

// The naive twin of the kernels: one element at a time, written from the
// definition of each operation and sharing no code with the package.

// naiveFold sets dst[i] = dst[i] op src[i] and reports whether op is defined
// for k; if not it leaves dst alone.
func naiveFold(op Op, k Kind, dst, src []byte) bool {
	switch k {
	case Int8:
		return each(dst, src, naiveInteger[int8](op))
	case Int16:
		return each(dst, src, naiveInteger[int16](op))
	case Int32:
		return each(dst, src, naiveInteger[int32](op))
	case Int64:
		return each(dst, src, naiveInteger[int64](op))
	case Uint8:
		return each(dst, src, naiveInteger[uint8](op))
	case Uint16:
		return each(dst, src, naiveInteger[uint16](op))
	case Uint32:
		return each(dst, src, naiveInteger[uint32](op))
	case Uint64:
		return each(dst, src, naiveInteger[uint64](op))
	case Float32:
		return each(dst, src, naiveFloat[float32](op))
	case Float64:
		return each(dst, src, naiveFloat[float64](op))
	case Complex64:
		return each(dst, src, naiveComplex[complex64](op))
	case Complex128:
		return each(dst, src, naiveComplex[complex128](op))
	case Float16, BFloat16:
		return each(dst, src, naiveHalf(op, halves[k]))
	case Bool:
		if op != LAnd && op != LOr && op != LXor {
			return false
		}
		return each(dst, src, naiveInteger[uint8](op))
	}
	return false
}

// each applies f to every pair of elements; a nil f is an undefined operation.
func each[T number](dst, src []byte, f func(a, b T) T) bool {
	if f == nil {
		return false
	}
	var a, b T
	size := int(unsafe.Sizeof(a))
	aBytes := unsafe.Slice((*byte)(unsafe.Pointer(&a)), size)
	bBytes := unsafe.Slice((*byte)(unsafe.Pointer(&b)), size)
	for i := 0; i < len(dst); i += size {
		copy(aBytes, dst[i:])
		copy(bBytes, src[i:])
		a = f(a, b)
		copy(dst[i:], aBytes)
	}
	return true
}

func naiveInteger[T signed | unsigned](op Op) func(a, b T) T {
	oneIf := func(yes bool) T {
		if yes {
			return 1
		}
		return 0
	}
	return map[Op]func(a, b T) T{
		Sum:  func(a, b T) T { return a + b },
		Prod: func(a, b T) T { return a * b },
		Min: func(a, b T) T {
			if b < a {
				return b
			}
			return a
		},
		Max: func(a, b T) T {
			if b > a {
				return b
			}
			return a
		},
		LAnd: func(a, b T) T { return oneIf(a != 0 && b != 0) },
		LOr:  func(a, b T) T { return oneIf(a != 0 || b != 0) },
		LXor: func(a, b T) T { return oneIf((a != 0) != (b != 0)) },
		BAnd: func(a, b T) T { return a & b },
		BOr:  func(a, b T) T { return a | b },
		BXor: func(a, b T) T { return a ^ b },
	}[op]
}

func naiveFloat[T float](op Op) func(a, b T) T {
	// less orders -0 before +0; NaNs are dealt with before it is asked.
	less := func(a, b T) bool {
		return a < b || a == b && math.Signbit(float64(a)) && !math.Signbit(float64(b))
	}
	pick := func(a, b T, wantB bool) T {
		switch {
		case a != a || b != b:
			return T(math.NaN())
		case wantB:
			return b
		}
		return a
	}
	return map[Op]func(a, b T) T{
		Sum:  func(a, b T) T { return a + b },
		Prod: func(a, b T) T { return a * b },
		Min:  func(a, b T) T { return pick(a, b, less(b, a)) },
		Max:  func(a, b T) T { return pick(a, b, less(a, b)) },
	}[op]
}

func naiveComplex[T complexNumber](op Op) func(a, b T) T {
	return map[Op]func(a, b T) T{
		Sum:  func(a, b T) T { return a + b },
		Prod: func(a, b T) T { return a * b },
	}[op]
}
