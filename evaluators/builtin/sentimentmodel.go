package builtin

import (
	"context"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
)

const (
	// leaning is by how much one of positive and negative must be more probable
	// than the other, on the average over a text's sentences, for the text to have
	// that label.
	leaning = 0.35
	// lifted is by how much an expression that evaluates moves its sentence to its
	// side: the model reads "no complaints, a wonderful phone" as blame and praise.
	lifted = 0.35
	// told is from where a sentence in which the speaker tells what happened to him
	// needs no word that evaluates.
	told = 0.6
	// From suspected on a text in which nothing evaluates is not called Neutral where
	// somebody speaks of himself, to somebody, or exclaims: the model hears an
	// opinion that the rules do not know. Lower bounds take facts for such.
	suspected = 0.8
)

// sentimentByModel averages over the sentences by how much positive is more
// probable than negative. Sentences in which nothing evaluates count little: see
// [expressions]. Of a text of more sentences than the model reads, it takes a
// sample spread evenly over it, and says so.
func (s *subject) sentimentByModel(ctx context.Context, p *passage) (evaluators.Result, error) {
	all := p.worded()
	read := s.limits.affordable(all, func(i int) string { return p.sentences[i].text }, spread)
	vectors, err := s.vectorsOf(ctx, read)
	if err != nil {
		return evaluators.Result{}, err
	}
	a := analyzer()
	var negative, positive float64
	var difference, bare float64 // of what evaluates, of all
	evaluated := false
	var telling [2]struct { // the most negative and the most positive sentence
		place int
		by    float64
	}
	for k, i := range read {
		if err := ctx.Err(); err != nil {
			return evaluators.Result{}, err
		}
		sen := p.sentences[i]
		n, q := s.limits.model.Sentiment(vectors[k], ToneOf(sen.text))
		negative, positive = negative+n, positive+q
		by, evaluates := weighed(q-n, sen)
		evaluated = evaluated || evaluates
		difference, bare = difference+by, bare+q-n
		for side, by := range [2]float64{-by, by} {
			if t := &telling[side]; k == 0 || by > t.by {
				t.place, t.by = i, by
			}
		}
	}
	count := float64(len(read))
	negative, positive, difference, bare = negative/count, positive/count, difference/count, bare/count
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
	if len(read) > 1 && difference*bare < 0 {
		difference = 0 // what evaluates says one thing, and what happened another
	}
	score := toneScore(difference)
	switch {
	case !evaluated && p.words <= backchannel:
		return needsJudge("too short to tell"), nil
	case score < negativeBelow:
		return confident(evaluators.Scored("", score, labelNegative, because(0, -1)), max(negative, -difference)), nil
	case score >= positiveFrom:
		return confident(evaluators.Scored("", score, labelPositive, because(1, +1)), max(positive, difference)), nil
	case !evaluated && max(bare, -bare) >= suspected && p.personal():
		return needsJudge("sounds like an opinion, without an expression of one"), nil
	case !evaluated:
		return confident(evaluators.Scored("", score, labelNeutral, "nothing in it evaluates"), 1-max(bare, -bare)), nil
	}
	return confident(evaluators.Scored("", score, labelNeutral, "leans to neither side"), 1-max(difference, -difference)), nil
}

// personal reports whether somebody speaks of himself, to somebody, or exclaims.
func (p *passage) personal() bool {
	for _, s := range p.sentences {
		if strings.HasSuffix(s.text, "!") {
			return true
		}
		for _, w := range s.words {
			if speaker[w.text] || addressing[w.text] {
				return true
			}
		}
	}
	return false
}

// weighed is by how much a sentence counts as positive, of the difference of the
// model's two probabilities, and whether it evaluates. Where it does not, the
// difference orders texts within Neutral and makes none anything else.
func weighed(difference float64, s sentence) (by float64, evaluates bool) {
	e := expressionsOf(s)
	switch {
	case e.any():
		return min(max(difference+lifted*e.side(), -1), 1), true
	case (difference >= told || difference <= -told) && tellsOfSpeaker(s):
		return difference, true
	}
	return difference * leaning * 0.99, false
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
