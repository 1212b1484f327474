package builtin

import (
	"context"
	"fmt"
	"math/bits"
	"unicode"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
)

const (
	labelSimilar   = "Similar"
	labelDifferent = "Different"

	// similarFrom is where an output is called similar to the expected one.
	similarFrom = 0.5
)

// judgeTokenF1 is the F1 of the words that two texts have in common, however
// they are ordered, after the normalisation of SQuAD's evaluation: lower case,
// without punctuation and without English articles (Rajpurkar et al., SQuAD:
// 100,000+ Questions for Machine Comprehension of Text, EMNLP 2016).
func judgeTokenF1(_ context.Context, s *subject) (evaluators.Result, error) {
	got, want, r, ok := s.compared(squadArticles)
	if !ok {
		return r, nil
	}
	left := make(map[string]int, len(want))
	for _, w := range want {
		left[w]++
	}
	common := 0
	for _, w := range got {
		if left[w] > 0 {
			left[w]--
			common++
		}
	}
	return similarity(common, len(got), len(want), "in common"), nil
}

// judgeRougeL is ROUGE-L with equal weights: the F1 of the longest sequence of
// words that both texts have in the same order, with anything between them, all
// of a text taken as one sequence (Lin, ROUGE: A Package for Automatic
// Evaluation of Summaries, 2004). Words are lower case, not stemmed.
func judgeRougeL(ctx context.Context, s *subject) (evaluators.Result, error) {
	got, want, r, ok := s.compared(nil)
	if !ok {
		return r, nil
	}
	if len(want) > mostComparisons/(len(got)/64+1) {
		s.truncated = true
		return unread("output, or the expected one,"), nil
	}
	n, err := longestCommon(ctx, got, want)
	if err != nil {
		return evaluators.Result{}, err
	}
	return similarity(n, len(got), len(want), "in common in this order"), nil
}

var squadArticles = set("a an the")

// compared returns the words of the output and of the expected one. It is not ok
// when either was not read to its end or has none; then the result says so.
func (s *subject) compared(without map[string]bool) (got, want []string, r evaluators.Result, ok bool) {
	output, cutOutput := clip(s.c.Output, s.limits.maxOutput)
	expected, cutExpected := clip(s.c.Expected, s.limits.maxOutput)
	if cutOutput || cutExpected {
		s.truncated = true
		return nil, nil, unread("output, or the expected one,"), false
	}
	got, want = overlapTokens(output, without), overlapTokens(expected, without)
	if len(got) > mostTokens || len(want) > mostTokens {
		s.truncated = true
		return nil, nil, unread("output, or the expected one,"), false
	}
	if len(got) == 0 || len(want) == 0 {
		return nil, nil, unsure("no words to compare"), false
	}
	return got, want, r, true
}

func similarity(common, got, want int, how string) evaluators.Result {
	score := 2 * float64(common) / float64(got+want)
	label := labelDifferent
	if score >= similarFrom {
		label = labelSimilar
	}
	why := fmt.Sprintf("%d words %s, of %d in the output and %d expected", common, how, got, want)
	return evaluators.Scored("", score, label, why)
}

// mostTokens is how many words of a text are compared, several times as many as
// the default bound lets in.
const mostTokens = 400_000

// overlapTokens splits a text into words: runs of letters, digits and their
// marks, in lower case. Punctuation inside a word is left out, as SQuAD does it
// (don't is dont); any other sign parts words. In scripts without blanks between
// words each letter is one. It ends when there are more than mostTokens.
func overlapTokens(text string, without map[string]bool) []string {
	var out []string
	var word []byte
	flush := func() {
		if len(word) > 0 && !without[string(word)] {
			out = append(out, string(word))
		}
		word = word[:0]
	}
	for i := 0; i < len(text) && len(out) <= mostTokens; {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case unpartedScript(r) && unicode.IsLetter(r):
			flush()
			out = append(out, text[i:i+n])
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			word = utf8.AppendRune(word, unicode.ToLower(r))
		case len(word) > 0 && joinsToken(text, i, n):
		default:
			flush()
		}
		i += n
	}
	flush()
	return out
}

// joinsToken: an apostrophe between letters, and a point or comma between
// digits, do not part a word.
func joinsToken(text string, i, n int) bool {
	next, _ := utf8.DecodeRuneInString(text[i+n:])
	switch text[i : i+n] {
	case "'", "’":
		return unicode.IsLetter(next)
	case ".", ",":
		return isDigit(text[i-1]) && unicode.IsDigit(next)
	}
	return false
}

// mostComparisons bounds what a comparison costs, to about 0.1 s. At the default bounds
// of the texts it is not reached: that is at most 17 million steps.
const mostComparisons = 64 << 20

// longestCommon returns the length of the longest common subsequence, by the
// bit-parallel algorithm of Hyyrö (Bit-parallel LCS-length computation
// revisited, 2004): a row costs one step for 64 words.
func longestCommon(ctx context.Context, a, b []string) (int, error) {
	places := make(map[string][]int, len(a))
	for i, w := range a {
		places[w] = append(places[w], i)
	}
	row := make([]uint64, (len(a)+63)/64)
	for i := range row {
		row[i] = ^uint64(0)
	}
	// The places of a word as bits: those of a frequent word are kept, since to
	// set them again for each of its occurrences takes the square of the text.
	frequent := make(map[string][]uint64)
	scratch := make([]uint64, len(row))
	for n, w := range b {
		if n&63 == 0 {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
		}
		at := places[w]
		if len(at) == 0 {
			continue
		}
		match := frequent[w]
		if match == nil {
			match = scratch
			if len(at) > len(row) {
				match = make([]uint64, len(row))
				frequent[w] = match
			}
			for _, i := range at {
				match[i/64] |= 1 << (i % 64)
			}
		}
		var carry uint64
		for i, v := range row {
			u := v & match[i]
			var sum uint64
			sum, carry = bits.Add64(v, u, carry)
			row[i] = sum | v&^match[i]
		}
		if len(at) <= len(row) {
			for _, i := range at {
				match[i/64] = 0
			}
		}
	}
	n := 0
	for i, v := range row {
		if i == len(row)-1 && len(a)%64 > 0 {
			v |= ^uint64(0) << (len(a) % 64)
		}
		n += 64 - bits.OnesCount64(v)
	}
	return n, nil
}
