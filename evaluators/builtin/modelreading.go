package builtin

import (
	"context"
	"math"
	"slices"
	"unicode/utf8"
)

// methodModel begins the method of results that a model had a part in.
const methodModel = "embedded:"

// The most sentences of an output that the model reads: DefaultMaxSentences of
// a whole core, of a share of one so much less, but at least leastSentences. So
// reading takes about 0.2 s at every share, at 2 ms a sentence. Long sentences
// count for more, so that hostile ones do not take longer: on the average they
// may have piecesApiece pieces of words, which is some sixteen words.
const (
	DefaultMaxSentences = 96
	leastSentences      = 12
	piecesApiece        = 42
	mostPieces          = 128 // of a text are read by an encoder
)

// WithMaxSentences sets how many sentences of an output the model reads, in
// place of [DefaultMaxSentences] × the share, at least 12; of sentences with more
// than some sixteen words on the average fewer. Word lists read the others too.
// Less than 1 keeps the default.
func WithMaxSentences(n int) Option {
	return func(e *Evaluator) {
		if n > 0 {
			e.maxSentences = n
		}
	}
}

func (e *Evaluator) sentencesRead() int {
	if e.maxSentences > 0 {
		return e.maxSentences
	}
	return max(leastSentences, int(math.Round(DefaultMaxSentences*e.share)))
}

// embed returns the vectors of texts, and marks the result being judged as one
// that the model had a part in. It is for evaluators with a model only.
func (s *subject) embed(ctx context.Context, texts ...string) ([]Vector, error) {
	s.method = methodModel + s.limits.model.Name()
	return s.limits.model.Embed(ctx, texts...)
}

// affordable chooses those of the places whose texts the model may read: as many
// as choose gives for the largest number of them that is within the bounds, one
// at least.
func (e *Evaluator) affordable(places []int, text func(place int) string, choose func(places []int, n int) []int) []int {
	n := e.sentencesRead()
	most := n * piecesApiece
	for {
		read := choose(places, n)
		pieces := 0
		for _, i := range read {
			pieces += piecesOf(text(i))
		}
		if pieces <= most || len(read) <= 1 {
			return read
		}
		n = max(1, min(len(read)-1, len(read)*most/pieces))
	}
}

// piecesOf estimates of how many pieces an encoder makes a text: of half as many
// as it has letters, rather more than there are in prose. What is no prose may
// have twice as many.
func piecesOf(text string) int {
	return min(mostPieces, 1+utf8.RuneCountInString(text[:min(len(text), 8*mostPieces)])/2)
}

// vectorsOf returns the vectors of sentences of the output, by their places.
func (s *subject) vectorsOf(ctx context.Context, places []int) ([]Vector, error) {
	texts := make([]string, len(places))
	for k, i := range places {
		texts[k] = s.out.sentences[i].text
	}
	return s.vectorsOfTexts(ctx, texts)
}

// vectorsOfTexts returns the vectors of parts of the output. What one metric has
// had embedded the next need not.
func (s *subject) vectorsOfTexts(ctx context.Context, texts []string) ([]Vector, error) {
	var missing []string
	asked := make(map[string]bool)
	for _, t := range texts {
		if _, ok := s.vectors[t]; !ok && !asked[t] {
			asked[t] = true
			missing = append(missing, t)
		}
	}
	embedded, err := s.embed(ctx, missing...)
	if err != nil {
		return nil, err
	}
	if s.vectors == nil {
		s.vectors = make(map[string]Vector, len(texts))
	}
	for k, t := range missing {
		s.vectors[t] = embedded[k]
	}
	vectors := make([]Vector, len(texts))
	for k, t := range texts {
		vectors[k] = s.vectors[t]
	}
	return vectors, nil
}

// worded are the places of the sentences that have words.
func (p *passage) worded() []int {
	var places []int
	for i, sen := range p.sentences {
		if len(sen.words) > 0 {
			places = append(places, i)
		}
	}
	return places
}

// firstWorthy chooses at most n of the places, in order: the worthy ones before
// others, and of equals those nearer to the beginning or to the end of the text.
func firstWorthy(places []int, n int, worthy func(place int) bool) []int {
	if len(places) <= n {
		return places
	}
	var ranked, others []int
	rank := func(place int) {
		if worthy(place) {
			ranked = append(ranked, place)
		} else {
			others = append(others, place)
		}
	}
	for i, j := 0, len(places)-1; i <= j; i, j = i+1, j-1 {
		rank(places[i])
		if i < j {
			rank(places[j])
		}
	}
	ranked = append(ranked, others...)[:n]
	slices.Sort(ranked)
	return ranked
}

// spread chooses at most n of the places, evenly over all.
func spread(places []int, n int) []int {
	if len(places) <= n {
		return places
	}
	chosen := make([]int, n)
	for i := range chosen {
		chosen[i] = places[i*len(places)/n]
	}
	return chosen
}

// logOdds is the sum that a logistic regression made a probability of.
func logOdds(p float64) float64 {
	const most = 1e-9
	p = min(max(p, most), 1-most)
	return math.Log(p / (1 - p))
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
