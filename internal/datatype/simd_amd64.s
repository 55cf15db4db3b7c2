//go:build !purego

#include "textflag.h"

// Reduction kernels for amd64, all of the same shape:
//
//	func name(dst, src *byte, n int)
//
// folds n bytes of src into dst; n is a positive multiple of the vector width
// (32 bytes for AVX2, 64 for AVX-512). A kernel is a sweep (how to walk the two
// buffers) around a step (how two vectors become one).
//
// A step gets d, a vector of dst, and s, a vector of src; it leaves the result
// in d and may use s and t freely. Except for 64-bit minima and maxima the steps
// are the same for both widths.

#define SUM_INT32(d, s, t)   VPADDD s, d, d
#define SUM_INT64(d, s, t)   VPADDQ s, d, d
#define SUM_FLOAT32(d, s, t) VADDPS s, d, d
#define SUM_FLOAT64(d, s, t) VADDPD s, d, d

#define MIN_INT32(d, s, t) VPMINSD s, d, d
#define MAX_INT32(d, s, t) VPMAXSD s, d, d

// AVX2 has no minimum of 64-bit integers: where d > s (for the maximum s > d)
// take s, else keep d.
#define MIN_INT64_BLEND(d, s, t) \
	VPCMPGTQ  s, d, t; \
	VBLENDVPD t, s, d, d

#define MAX_INT64_BLEND(d, s, t) \
	VPCMPGTQ  d, s, t; \
	VBLENDVPD t, s, d, d

// AVX-512 has.
#define MIN_INT64(d, s, t) VPMINSQ s, d, d
#define MAX_INT64(d, s, t) VPMAXSQ s, d, d

// MINPD and MAXPD return their second operand when one is a NaN or both are
// zeros. Asking in both orders gives two answers that differ in just these
// cases. For the minimum their OR is the result: a NaN stays a NaN, and -0 OR
// +0 is -0.
#define MIN_FLOAT32(d, s, t) \
	VMINPS s, d, t; \
	VMINPS d, s, s; \
	VORPS  s, t, d

#define MIN_FLOAT64(d, s, t) \
	VMINPD s, d, t; \
	VMINPD d, s, s; \
	VORPD  s, t, d

// For the maximum the OR keeps a NaN but makes -0 of two unlike zeros. The XOR
// of the answers is 0, or -0 for unlike zeros; subtracting it changes nothing
// but -0 - -0 = +0, and a NaN stays one.
#define MAX_FLOAT32(d, s, t) \
	VMAXPS s, d, t; \
	VMAXPS d, s, s; \
	VXORPS t, s, s; \
	VORPS  s, t, t; \
	VSUBPS s, t, d

#define MAX_FLOAT64(d, s, t) \
	VMAXPD s, d, t; \
	VMAXPD d, s, s; \
	VXORPD t, s, s; \
	VORPD  s, t, t; \
	VSUBPD s, t, d

// The sweeps take four vectors a turn, then one: enough in flight to keep both
// load ports busy. CX counts the bytes left, less one turn.

#define SWEEP_AVX2(STEP) \
	MOVQ dst+0(FP), DI; \
	MOVQ src+8(FP), SI; \
	MOVQ n+16(FP), CX; \
	SUBQ $128, CX; \
	JB   single; \
four: \
	VMOVDQU (DI), Y0; \
	VMOVDQU 32(DI), Y1; \
	VMOVDQU 64(DI), Y2; \
	VMOVDQU 96(DI), Y3; \
	VMOVDQU (SI), Y4; \
	VMOVDQU 32(SI), Y5; \
	VMOVDQU 64(SI), Y6; \
	VMOVDQU 96(SI), Y7; \
	STEP(Y0, Y4, Y8); \
	STEP(Y1, Y5, Y9); \
	STEP(Y2, Y6, Y10); \
	STEP(Y3, Y7, Y11); \
	VMOVDQU Y0, (DI); \
	VMOVDQU Y1, 32(DI); \
	VMOVDQU Y2, 64(DI); \
	VMOVDQU Y3, 96(DI); \
	ADDQ $128, DI; \
	ADDQ $128, SI; \
	SUBQ $128, CX; \
	JAE  four; \
single: \
	ADDQ $128, CX; \
	JZ   done; \
one: \
	VMOVDQU (DI), Y0; \
	VMOVDQU (SI), Y4; \
	STEP(Y0, Y4, Y8); \
	VMOVDQU Y0, (DI); \
	ADDQ $32, DI; \
	ADDQ $32, SI; \
	SUBQ $32, CX; \
	JNZ  one; \
done: \
	VZEROUPPER; \
	RET

#define SWEEP_AVX512(STEP) \
	MOVQ dst+0(FP), DI; \
	MOVQ src+8(FP), SI; \
	MOVQ n+16(FP), CX; \
	SUBQ $256, CX; \
	JB   single; \
four: \
	VMOVDQU64 (DI), Z0; \
	VMOVDQU64 64(DI), Z1; \
	VMOVDQU64 128(DI), Z2; \
	VMOVDQU64 192(DI), Z3; \
	VMOVDQU64 (SI), Z4; \
	VMOVDQU64 64(SI), Z5; \
	VMOVDQU64 128(SI), Z6; \
	VMOVDQU64 192(SI), Z7; \
	STEP(Z0, Z4, Z8); \
	STEP(Z1, Z5, Z9); \
	STEP(Z2, Z6, Z10); \
	STEP(Z3, Z7, Z11); \
	VMOVDQU64 Z0, (DI); \
	VMOVDQU64 Z1, 64(DI); \
	VMOVDQU64 Z2, 128(DI); \
	VMOVDQU64 Z3, 192(DI); \
	ADDQ $256, DI; \
	ADDQ $256, SI; \
	SUBQ $256, CX; \
	JAE  four; \
