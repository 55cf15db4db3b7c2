package datatype

import "math"

// The two floats of 16 bits: IEEE 754's half (5 bits of exponent, 11 of precision) and bfloat16, which is the
// upper half of a float32 (8 and 8). To float32 they convert exactly; the way back rounds to the nearest, a
// tie to the even one. A reduction computes each result in float32 and rounds it, which gives what the exact
// result would: float32 has more than twice their precision.

// Float16To32 converts IEEE 754's half.
func Float16To32(h uint16) float32 {
	sign, exp, frac := uint32(h&0x8000)<<16, uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exp {
	case 0: // zero and what has no leading one: frac times 2^-24
		return math.Float32frombits(sign | math.Float32bits(float32(frac)*(1.0/(1<<24))))
	case 0x1f:
		return math.Float32frombits(sign | 0xff<<23 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+127-15)<<23 | frac<<13)
}

// Float16From32 rounds to IEEE 754's half. What is beyond its largest number becomes infinite; a NaN stays one.
func Float16From32(f float32) uint16 {
	const (
		half     = 0x3f000000 // 0.5, whose last bit is worth 2^-24: a half's smallest number
		normal   = (127 - 14) << 23
		infinite = 0x477ff000 // 65520, halfway between the largest half and the next, which there is none of
	)
	bits := math.Float32bits(f)
	sign, abs := uint16(bits>>16&0x8000), bits&0x7fffffff
	switch {
	case abs > 0x7f800000:
		return sign | 0x7e00 | uint16(abs>>13&0x3ff)
	case abs >= infinite:
		return sign | 0x7c00
	case abs < normal:
		return sign | uint16(math.Float32bits(math.Float32frombits(abs)+0.5)-half)
	}
	abs -= (127 - 15) << 23
	return sign | uint16((abs+0xfff+abs>>13&1)>>13)
}

// BFloat16To32 converts bfloat16.
func BFloat16To32(h uint16) float32 { return math.Float32frombits(uint32(h) << 16) }

// BFloat16From32 rounds to bfloat16. A NaN stays one.
func BFloat16From32(f float32) uint16 {
	bits := math.Float32bits(f)
	if bits&0x7fffffff > 0x7f800000 {
		return uint16(bits>>16) | 0x40
	}
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}

// addHalves adds the kernels of both.
func addHalves(t *table) {
	for op, f := range map[Op][2]func(dst, src []uint16){
		Sum:  {sum16, sumB16},
		Prod: {prod16, prodB16},
		Min:  {min16, minB16},
		Max:  {max16, maxB16},
	} {
		t[op][Float16], t[op][BFloat16] = lift(f[0]), lift(f[1])
	}
}

func sum16(dst, src []uint16) {
	for i := range dst {
		dst[i] = Float16From32(Float16To32(dst[i]) + Float16To32(src[i]))
	}
}

func sumB16(dst, src []uint16) {
	for i := range dst {
		dst[i] = BFloat16From32(BFloat16To32(dst[i]) + BFloat16To32(src[i]))
	}
}

func prod16(dst, src []uint16) {
	for i := range dst {
		dst[i] = Float16From32(Float16To32(dst[i]) * Float16To32(src[i]))
	}
}

func prodB16(dst, src []uint16) {
	for i := range dst {
		dst[i] = BFloat16From32(BFloat16To32(dst[i]) * BFloat16To32(src[i]))
	}
}

func min16(dst, src []uint16) {
	for i := range dst {
		dst[i] = Float16From32(min(Float16To32(dst[i]), Float16To32(src[i])))
	}
}

func minB16(dst, src []uint16) {
	for i := range dst {
		dst[i] = BFloat16From32(min(BFloat16To32(dst[i]), BFloat16To32(src[i])))
	}
}

func max16(dst, src []uint16) {
	for i := range dst {
		dst[i] = Float16From32(max(Float16To32(dst[i]), Float16To32(src[i])))
	}
}

func maxB16(dst, src []uint16) {
	for i := range dst {
		dst[i] = BFloat16From32(max(BFloat16To32(dst[i]), BFloat16To32(src[i])))
	}
}
