//go:build !purego

package datatype

import "golang.org/x/sys/cpu"

// Vector widths in bytes: an assembly kernel takes a whole number of vectors.
const (
	widthAVX2   = 32
	widthAVX512 = 64
)

// accelerations lists what this processor has, slowest first.
//
// AVX-512 is taken only with VBMI2, that is from Ice Lake and Zen 4 on: earlier
// processors lower the clock of the whole core for 512-bit arithmetic, which
// costs the program around a reduction more than the kernel gains.
func accelerations() []acceleration {
	var list []acceleration
	if cpu.X86.HasAVX2 {
		list = append(list, acceleration{"avx2", applyAVX2})
	}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VBMI2 {
		list = append(list, acceleration{"avx512", applyAVX512})
	}
	return list
}

func applyAVX2(t *table) {
	vectorise := func(op Op, k Kind, fold fold) {
		t[op][k] = vectors(fold, widthAVX2, k.Size(), t[op][k])
	}
	vectorise(Sum, Int32, sumInt32AVX2)
	vectorise(Sum, Uint32, sumInt32AVX2)
	vectorise(Sum, Int64, sumInt64AVX2)
	vectorise(Sum, Uint64, sumInt64AVX2)
	vectorise(Sum, Float32, sumFloat32AVX2)
	vectorise(Sum, Float64, sumFloat64AVX2)
	vectorise(Min, Int32, minInt32AVX2)
	vectorise(Min, Int64, minInt64AVX2)
	vectorise(Min, Float32, minFloat32AVX2)
	vectorise(Min, Float64, minFloat64AVX2)
	vectorise(Max, Int32, maxInt32AVX2)
	vectorise(Max, Int64, maxInt64AVX2)
	vectorise(Max, Float32, maxFloat32AVX2)
	vectorise(Max, Float64, maxFloat64AVX2)
}

func applyAVX512(t *table) {
	vectorise := func(op Op, k Kind, fold fold) {
		t[op][k] = vectors(fold, widthAVX512, k.Size(), t[op][k])
	}
	vectorise(Sum, Int32, sumInt32AVX512)
	vectorise(Sum, Uint32, sumInt32AVX512)
	vectorise(Sum, Int64, sumInt64AVX512)
	vectorise(Sum, Uint64, sumInt64AVX512)
	vectorise(Sum, Float32, sumFloat32AVX512)
	vectorise(Sum, Float64, sumFloat64AVX512)
	vectorise(Min, Int32, minInt32AVX512)
	vectorise(Min, Int64, minInt64AVX512)
	vectorise(Min, Float32, minFloat32AVX512)
	vectorise(Min, Float64, minFloat64AVX512)
	vectorise(Max, Int32, maxInt32AVX512)
	vectorise(Max, Int64, maxInt64AVX512)
	vectorise(Max, Float32, maxFloat32AVX512)
	vectorise(Max, Float64, maxFloat64AVX512)
}

// A fold is an assembly kernel over n bytes, n a positive multiple of its
// vector width. It reads and writes nothing outside these bytes and asks for
// no alignment.
type fold = func(dst, src *byte, n int)

// vectors gives whole vectors to the fold and what is left to rest, so that
// the assembly needs no code for partial vectors.
func vectors(fold fold, width, size int, rest kernel) kernel {
	return func(dst, src []byte) {
		checkPair(dst, src, size)
		n := len(dst) &^ (width - 1)
		if n > 0 {
			fold(&dst[0], &src[0], n)
		}
		if n < len(dst) {
			rest(dst[n:], src[n:])
		}
	}
}

//go:noescape
func sumInt32AVX2(dst, src *byte, n int)

//go:noescape
func sumInt64AVX2(dst, src *byte, n int)

//go:noescape
func sumFloat32AVX2(dst, src *byte, n int)

//go:noescape
func sumFloat64AVX2(dst, src *byte, n int)

//go:noescape
func minInt32AVX2(dst, src *byte, n int)

//go:noescape
func minInt64AVX2(dst, src *byte, n int)

//go:noescape
func minFloat32AVX2(dst, src *byte, n int)

//go:noescape
func minFloat64AVX2(dst, src *byte, n int)

//go:noescape
func maxInt32AVX2(dst, src *byte, n int)

//go:noescape
func maxInt64AVX2(dst, src *byte, n int)

//go:noescape
func maxFloat32AVX2(dst, src *byte, n int)

//go:noescape
func maxFloat64AVX2(dst, src *byte, n int)

//go:noescape
func sumInt32AVX512(dst, src *byte, n int)

//go:noescape
func sumInt64AVX512(dst, src *byte, n int)

//go:noescape
func sumFloat32AVX512(dst, src *byte, n int)

//go:noescape
func sumFloat64AVX512(dst, src *byte, n int)

//go:noescape
func minInt32AVX512(dst, src *byte, n int)

//go:noescape
func minInt64AVX512(dst, src *byte, n int)

//go:noescape
func minFloat32AVX512(dst, src *byte, n int)

//go:noescape
func minFloat64AVX512(dst, src *byte, n int)

//go:noescape
func maxInt32AVX512(dst, src *byte, n int)

//go:noescape
func maxInt64AVX512(dst, src *byte, n int)

//go:noescape
func maxFloat32AVX512(dst, src *byte, n int)

//go:noescape
func maxFloat64AVX512(dst, src *byte, n int)
