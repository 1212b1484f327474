package heads

// Weights of the sources are equal: few posts of one kind shall count like many
// of another, since neither is what the head will be used on.
const sourceWeight = 1

// FitToxicity trains the head of overt toxicity on embedded sources, which are
// taken in the order given; of [Replies] the half that is not odd.
//
// A label is one of a whole text, and the head is asked of sentences too. So
// it is trained twice. First on the texts, and on every sentence of a harmless
// one, which must be harmless; then also on that sentence of each toxic text
// which the first head finds worst.
func FitToxicity(sources ...*Source) Head {
	first := fitToxicity(sources, nil)
	return fitToxicity(sources, &first)
}

// worstFrom is from where the worst sentence of a toxic text is taken for toxic
// itself: it may be the whole that is.
const worstFrom = 0.3

func fitToxicity(sources []*Source, first *Head) Head {
	var examples []example
	for _, s := range sources {
		if s.Name == Replies {
			var sentences [][]float32
			for _, r := range s.Rows {
				if !r.Odd {
					sentences = appendVectors(sentences, r)
				}
			}
			for _, v := range sentences {
				examples = append(examples, example{v, false, sourceWeight / float64(len(sentences))})
			}
			continue
		}
		var toxic, harmless [][]float32
		for _, r := range s.Rows {
			if len(r.Vector) == 0 {
				continue
			}
			switch {
			case !r.Toxic:
				harmless = append(harmless, r.Vector)
				if len(r.Vectors) > 1 {
					harmless = appendVectors(harmless, r)
				}
			default:
				toxic = append(toxic, r.Vector)
				if first != nil && len(r.Vectors) > 1 {
					if v, p := first.worst(r); p > worstFrom {
						toxic = append(toxic, v)
					}
				}
			}
		}
		examples = balanced(examples, sourceWeight, toxic, harmless)
	}
	return fit(examples)
}

// worst is the sentence that the head finds most toxic, the first of equals.
func (h Head) worst(r Row) (v []float32, p float64) {
	for _, s := range r.Vectors {
		if len(s) == 0 {
			continue
		}
		if q := h.Probability(s); v == nil || q > p {
			v, p = s, q
		}
	}
	return v, p
}

func appendVectors(to [][]float32, r Row) [][]float32 {
	for _, v := range r.Vectors {
		if len(v) > 0 {
			to = append(to, v)
		}
	}
	return to
}
