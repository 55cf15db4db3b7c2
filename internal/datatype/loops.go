package datatype

import "encoding/binary"

// The loops of the portable kernels. Each does eight elements (or 32 bytes) a
// turn through array pointers: one bounds check per turn and no dependency
// between elements, which is as fast as Go gets without assembly. Each writes
// its operation out, because a function value called per element would cost
// more than the operation. dst and src have equal length.

type signed interface {
	int8 | int16 | int32 | int64
}

type unsigned interface {
	uint8 | uint16 | uint32 | uint64
}

type float interface {
	float32 | float64
}

type complexNumber interface {
	complex64 | complex128
}

// ordered are the kinds that have a minimum.
type ordered interface {
	signed | unsigned | float
}

type number interface {
	ordered | complexNumber
}

func sum[T number](dst, src []T) {
	for len(dst) >= 8 && len(src) >= 8 {
		d, s := (*[8]T)(dst), (*[8]T)(src)
		d[0] += s[0]
		d[1] += s[1]
		d[2] += s[2]
		d[3] += s[3]
		d[4] += s[4]
		d[5] += s[5]
		d[6] += s[6]
		d[7] += s[7]
		dst, src = dst[8:], src[8:]
	}
	for i := range dst {
		dst[i] += src[i]
	}
}

func prod[T number](dst, src []T) {
	for len(dst) >= 8 && len(src) >= 8 {
		d, s := (*[8]T)(dst), (*[8]T)(src)
		d[0] *= s[0]
		d[1] *= s[1]
		d[2] *= s[2]
		d[3] *= s[3]
		d[4] *= s[4]
		d[5] *= s[5]
		d[6] *= s[6]
		d[7] *= s[7]
		dst, src = dst[8:], src[8:]
	}
	for i := range dst {
		dst[i] *= src[i]
	}
}

func minimum[T ordered](dst, src []T) {
	for len(dst) >= 8 && len(src) >= 8 {
		d, s := (*[8]T)(dst), (*[8]T)(src)
		d[0] = min(d[0], s[0])
		d[1] = min(d[1], s[1])
		d[2] = min(d[2], s[2])
		d[3] = min(d[3], s[3])
		d[4] = min(d[4], s[4])
		d[5] = min(d[5], s[5])
		d[6] = min(d[6], s[6])
		d[7] = min(d[7], s[7])
		dst, src = dst[8:], src[8:]
	}
	for i := range dst {
		dst[i] = min(dst[i], src[i])
	}
}

func maximum[T ordered](dst, src []T) {
	for len(dst) >= 8 && len(src) >= 8 {
		d, s := (*[8]T)(dst), (*[8]T)(src)
		d[0] = max(d[0], s[0])
		d[1] = max(d[1], s[1])
		d[2] = max(d[2], s[2])
		d[3] = max(d[3], s[3])
		d[4] = max(d[4], s[4])
		d[5] = max(d[5], s[5])
		d[6] = max(d[6], s[6])
		d[7] = max(d[7], s[7])
		dst, src = dst[8:], src[8:]
	}
	for i := range dst {
		dst[i] = max(dst[i], src[i])
	}
}

// truth is 1 for true elements and 0 for false ones; it compiles to no branch.
func truth[U unsigned](x U) U {
	var one U
	if x != 0 {
		one = 1
	}
	return one
}

func logicalAnd[U unsigned](dst, src []U) {
	for len(dst) >= 8 && len(src) >= 8 {
		d, s := (*[8]U)(dst), (*[8]U)(src)
		d[0] = truth(d[0]) & truth(s[0])
		d[1] = truth(d[1]) & truth(s[1])
		d[2] = truth(d[2]) & truth(s[2])
		d[3] = truth(d[3]) & truth(s[3])
		d[4] = truth(d[4]) & truth(s[4])
		d[5] = truth(d[5]) & truth(s[5])
		d[6] = truth(d[6]) & truth(s[6])
		d[7] = truth(d[7]) & truth(s[7])
		dst, src = dst[8:], src[8:]
	}
	for i := range dst {
		dst[i] = truth(dst[i]) & truth(src[i])
	}
}

func logicalOr[U unsigned](dst, src []U) {
	for len(dst) >= 8 && len(src) >= 8 {
		d, s := (*[8]U)(dst), (*[8]U)(src)
		d[0] = truth(d[0] | s[0])
		d[1] = truth(d[1] | s[1])
		d[2] = truth(d[2] | s[2])
		d[3] = truth(d[3] | s[3])
		d[4] = truth(d[4] | s[4])
		d[5] = truth(d[5] | s[5])
		d[6] = truth(d[6] | s[6])
		d[7] = truth(d[7] | s[7])
		dst, src = dst[8:], src[8:]
	}
	for i := range dst {
		dst[i] = truth(dst[i] | src[i])
	}
}

func logicalXor[U unsigned](dst, src []U) {
	for len(dst) >= 8 && len(src) >= 8 {
		d, s := (*[8]U)(dst), (*[8]U)(src)
		d[0] = truth(d[0]) ^ truth(s[0])
		d[1] = truth(d[1]) ^ truth(s[1])
		d[2] = truth(d[2]) ^ truth(s[2])
		d[3] = truth(d[3]) ^ truth(s[3])
		d[4] = truth(d[4]) ^ truth(s[4])
		d[5] = truth(d[5]) ^ truth(s[5])
		d[6] = truth(d[6]) ^ truth(s[6])
		d[7] = truth(d[7]) ^ truth(s[7])
		dst, src = dst[8:], src[8:]
	}
	for i := range dst {
		dst[i] = truth(dst[i]) ^ truth(src[i])
	}
}

// Bitwise operations do not care where elements begin, so one loop serves every
// integer kind at any address, eight bytes to a word.

// word reads the eight bytes at b; putWord writes them back.
func word(b []byte) uint64       { return binary.NativeEndian.Uint64(b) }
func putWord(b []byte, w uint64) { binary.NativeEndian.PutUint64(b, w) }

func bitAnd(dst, src []byte) {
	for len(dst) >= 32 && len(src) >= 32 {
		d, s := (*[32]byte)(dst), (*[32]byte)(src)
		putWord(d[0:], word(d[0:])&word(s[0:]))
		putWord(d[8:], word(d[8:])&word(s[8:]))
		putWord(d[16:], word(d[16:])&word(s[16:]))
		putWord(d[24:], word(d[24:])&word(s[24:]))
		dst, src = dst[32:], src[32:]
	}
	for i := range dst {
		dst[i] &= src[i]
	}
}

func bitOr(dst, src []byte) {
	for len(dst) >= 32 && len(src) >= 32 {
		d, s := (*[32]byte)(dst), (*[32]byte)(src)
		putWord(d[0:], word(d[0:])|word(s[0:]))
		putWord(d[8:], word(d[8:])|word(s[8:]))
		putWord(d[16:], word(d[16:])|word(s[16:]))
		putWord(d[24:], word(d[24:])|word(s[24:]))
		dst, src = dst[32:], src[32:]
	}
	for i := range dst {
		dst[i] |= src[i]
	}
}

func bitXor(dst, src []byte) {
	for len(dst) >= 32 && len(src) >= 32 {
		d, s := (*[32]byte)(dst), (*[32]byte)(src)
		putWord(d[0:], word(d[0:])^word(s[0:]))
		putWord(d[8:], word(d[8:])^word(s[8:]))
		putWord(d[16:], word(d[16:])^word(s[16:]))
		putWord(d[24:], word(d[24:])^word(s[24:]))
		dst, src = dst[32:], src[32:]
	}
	for i := range dst {
		dst[i] ^= src[i]
	}
}
