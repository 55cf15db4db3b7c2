package datatype

import (
	"strconv"
	"unsafe"
)

// A kernel folds src into dst, element by element.
type kernel = func(dst, src []byte)

// A table holds the kernel of every operation and kind; nil where the
// operation is not defined.
type table [opCount][kindCount]kernel

// kernels is written once, before main starts, and only read afterwards.
var kernels = fastestTable()

// Kernel returns the function that sets dst[i] = dst[i] op src[i] for every
// element of kind k. ok is false, and fn nil, where op is not defined for k
// (Max of complex numbers, BAnd of floats, anything on Invalid).
//
// Both buffers have the same length, a whole number of elements; fn panics
// otherwise, since it could only corrupt memory. They may be the same buffer
// but must not overlap in part. No alignment is needed; buffers that are not
// aligned to their element are slower and may cost an allocation. fn keeps
// neither buffer.
//
// Integers wrap. Min and Max of floats follow Go's built-in min and max: a NaN
// on either side gives a NaN (its payload and sign are not specified), and -0
// is less than +0. Logical operations take any non-zero element as true and
// leave 0 or 1, so a Bool buffer holds valid Go bools afterwards whatever
// arrived from a peer.
func Kernel(op Op, k Kind) (fn func(dst, src []byte), ok bool) {
	if int(op) >= opCount || int(k) >= kindCount {
		return nil, false
	}
	fn = kernels[op][k]
	return fn, fn != nil
}

// An acceleration replaces kernels of a table by faster ones for a feature of
// the processor. What it replaces still serves the end of each buffer.
type acceleration struct {
	name  string
	apply func(*table)
}

// fastestTable applies every acceleration this processor has, in order.
func fastestTable() *table {
	t := portableTable()
	for _, a := range accelerations() {
		a.apply(t)
	}
	return t
}

// portableTable fills a table with the kernels that run everywhere. Where two
// signs share a bit pattern (wrapping sums and products, logical operations)
// the unsigned loop serves both.
func portableTable() *table {
	t := new(table)
	addIntegers[int8, uint8](t, Int8, Uint8)
	addIntegers[int16, uint16](t, Int16, Uint16)
	addIntegers[int32, uint32](t, Int32, Uint32)
	addIntegers[int64, uint64](t, Int64, Uint64)
	addFloats[float32](t, Float32)
	addFloats[float64](t, Float64)
	addComplex[complex64](t, Complex64)
	addComplex[complex128](t, Complex128)
	addLogical[uint8](t, Bool)
	addHalves(t)
	return t
}

// addIntegers adds the kernels of a signed kind and its unsigned twin.
func addIntegers[S signed, U unsigned](t *table, s, u Kind) {
	for _, k := range []Kind{s, u} {
		t[Sum][k] = lift(sum[U])
		t[Prod][k] = lift(prod[U])
		t[BAnd][k] = wholeElements(k.Size(), bitAnd)
		t[BOr][k] = wholeElements(k.Size(), bitOr)
		t[BXor][k] = wholeElements(k.Size(), bitXor)
		addLogical[U](t, k)
	}
	t[Min][s], t[Max][s] = lift(minimum[S]), lift(maximum[S])
	t[Min][u], t[Max][u] = lift(minimum[U]), lift(maximum[U])
}

func addFloats[T float](t *table, k Kind) {
	t[Sum][k], t[Prod][k] = lift(sum[T]), lift(prod[T])
	t[Min][k], t[Max][k] = lift(minimum[T]), lift(maximum[T])
}

func addComplex[T complexNumber](t *table, k Kind) {
	t[Sum][k], t[Prod][k] = lift(sum[T]), lift(prod[T])
}

func addLogical[U unsigned](t *table, k Kind) {
	t[LAnd][k], t[LOr][k], t[LXor][k] = lift(logicalAnd[U]), lift(logicalOr[U]), lift(logicalXor[U])
}

// lift turns a loop over elements into a kernel.
func lift[T number](loop func(dst, src []T)) kernel {
	size := int(unsafe.Sizeof(*new(T)))
	return func(dst, src []byte) {
		checkPair(dst, src, size)
		if len(dst) == 0 {
			return
		}
		if aligned[T](dst) && aligned[T](src) {
			loop(view[T](dst), view[T](src))
			return
		}
		foldUnaligned(loop, dst, src)
	}
}

// foldUnaligned runs the loop on aligned copies, a piece at a time. Go allows
// no *T at such an address, and some processors trap on it.
func foldUnaligned[T number](loop func(dst, src []T), dst, src []byte) {
	const piece = 64
	size := int(unsafe.Sizeof(*new(T)))
	d, s := make([]T, piece), make([]T, piece)
	for len(dst) > 0 {
		n := min(len(dst)/size, piece)
		bytes := n * size
		copy(bytesOf(d), dst[:bytes])
		copy(bytesOf(s), src[:bytes])
		loop(d[:n], s[:n])
		copy(dst[:bytes], bytesOf(d))
		dst, src = dst[bytes:], src[bytes:]
	}
}

// aligned reports whether b, not empty, starts where a T may live.
func aligned[T number](b []byte) bool {
	return uintptr(unsafe.Pointer(unsafe.SliceData(b)))%unsafe.Alignof(*new(T)) == 0
}

// view is b as elements; b is aligned and holds a whole number of them.
func view[T number](b []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(*new(T))))
}

// bytesOf is the memory of v.
func bytesOf[T number](v []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(*new(T))))
}

// wholeElements guards a loop over bytes that does not look at elements.
func wholeElements(size int, loop func(dst, src []byte)) kernel {
	return func(dst, src []byte) {
		checkPair(dst, src, size)
		loop(dst, src)
	}
}

// checkPair panics unless dst and src hold the same whole number of elements.
// Element sizes are powers of two.
func checkPair(dst, src []byte, size int) {
	if len(dst) != len(src) || len(dst)&(size-1) != 0 {
		panicPair(len(dst), len(src), size)
	}
}

func panicPair(dst, src, size int) {
	panic("datatype: reduction of " + strconv.Itoa(src) + " bytes into " + strconv.Itoa(dst) +
		" bytes: both must be the same multiple of the element size " + strconv.Itoa(size))
}
