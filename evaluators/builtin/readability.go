package builtin

import (
	"context"
	"fmt"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
)

const (
	labelEasy      = "Easy"
	labelStandard  = "Standard"
	labelDifficult = "Difficult"

	// Flesch's own table: below 50 difficult, from 70 on easy, on a scale of
	// which 0 to 100 is kept here as 0 to 1.
	difficultBelow = 0.5
	easyFrom       = 0.7
)

// prepareReadability reads below how many words nothing is said.
func prepareReadability(s *settings) judging {
	const (
		fewest = 20
		// A sample of 100 words is what the formula was made on; 30 are needed
		// for an average of any worth.
		usual = 30
	)
	least := s.whole("min_words", fewest, usual)
	return func(ctx context.Context, s *subject) (evaluators.Result, error) {
		return judgeReadability(ctx, s, least)
	}
}

// judgeReadability is the reading ease of Flesch (A new readability yardstick,
// Journal of Applied Psychology 32, 1948): 206.835 less 1.015 times the words in
// a sentence and 84.6 times the syllables in a word, over what is read of the
// output. It is for English prose: lists, headings and cells are left out.
func judgeReadability(ctx context.Context, s *subject, least int) (evaluators.Result, error) {
	p := s.output()
	if why := p.unreadable(); why != "" {
		return unsure(why), nil
	}
	sentences, words, syllables := 0, 0, 0
	for _, sen := range p.sentences {
		if err := ctx.Err(); err != nil {
			return evaluators.Result{}, err
		}
		if sen.item || !strings.ContainsAny(sen.text, ".!?") {
			continue
		}
		n := 0
		for _, w := range sen.words {
			if !w.digits() {
				n++
				syllables += syllablesOf(w.text)
			}
		}
		if n > 0 {
			sentences++
			words += n
		}
	}
	if words < least {
		return unsure(fmt.Sprintf("%d words in sentences, too few to tell", words)), nil
	}
	perSentence := float64(words) / float64(sentences)
	perWord := float64(syllables) / float64(words)
	ease := 206.835 - 1.015*perSentence - 84.6*perWord
	score := min(max(ease/100, 0), 1)
	label := labelStandard
	switch {
	case score < difficultBelow:
		label = labelDifficult
	case score >= easyFrom:
		label = labelEasy
	}
	why := fmt.Sprintf("reading ease %.1f: %.1f words a sentence, %.2f syllables a word", ease, perSentence, perWord)
	return evaluators.Scored("", score, label, why), nil
}

// syllablesOf estimates the syllables of an English word: groups of vowels,
// without silent endings.
func syllablesOf(w string) int {
	if n, ok := irregularSyllables[w]; ok {
		return n
	}
	n, vowel := 0, false
	for i := 0; i < len(w); i++ {
		v := strings.IndexByte("aeiouy", w[i]) >= 0
		if v && !vowel {
			n++
		}
		vowel = v
	}
	base := strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "'")
	at := func(fromEnd int) byte {
		if i := len(base) - fromEnd; i >= 0 {
			return base[i]
		}
		return 0
	}
	vowelAt := func(fromEnd int) bool { return strings.IndexByte("aeiouy", at(fromEnd)) > -1 && at(fromEnd) != 0 }
	switch {
	case strings.HasSuffix(base, "le") && len(base) > 2 && !vowelAt(3): // ta-ble
	case strings.HasSuffix(base, "es") && !vowelAt(3):
		// makes, but not boxes, places
		if strings.IndexByte("sxzcgh", at(3)) < 0 {
			n--
		}
	case strings.HasSuffix(base, "ed") && !vowelAt(3):
		// walked, but not wanted
		if at(3) != 't' && at(3) != 'd' {
			n--
		}
	case strings.HasSuffix(base, "e") && !vowelAt(2): // mak(e)
		n--
	}
	if strings.HasSuffix(base, "ing") && vowelAt(4) { // be-ing, play-ing
		n++
	}
	for _, hiatus := range [...]string{"ia", "io", "iu", "ua", "uou"} {
		for i := strings.Index(w, hiatus); i >= 0; {
			// -tion, -cial, -qua- are one; me-di-a and ra-di-o are two
			if i == 0 || strings.IndexByte("tcsgqx", w[i-1]) < 0 {
				n++
			}
			next := strings.Index(w[i+1:], hiatus)
			if next < 0 {
				break
			}
			i += 1 + next
		}
	}
	return max(n, 1)
}

// irregularSyllables are frequent words that the rules miscount.
var irregularSyllables = map[string]int{
	"every": 2, "everything": 3, "everyone": 3, "business": 2, "science": 2, "idea": 3, "ideas": 3, "area": 3, "areas": 3,
	"create": 2, "created": 3, "creates": 2, "evening": 2, "different": 2, "several": 2, "sometimes": 2, "someone": 2, "something": 2,
}