single: \
	ADDQ $256, CX; \
	JZ   done; \
one: \
	VMOVDQU64 (DI), Z0; \
	VMOVDQU64 (SI), Z4; \
	STEP(Z0, Z4, Z8); \
	VMOVDQU64 Z0, (DI); \
	ADDQ $64, DI; \
	ADDQ $64, SI; \
	SUBQ $64, CX; \
	JNZ  one; \
done: \
	VZEROUPPER; \
	RET

// func sumInt32AVX2(dst, src *byte, n int)
TEXT ·sumInt32AVX2(SB), NOSPLIT, $0-24
	SWEEP_AVX2(SUM_INT32)

// func sumInt64AVX2(dst, src *byte, n int)
TEXT ·sumInt64AVX2(SB), NOSPLIT, $0-24
	SWEEP_AVX2(SUM_INT64)

// func sumFloat32AVX2(dst, src *byte, n int)
TEXT ·sumFloat32AVX2(SB), NOSPLIT, $0-24
	SWEEP_AVX2(SUM_FLOAT32)

// func sumFloat64AVX2(dst, src *byte, n int)
TEXT ·sumFloat64AVX2(SB), NOSPLIT, $0-24
	SWEEP_AVX2(SUM_FLOAT64)

// func minInt32AVX2(dst, src *byte, n int)
TEXT ·minInt32AVX2(SB), NOSPLIT, $0-24
	SWEEP_AVX2(MIN_INT32)

// func minInt64AVX2(dst, src *byte, n int)
TEXT ·minInt64AVX2(SB), NOSPLIT, $0-24
	SWEEP_AVX2(MIN_INT64_BLEND)

// func minFloat32AVX2(dst, src *byte, n int)
TEXT ·minFloat32AVX2(SB), NOSPLIT, $0-24
	SWEEP_AVX2(MIN_FLOAT32)

// func minFloat64AVX2(dst, src *byte, n int)
TEXT ·minFloat64AVX2(SB), NOSPLIT, $0-24
	SWEEP_AVX2(MIN_FLOAT64)

// func maxInt32AVX2(dst, src *byte, n int)
TEXT ·maxInt32AVX2(SB), NOSPLIT, $0-24
	SWEEP_AVX2(MAX_INT32)

// func maxInt64AVX2(dst, src *byte, n int)
TEXT ·maxInt64AVX2(SB), NOSPLIT, $0-24
	SWEEP_AVX2(MAX_INT64_BLEND)

// func maxFloat32AVX2(dst, src *byte, n int)
TEXT ·maxFloat32AVX2(SB), NOSPLIT, $0-24
	SWEEP_AVX2(MAX_FLOAT32)

// func maxFloat64AVX2(dst, src *byte, n int)
TEXT ·maxFloat64AVX2(SB), NOSPLIT, $0-24
	SWEEP_AVX2(MAX_FLOAT64)

// func sumInt32AVX512(dst, src *byte, n int)
TEXT ·sumInt32AVX512(SB), NOSPLIT, $0-24
	SWEEP_AVX512(SUM_INT32)

// func sumInt64AVX512(dst, src *byte, n int)
TEXT ·sumInt64AVX512(SB), NOSPLIT, $0-24
	SWEEP_AVX512(SUM_INT64)

// func sumFloat32AVX512(dst, src *byte, n int)
TEXT ·sumFloat32AVX512(SB), NOSPLIT, $0-24
	SWEEP_AVX512(SUM_FLOAT32)

// func sumFloat64AVX512(dst, src *byte, n int)
TEXT ·sumFloat64AVX512(SB), NOSPLIT, $0-24
	SWEEP_AVX512(SUM_FLOAT64)

// func minInt32AVX512(dst, src *byte, n int)
TEXT ·minInt32AVX512(SB), NOSPLIT, $0-24
	SWEEP_AVX512(MIN_INT32)

// func minInt64AVX512(dst, src *byte, n int)
TEXT ·minInt64AVX512(SB), NOSPLIT, $0-24
	SWEEP_AVX512(MIN_INT64)

// func minFloat32AVX512(dst, src *byte, n int)
TEXT ·minFloat32AVX512(SB), NOSPLIT, $0-24
	SWEEP_AVX512(MIN_FLOAT32)

// func minFloat64AVX512(dst, src *byte, n int)
TEXT ·minFloat64AVX512(SB), NOSPLIT, $0-24
	SWEEP_AVX512(MIN_FLOAT64)

// func maxInt32AVX512(dst, src *byte, n int)
TEXT ·maxInt32AVX512(SB), NOSPLIT, $0-24
	SWEEP_AVX512(MAX_INT32)

// func maxInt64AVX512(dst, src *byte, n int)
TEXT ·maxInt64AVX512(SB), NOSPLIT, $0-24
	SWEEP_AVX512(MAX_INT64)

// func maxFloat32AVX512(dst, src *byte, n int)
TEXT ·maxFloat32AVX512(SB), NOSPLIT, $0-24
	SWEEP_AVX512(MAX_FLOAT32)

// func maxFloat64AVX512(dst, src *byte, n int)
TEXT ·maxFloat64AVX512(SB), NOSPLIT, $0-24
	SWEEP_AVX512(MAX_FLOAT64)
