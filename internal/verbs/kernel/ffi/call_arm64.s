//go:build rdma && linux

#include "textflag.h"

GLOBL ·trampolineABI0(SB), NOPTR|RODATA, $8
DATA ·trampolineABI0(SB)/8, $trampoline(SB)

// trampoline is called by C's convention: R0 is a *call. Callees save R19.
TEXT trampoline(SB), NOSPLIT|NOFRAME, $0
	SUB  $32, RSP
	MOVD R30, 0(RSP)
	MOVD R19, 8(RSP)
	MOVD R29, 16(RSP)
	MOVD R0, R19
	MOVD 8(R19), R0
	MOVD 16(R19), R1
	MOVD 24(R19), R2
	MOVD 32(R19), R3
	MOVD 40(R19), R4
	MOVD 0(R19), R9
	BL   (R9)
	MOVD R0, 48(R19)
	MOVD 56(R19), R9
	CBZ  R9, done
	BL   (R9)
	MOVW (R0), R0
	MOVW R0, 64(R19)

done:
	MOVD 0(RSP), R30
	MOVD 8(RSP), R19
	MOVD 16(RSP), R29
	ADD  $32, RSP
	RET
