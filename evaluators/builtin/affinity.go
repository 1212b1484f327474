package builtin

import (
	"context"
	"math"
)

// Affinity is what tells an answer to a question from an answer to another one.
type Affinity struct {
	// Similarity is the cosine of the question and the answer, of which a model
	// reads the beginning.
	Similarity float64
	// Coverage is the share of the question's topic words that the answer uses,
	// Neighbours that of its pairs of topic words that follow each other: 0 to 1.
	Coverage, Neighbours float64
	// Shared is how many topic words the answer uses, Missing how many it does
	// not, as logarithms of one more than their weights. Three of six say more
	// than one of two.
	Shared, Missing float64
}

// MeasureAffinity compares an answer with a question, of each of which it reads
// [DefaultMaxOutput] bytes, and as much as the model does. Its error is that of
// the model, or the cause of ctx. It is for who trains or measures a [Model];
// the metric answer_relevancy judges fewer answers, those that this can tell of.
func MeasureAffinity(ctx context.Context, m Model, question, answer string) (Affinity, error) {
	q, a := read(question, DefaultMaxOutput), read(answer, DefaultMaxOutput)
	vectors, err := m.Embed(ctx, beginning(question), beginning(answer))
	if err != nil {
		return Affinity{}, err
	}
	used, err := wordingOf(ctx, &a)
	if err != nil {
		return Affinity{}, err
	}
	return affinity(topicsOf(q), used, vectors[0].Cosine(vectors[1])), nil
}

// beginning is as much of a text as is given to a model, which reads less still.
func beginning(text string) string {
	text, _ = clip(text, 8<<10)
	return text
}

// affinity of a question's topics, the words of an answer, and their texts.
func affinity(asked topics, used wording, similarity float64) Affinity {
	a := Affinity{Similarity: similarity}
	_, shared, missing := asked.coverage(used)
	a.Coverage = share(shared, missing)
	a.Neighbours = asked.neighbours(used)
	a.Shared, a.Missing = math.Log1p(shared), math.Log1p(missing)
	return a
}

// Features are the values in the order of the weights. Coverage is not among
// them: beside Shared and Missing it says nothing more.
func (a Affinity) Features() [4]float64 {
	return [...]float64{a.Similarity, a.Neighbours, a.Shared, a.Missing}
}

// Probability is how probable it is that the answer was given to this question,
// if it was given either to this one or, as probably, to another: half the time
// to any other, half the time to the one that is nearest to this. It is a
// logistic regression on the features.
func (a Affinity) Probability() float64 {
	sum := affinityBias
	for i, f := range a.Features() {
		sum += float64(affinityWeights[i] * f)
	}
	return 1 / (1 + math.Exp(-sum))
}

// wording is the words of an answer, as stems, and the pairs of topic words
// that follow each other in a sentence.
type wording struct {
	words map[string]bool
	pairs map[[2]string]bool
}

// wordingOf looks at ctx between sentences.
func wordingOf(ctx context.Context, p *passage) (wording, error) {
	v := wording{words: make(map[string]bool), pairs: make(map[[2]string]bool)}
	for _, s := range p.sentences {
		if err := ctx.Err(); err != nil {
			return wording{}, err
		}
		last := ""
		for _, w := range s.words {
			v.words[w.stem] = true
			if functionWords[w.text] {
				continue
			}
			if last != "" {
				v.pairs[[2]string{last, w.stem}] = true
			}
			last = w.stem
		}
	}
	return v, nil
}

// neighbours is the share of the question's pairs that the answer has. One pair
// more is counted than there are, since one in one says less than three in three.
func (t topics) neighbours(used wording) float64 {
	shared := 0
	for _, p := range t.pairs {
		if used.pairs[p] {
			shared++
		}
	}
	return float64(shared) / float64(len(t.pairs)+1)
}
