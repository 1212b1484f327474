package builtin

import (
	"context"

	"github.com/genaievals/genaievals/evaluators"
)

// leaning is by how much one of positive and negative must be more probable
// than the other, on the average over a text's sentences, for the text to have
// that label.
const leaning = 0.35

// sentimentByModel averages over the sentences by how much positive is more
// probable than negative. Of a text of more sentences than the model reads, it
// takes a sample spread evenly over it, and says so.
func (s *subject) sentimentByModel(ctx context.Context, p *passage) (evaluators.Result, error) {
	all := p.worded()
	read := s.limits.affordable(all, func(i int) string { return p.sentences[i].text }, spread)
	vectors, err := s.vectorsOf(ctx, read)
	if err != nil {
		return evaluators.Result{}, err
	}
	a := analyzer()
	var negative, positive float64
	var telling [2]struct { // the most negative and the most positive sentence
		place int
		by    float64
	}
	for k, i := range read {
		if err := ctx.Err(); err != nil {
			return evaluators.Result{}, err
		}
		n, q := s.limits.model.Sentiment(vectors[k], ToneOf(p.sentences[i].text))
		negative, positive = negative+n, positive+q
		for side, by := range [2]float64{n - q, q - n} {
			if t := &telling[side]; k == 0 || by > t.by {
				t.place, t.by = i, by
			}
		}
	}
	count := float64(len(read))
	negative, positive = negative/count, positive/count
	s.truncated = s.truncated || len(read) < len(all)
	because := func(side int, sign float64) string {
		sen := p.sentences[telling[side].place]
		words := appendTones(nil, a, sen)
		why := quote(sen.text)
		if len(words) > 0 {
			why = strongest(words, sign) + " in " + why
		}
		return why
	}
	score := toneScore(positive - negative)
	switch {
	case score < negativeBelow:
		return confident(evaluators.Scored("", score, labelNegative, because(0, -1)), negative), nil
	case score >= positiveFrom:
		return confident(evaluators.Scored("", score, labelPositive, because(1, +1)), positive), nil
	}
	return confident(evaluators.Scored("", score, labelNeutral, "leans to neither side"), 1-max(negative, positive)), nil
}

// toneScore puts a difference of probabilities, from -1 to 1, on the scale of
// the metric, on which Neutral has the middle: the same bounds hold with and
// without a model.
func toneScore(difference float64) float64 {
	switch {
	case difference <= -leaning:
		// Below negativeBelow, however little.
		const just = 1e-9
		return (negativeBelow - just) * (1 + difference) / (1 - leaning)
	case difference < leaning:
		return 0.5 + difference/leaning*(0.5-negativeBelow-1e-9)
	}
	return positiveFrom + (difference-leaning)/(1-leaning)*(1-positiveFrom)
}
