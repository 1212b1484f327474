//go:build !purego

package encoder

import "golang.org/x/sys/cpu"

// haveAVX2 says that the processor and the operating system have what dotAVX2
// needs; every x86 server since 2015 does.
var haveAVX2 = cpu.X86.HasAVX2

// dotAVX2 multiplies two rows of k activations, one behind the other, with four
// rows of k bytes, and leaves to the caller that [layout.Zero] is not zero: sums,
// modulo 2³², has the products of the first row with each of the four, then
// those of the second. k is a positive multiple of 16.
//
//go:noescape
func dotAVX2(sums *[8]int32, a *int16, w *byte, k int)
