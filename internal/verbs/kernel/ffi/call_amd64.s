//go:build rdma && linux

#include "textflag.h"

GLOBL ·trampolineABI0(SB), NOPTR|RODATA, $8
DATA ·trampolineABI0(SB)/8, $trampoline(SB)

// trampoline is called by C's convention: DI is a *call.
TEXT trampoline(SB), NOSPLIT|NOFRAME, $0
	PUSHQ BX
	MOVQ  DI, BX
	MOVQ  8(BX), DI
	MOVQ  16(BX), SI
	MOVQ  24(BX), DX
	MOVQ  32(BX), CX
	MOVQ  40(BX), R8
	MOVQ  0(BX), AX
	CALL  AX
	MOVQ  AX, 48(BX)
	MOVQ  56(BX), AX
	TESTQ AX, AX
	JEQ   done
	CALL  AX
	MOVL  (AX), AX
	MOVL  AX, 64(BX)

done:
	POPQ BX
	RET
