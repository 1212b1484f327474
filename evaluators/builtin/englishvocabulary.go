package builtin

import (
	_ "embed"
	"strings"
)

// The frequent words of English: those of three letters or more in the vocabulary
// of the Universal Sentence Encoder Lite (Apache-2.0, see encoder/uselite) that
// stand in lower case in at least three texts of HaluEval's general prompts (MIT),
// HaluQuestQA (Apache-2.0) or VADER's ground truth (MIT). A list of words, to tell
// English from other languages where a text is too short for anything else.
//
//go:embed englishvocabulary.txt
var englishVocabulary string

// frequentWords are those and the words of the other lists, without what other
// languages have as well.
var frequentWords = func() map[string]bool {
	m := set(englishVocabulary)
	for w := range neighbourWords {
		delete(m, w)
	}
	for w := range alsoEnglish {
		delete(m, w)
	}
	for _, list := range []map[string]bool{taskWords, generationWords, abuse, insults, epithets, slights, profanity, ambiguous, groups, people, violence} {
		for w := range list {
			if len(neighbourWords[w]) == 0 && !alsoEnglish[w] {
				m[w] = true
			}
		}
	}
	for w := range functionWords {
		if !alsoEnglish[w] {
			m[w] = true
		}
	}
	return m
}()

// inflections are endings of English words, and what stands in their place in the
// word itself.
var inflections = [...]struct{ end, put string }{
	{"'s", ""}, {"s", ""}, {"es", ""}, {"ies", "y"}, {"ed", ""}, {"ed", "e"}, {"ied", "y"}, {"ing", ""}, {"ing", "e"}, {"ly", ""}, {"ily", "y"},
	{"er", ""}, {"er", "e"}, {"est", ""}, {"ers", ""}, {"ers", "e"}, {"ness", ""}, {"less", ""}, {"able", ""}, {"y", ""},
}

// englishWord reports whether a word, in lower case, is a frequent one of English
// or made of one.
func englishWord(w string) bool {
	if frequentWords[w] {
		return true
	}
	for _, f := range inflections {
		base, ok := strings.CutSuffix(w, f.end)
		if !ok || len(base) < 3 {
			continue
		}
		if base += f.put; frequentWords[base] && !functionWords[base] {
			return true
		}
		// stopped, running
		if n := len(base); f.put == "" && n > 3 && base[n-1] == base[n-2] && frequentWords[base[:n-1]] && !functionWords[base[:n-1]] {
			return true
		}
	}
	for _, prefix := range [...]string{"un", "re", "non", "over", "under"} {
		if base, ok := strings.CutPrefix(w, prefix); ok && len(base) >= 4 && englishWord(base) {
			return true
		}
	}
	return false
}

// sharedWords are English words that large languages spell alike, whatever they
// mean there. They count half.
var sharedWords = set(`no me in an so do on as am over water hotel radio video online computer normal
international information problem minute minutes moment note place table double simple art age rate date air logo amigo total animal hospital social
material central capital general natural local final original popular similar regular particular error color doctor motor actor real ideal`)

// The share of a short text's words that have to be English, and of one that is
// not quite as short.
const (
	fewestEnglishFew  = 0.33
	fewestEnglishMore = 0.3
	fewWordsInAll     = 12
	moreWordsInAll    = 40
)

// hardlyEnglish reports whether a short text has too few words that are known to
// be English. Names, as far as capitals tell, say nothing, but for a text that
// has nothing else.
func hardlyEnglish(p passage) bool {
	if p.words >= moreWordsInAll {
		return false
	}
	known, others, names := 0, 0, 0 // the first two in halves of words
	for _, s := range p.sentences {
		for i, w := range s.words {
			accented := len(s.text[w.start:w.end]) != len([]rune(s.text[w.start:w.end]))
			switch {
			case w.digits() || alsoEnglish[w.text] && !functionWords[w.text] || len(w.text) == 1 && w.text != "i":
			case sharedWords[w.text]:
				known++
			case englishWord(w.text) && !accented, vocabulary[unmask(s.text[w.start:w.end])]:
				known += 2
			case w.capital && (i > 0 || len(s.words) < 3):
				names++
			case w.capital && !accented && len(neighbourWords[w.text]) == 0:
				names++
				others++
			case len(neighbourWords[w.text]) > 0 || accented && (i == 0 || !w.capital):
				others += 4
			default:
				others += 2
			}
		}
	}
	switch {
	case known == 0 && others <= 1:
		return names > 3
	case p.words < fewWordsInAll:
		return float64(known) < fewestEnglishFew*float64(known+others)
	}
	return float64(known) < fewestEnglishMore*float64(known+others)
}
