package encoder

// dotPortable multiplies two rows of activations with four rows of weights, all
// of len(pair) values. sums gets the products of the first row with each of the
// four, then those of the second.
//
// The two rows are one: pair holds the sum of the first row's activation and of
// 2³² times the second's, so that one 64-bit multiplication does both; offset is
// likewise the sum of what the two rows make of weights of 0. On the way the
// lower half overflows into the upper one. In the end both fit their 32 bits
// (see [largestActivation]), and since the lower one may be negative, it is
// taken from the whole before the upper one is read.
func dotPortable(sums *[8]int32, pair []int64, offset int64, w []byte) {
	k := len(pair)
	w0, w1, w2, w3 := w[:k], w[k:][:k], w[2*k:][:k], w[3*k:][:k]
	s0, s1, s2, s3 := -offset, -offset, -offset, -offset
	for i, p := range pair {
		s0 += p * int64(w0[i])
		s1 += p * int64(w1[i])
		s2 += p * int64(w2[i])
		s3 += p * int64(w3[i])
	}
	for j, s := range [4]int64{s0, s1, s2, s3} {
		lower := int32(s)
		sums[j] = lower
		sums[4+j] = int32((s - int64(lower)) >> 32)
	}
}

// widen makes the pair of two rows.
func widen(pair []int64, first, second []int16) {
	first, second = first[:len(pair)], second[:len(pair)]
	for i := range pair {
		pair[i] = int64(first[i]) + int64(second[i])<<32
	}
}
