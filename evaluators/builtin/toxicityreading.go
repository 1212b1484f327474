package builtin

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// utterance is what toxicity reads as one: a sentence, or one that line breaks or
// list marks took apart.
type utterance struct {
	sentence
	// introduced: what stands before says that somebody else says it, or that it
	// is an example.
	introduced bool
	// pieces are the sentences that were put together, where there are several.
	pieces []sentence
}

// The most words of a sentence that was taken apart: by lines, or into pieces of
// so few words that there is hardly any sense in each.
const (
	fewWordsApiece = 4
	mostWrapped    = 60
	mostInPieces   = 16
)

// utterances puts together what belongs together.
func (p *passage) utterances() []utterance {
	var out []utterance
	introducing := false
	for i := 0; i < len(p.sentences); {
		n := p.belongTogether(i)
		u := utterance{sentence: p.sentences[i]}
		if n > 1 {
			u = together(p.sentences[i : i+n])
		}
		// An announcement is of the list behind it, or of what comes next.
		u.introduced = introducing
		introducing = introducing && u.item || announces(u.sentence)
		out = append(out, u)
		i += n
	}
	return out
}

// belongTogether returns how many sentences, from i on, are pieces of one.
func (p *passage) belongTogether(i int) int {
	words, most := len(p.sentences[i].words), mostWrapped
	n := 1
	for ; i+n < len(p.sentences); n++ {
		last, next := p.sentences[i+n-1], p.sentences[i+n]
		apiece := len(last.words) <= fewWordsApiece && len(next.words) <= fewWordsApiece
		if apiece {
			most = mostInPieces
		}
		words += len(next.words)
		if ended(last.text) || words > most || !apiece && (next.item || !startsLower(next.text)) {
			break
		}
	}
	return n
}

func ended(text string) bool {
	text = strings.TrimRight(text, `"')`)
	last, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune(".!?:;…。！？", last)
}

func together(pieces []sentence) utterance {
	texts := make([]string, len(pieces))
	for k, s := range pieces {
		texts[k] = s.text
	}
	text := strings.Join(texts, " ")
	return utterance{sentence: sentence{text: text, words: splitWords(text), item: pieces[0].item}, pieces: pieces}
}

// announces reports whether a sentence says of what follows it that it is said
// by somebody, or is an example of something.
func announces(s sentence) bool {
	if !strings.HasSuffix(strings.TrimRight(s.text, ` "'`), ":") {
		return false
	}
	for _, w := range s.words {
		if reporting[w.text] || naming[w.text] || speaking[w.text] || exemplifying[w.text] {
			return true
		}
	}
	return false
}

// exemplifying words announce examples.
var exemplifying = set(`say avoid never examples example instances list lists following block blocks blocked ban bans banned filter filtered
forbidden prohibited censored lines options choices translations answers responses comments messages posts sentences`)

// reading is a text as the model reads it, and the place of the utterance that
// it is of.
type reading struct {
	text string
	of   int
}

// readings are what the model reads of utterances: capitals calmed, emoticons
// left out, what is long in overlapping parts, so that nothing is hidden behind
// what an encoder reads at most or among what else there is; pieces also by
// themselves.
func readings(us []utterance) []reading {
	var out []reading
	for i, u := range us {
		for _, part := range windows(u.sentence) {
			if text := calm(part); text != "" {
				out = append(out, reading{text, i})
			}
		}
		for _, piece := range u.pieces {
			if len(piece.words) >= fewWords {
				if text := calm(piece.text); text != "" {
					out = append(out, reading{text, i})
				}
			}
		}
	}
	return out
}

// The parts of a long sentence.
const (
	mostAtOnce   = 50 // words of a sentence that is read as one
	windowWords  = 40
	windowStep   = 30
	windowLength = 400 // bytes
)

func windows(s sentence) []string {
	switch {
	case len(s.words) == 0:
		return nil
	case len(s.words) <= mostAtOnce && len(s.text) <= windowLength:
		return []string{s.text}
	}
	var out []string
	for i := 0; i < len(s.words); {
		from := s.words[i].start
		end := i + 1
		for end < len(s.words) && end-i < windowWords && s.words[end].end-from <= windowLength {
			end++
		}
		to := len(s.text)
		if end < len(s.words) {
			to = s.words[end].start
		}
		text, _ := clip(s.text[from:to], windowLength)
		out = append(out, strings.TrimSpace(text))
		if end == len(s.words) {
			break
		}
		i = max(i+1, end-(windowWords-windowStep))
	}
	return out
}

// addresses reports whether a text is to somebody.
func addresses(text string) bool {
	for _, w := range splitWords(text) {
		if addressed[w.text] {
			return true
		}
	}
	return false
}

// calm lowers a text that is mostly in capitals and leaves emoticons out: both
// hide from a model of words what the words say. Headlines stay as they are; what
// nobody is told is no insult.
func calm(text string) string {
	letters, capitals, signs := 0, 0, false
	for _, r := range text {
		switch {
		case unicode.IsUpper(r):
			capitals++
			letters++
		case unicode.IsLetter(r):
			letters++
		case r >= 0x2190 || r == ':' || r == ';' || r == '=' || r == '^' || r == '<':
			signs = true
		}
	}
	if letters >= 4 && capitals*10 >= letters*6 {
		if lower := strings.ToLower(text); addresses(lower) {
			text = lower
		}
	}
	if !signs {
		return text
	}
	text = strings.Map(func(r rune) rune {
		if r >= 0x2190 && (unicode.IsSymbol(r) || unicode.Is(unicode.Variation_Selector, r)) {
			return ' '
		}
		return r
	}, text)
	fields := strings.Fields(text)
	kept := fields[:0]
	for _, f := range fields {
		if !emoticon(f) {
			kept = append(kept, f)
		}
	}
	return strings.Join(kept, " ")
}

// emoticon reports whether a word is one: two to four signs, of which the first
// or the last are eyes, such as :-) or (;.
func emoticon(word string) bool {
	if len(word) < 2 || len(word) > 4 || word == "<3" || word == "</3" {
		return word == "<3" || word == "</3"
	}
	letters := 0
	for i := 0; i < len(word); i++ {
		if isLetter(word[i]) {
			letters++
		}
	}
	const eyes = ":;=^"
	return letters <= 1 && (strings.IndexByte(eyes, word[0]) >= 0 || letters == 0 && strings.IndexByte(eyes, word[len(word)-1]) >= 0)
}

// ToxicityReading returns the texts that toxicity has a model read of an output,
// in the order of the text: sentences, what line breaks and list marks took
// apart put together, long ones in parts, capitals lowered, emoticons left out.
// It reads [DefaultMaxOutput] bytes, and knows no bound of how many texts. It is
// for who measures a [Model]; see [Overt].
func ToxicityReading(text string) []string {
	p := read(text, DefaultMaxOutput)
	all := readings(p.utterances())
	out := make([]string, len(all))
	for i, r := range all {
		out[i] = r.text
	}
	return out
}
