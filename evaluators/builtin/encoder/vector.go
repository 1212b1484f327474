package encoder

// Size is the number of values of a [Vector].
const Size = 512

// Vector is the meaning of a text as a point: texts that mean similar things
// are close to each other.
type Vector struct {
	// Values have the length 1 together, or are all 0 for a text in which there
	// is nothing but white space.
	Values [Size]float32
	// Pieces is how many pieces of words the text was read as, at most
	// [MaxPieces].
	Pieces int
	// Truncated says that the text was longer, and the vector is that of its
	// beginning.
	Truncated bool
}

// Cosine is how similar two texts are: 1 for the same, about 0 for those that
// have nothing to do with each other. It is 0 where either text is empty or
// either vector nil.
func (v *Vector) Cosine(w *Vector) float64 {
	if v == nil || w == nil {
		return 0
	}
	return float64(dot(v.Values[:], w.Values[:]))
}
