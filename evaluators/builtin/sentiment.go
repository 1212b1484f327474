package builtin

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/jonreiter/govader"

	"github.com/genaievals/genaievals/evaluators"
)

const (
	labelNegative = "Negative"
	labelNeutral  = "Neutral"
	labelPositive = "Positive"
)

// VADER calls a compound of at least 0.05 positive and of at most -0.05
// negative; these are the same bounds on the scale 0…1.
const (
	negativeBelow = 0.475
	positiveFrom  = 0.525
)

// tonesRight is how often VADER's label is right, as confidence: of 12,000
// snippets of three labels.
const tonesRight = 0.58

// quiet is what is left of the compound of a sentence in which nothing
// evaluates: it orders texts within Neutral, and takes none out of it.
const quiet = 0.049

// backchannel is how many words at most a text has that need not say anything:
// "yes, exactly".
const backchannel = 3

// analyzer unpacks the lexicon once, at first use. The analyzer is only read
// afterwards, so that any number of goroutines may share it.
var analyzer = sync.OnceValue(govader.NewSentimentIntensityAnalyzer)

// judgeSentiment scores the tone of the words: VADER's compound of each
// sentence, averaged, mapped from -1…1 to 0…1. A whole text at once would
// saturate, since the compound adds up. Sentences in which nothing evaluates
// count little: see [expressions]. Of a text that is not read to its end
// the tone is not known.
//
// With a model, two heads on the sentence's vector and VADER's figures take the
// place of the compound: see [subject.sentimentByModel]. It reads a sample of
// the sentences of a long text.
func judgeSentiment(ctx context.Context, s *subject) (evaluators.Result, error) {
	p := s.output()
	if why := p.unreadable(); why != "" && (p.code || p.words > 0 || len(p.sentences) == 0) {
		return needsJudge(why), nil
	}
	if p.cut {
		return unread("output"), nil
	}
	if s.limits.model != nil && p.words >= fewWords {
		return s.sentimentByModel(ctx, p)
	}
	a := analyzer()
	sum := 0.0
	evaluated := false
	var tones []tone
	for _, sen := range p.sentences {
		if err := ctx.Err(); err != nil {
			return evaluators.Result{}, err
		}
		e := expressionsOf(sen)
		evaluated = evaluated || e.any()
		compound := a.PolarityScores(sen.text).Compound
		if !e.any() {
			compound *= quiet
		}
		sum += compound
		if len(tones) < 1000 {
			tones = appendTones(tones, a, sen)
		}
	}
	score := 0.5
	if mean := sum / float64(len(p.sentences)); mean >= -1 && mean <= 1 {
		score = (mean + 1) / 2
	}
	switch {
	case p.words == 0 && sum == 0: // neither words nor an emoji that is known
		return needsJudge("no words"), nil
	case !evaluated && p.words <= backchannel:
		return needsJudge("too short to tell"), nil
	case score < negativeBelow:
		return confident(evaluators.Scored("", score, labelNegative, strongest(tones, -1)), tonesRight), nil
	case score >= positiveFrom:
		return confident(evaluators.Scored("", score, labelPositive, strongest(tones, +1)), tonesRight), nil
	}
	why := "no word has a tone"
	switch {
	case len(tones) > 0 && !evaluated:
		why = "nothing in it evaluates, with " + strongest(tones, 0)
	case len(tones) > 0:
		why = "balanced: " + strongest(tones, 0)
	}
	return confident(evaluators.Scored("", score, labelNeutral, why), tonesRight), nil
}

// tone is a word that moved the score.
type tone struct {
	text    string
	valence float64
}

// appendTones finds the words of a sentence that the lexicon knows. A negation
// up to three words before one turns it round, and is quoted with it.
func appendTones(tones []tone, a *govader.SentimentIntensityAnalyzer, s sentence) []tone {
	for i, w := range s.words {
		v, ok := a.Lexicon[w.text]
		if !ok || v == 0 {
			continue
		}
		start := w.start
		for j := max(0, i-3); j < i; j++ {
			if negations[s.words[j].text] {
				v, start = -v, s.words[j].start
				break
			}
		}
		tones = append(tones, tone{s.text[start:w.end], v})
	}
	return tones
}

// strongest quotes the words that carried a score: those of its sign, or all
// of them for sign 0, the strongest first.
func strongest(tones []tone, sign float64) string {
	slices.SortStableFunc(tones, func(a, b tone) int {
		return cmp.Compare(max(b.valence, -b.valence), max(a.valence, -a.valence))
	})
	var texts []string
	for _, t := range tones {
		text := strings.ToLower(t.text)
		if t.valence*sign >= 0 && !slices.Contains(texts, text) {
			if texts = append(texts, text); len(texts) > 3 {
				break
			}
		}
	}
	if len(texts) == 0 {
		return "punctuation and signs"
	}
	return quoteAll(texts)
}
