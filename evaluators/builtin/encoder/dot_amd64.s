//go:build !purego

#include "textflag.h"

// func dotAVX2(sums *[8]int32, a *int16, w *byte, k int)
//
// a points to two rows of k int16, one behind the other, w to four rows of k
// bytes. sums gets the products of the first row of a with each of the four of
// w, then those of the second, modulo 2³². k is a positive multiple of 16.
//
// Y0 to Y7 hold eight partial sums each: 16 weights are widened to int16,
// multiplied with 16 activations, and pairs of products added (VPMADDWD).
TEXT ·dotAVX2(SB), NOSPLIT, $0-32
	MOVQ sums+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ w+16(FP), DX
	MOVQ k+24(FP), CX
	LEAQ (SI)(CX*2), R8  // second row of a
	LEAQ (DX)(CX*1), R9  // second, third and fourth row of w
	LEAQ (DX)(CX*2), R10
	LEAQ (R9)(CX*2), R11
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	XORQ AX, AX

loop:
	VMOVDQU   (SI)(AX*2), Y8
	VMOVDQU   (R8)(AX*2), Y9
	VPMOVZXBW (DX)(AX*1), Y10
	VPMOVZXBW (R9)(AX*1), Y11
	VPMADDWD  Y8, Y10, Y12
	VPMADDWD  Y9, Y10, Y13
	VPADDD    Y12, Y0, Y0
	VPADDD    Y13, Y4, Y4
	VPMADDWD  Y8, Y11, Y14
	VPMADDWD  Y9, Y11, Y15
	VPADDD    Y14, Y1, Y1
	VPADDD    Y15, Y5, Y5
	VPMOVZXBW (R10)(AX*1), Y10
	VPMOVZXBW (R11)(AX*1), Y11
	VPMADDWD  Y8, Y10, Y12
	VPMADDWD  Y9, Y10, Y13
	VPADDD    Y12, Y2, Y2
	VPADDD    Y13, Y6, Y6
	VPMADDWD  Y8, Y11, Y14
	VPMADDWD  Y9, Y11, Y15
	VPADDD    Y14, Y3, Y3
	VPADDD    Y15, Y7, Y7
	ADDQ      $16, AX
	CMPQ      AX, CX
	JLT       loop

	// Add up the eight partial sums of each: four of a kind at once.
	VPHADDD      Y1, Y0, Y0
	VPHADDD      Y3, Y2, Y2
	VPHADDD      Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VMOVDQU      X0, (DI)
	VPHADDD      Y5, Y4, Y4
	VPHADDD      Y7, Y6, Y6
	VPHADDD      Y6, Y4, Y4
	VEXTRACTI128 $1, Y4, X5
	VPADDD       X5, X4, X4
	VMOVDQU      X4, 16(DI)
	VZEROUPPER
	RET
