package builtin

import (
	"slices"
	"strings"
	"unicode"

	"github.com/abadojack/whatlanggo"
)

// scripts are those that one language writes, for what is written today in any
// quantity. Han is Chinese unless kana stand beside it.
var scripts = []struct {
	language string
	table    *unicode.RangeTable
}{
	{"ko", unicode.Hangul},
	{"ja", unicode.Hiragana},
	{"ja", unicode.Katakana},
	{"zh", unicode.Han},
	{"el", unicode.Greek},
	{"th", unicode.Thai},
	{"ka", unicode.Georgian},
	{"hy", unicode.Armenian},
	{"ta", unicode.Tamil},
	{"te", unicode.Telugu},
	{"kn", unicode.Kannada},
	{"ml", unicode.Malayalam},
	{"gu", unicode.Gujarati},
	{"pa", unicode.Gurmukhi},
	{"or", unicode.Oriya},
	{"si", unicode.Sinhala},
	{"km", unicode.Khmer},
	{"my", unicode.Myanmar},
	{"lo", unicode.Lao},
}

// byTrigrams are the languages that whatlanggo has a profile of and that share
// a script.
var byTrigrams = func() map[string]bool {
	m := make(map[string]bool)
	for lang := range whatlanggo.Langs {
		if code := lang.Iso6391(); code != "" {
			m[code] = true
		}
	}
	m["no"] = true
	return m
}()

// knownLanguage reports whether a language can be told at all.
func knownLanguage(code string) bool {
	for _, s := range scripts {
		if s.language == code {
			return true
		}
	}
	return byTrigrams[oneOfNorwegian(code)]
}

func oneOfNorwegian(code string) string {
	if code == "nb" || code == "nn" {
		return "no"
	}
	return code
}

// alike are groups of languages that trigrams take for one another, even where
// they are sure.
var alike = []string{"da no sv", "hr sr bs sl", "id ms jv", "cs sk", "es pt gl ca", "hi mr ne", "ru uk be bg", "ur fa ar", "af nl", "he yi", "tr az uz"}

// confusable reports whether two languages are in one group.
func confusable(a, b string) bool {
	for _, group := range alike {
		g := " " + group + " "
		if strings.Contains(g, " "+a+" ") && strings.Contains(g, " "+b+" ") {
			return true
		}
	}
	return false
}

// The least text of which a language is told.
const (
	fewestLetters  = 20 // by trigrams
	fewestUnparted = 4  // by script
)

// detect tells the language of a text that has no markup, as an ISO 639-1 code,
// or why it cannot. The script decides where it can; English by its function
// words, on which trigrams are unsure in short texts; the rest by trigrams where
// function words or letters of that language agree.
func detect(p *passage) (language, unsureWhy string) {
	letters := 0
	counts := make([]int, len(scripts))
	var b strings.Builder
	for _, s := range p.sentences {
		for _, r := range s.text {
			if !unicode.IsLetter(r) {
				continue
			}
			letters++
			if r < 0x370 {
				continue
			}
			for i := range scripts {
				if unicode.Is(scripts[i].table, r) {
					counts[i]++
					break
				}
			}
		}
		b.WriteString(s.text)
		b.WriteByte('\n')
	}
	if letters == 0 {
		return "", "no words"
	}
	perLanguage := map[string]int{}
	byScript := 0
	for i, n := range counts {
		perLanguage[scripts[i].language] += n
		byScript += n
	}
	// A page of Japanese is half Han or more, and never without kana.
	if ja := perLanguage["ja"]; ja*10 >= perLanguage["zh"] {
		perLanguage["ja"] += perLanguage["zh"]
		perLanguage["zh"] = 0
	}
	for code, n := range perLanguage {
		if n*10 >= letters*7 && n >= fewestUnparted {
			return code, ""
		}
	}
	switch {
	case byScript*5 > letters:
		return "", "several scripts"
	case letters < fewestLetters && !plainEnglish(p):
		return "", "too short to tell its language"
	case plainEnglish(p):
		return "en", ""
	}
	return byProfile(p, b.String(), letters)
}

// byProfile asks whatlanggo. Of paths, names and lists it is as sure as of
// prose, and wrong: something else in the text has to agree.
func byProfile(p *passage, text string, letters int) (language, unsureWhy string) {
	const none = "no language stands out"
	info := whatlanggo.Detect(text)
	code := oneOfNorwegian(info.Lang.Iso6391())
	if info.Lang < 0 || code == "" {
		return "", none
	}
	if info.Script != unicode.Latin {
		if info.IsReliable() || spells(text, code) {
			return code, ""
		}
		return "", none
	}
	capitals, accented := 0, 0
	for _, s := range p.sentences {
		for _, w := range s.words {
			if w.capital || w.digits() {
				capitals++
			}
		}
	}
	for _, r := range text {
		if r > 0x7F && unicode.IsLetter(r) {
			accented++
		}
	}
	english := englishWords(p)
	switch {
	case capitals*2 > p.words:
		return "", "mostly names"
	case code == "en" && (p.foreign || english*10 < p.words), code != "en" && english*3 > p.words:
		return "", "trigrams and words disagree"
	case speaks(p, code), info.IsReliable() && (code == "en" || accented*40 >= letters || resembles(p, code)):
		return code, ""
	}
	return "", none
}

// plainEnglish: a quarter of the words or more are function words of English,
// hardly any those of another language, and none of the rules for other
// languages objects.
func plainEnglish(p *passage) bool {
	n := englishWords(p)
	if p.foreign || n < 2 || n*4 < p.words {
		return false
	}
	for _, others := range ownWords(p) {
		if others >= 2 && others*8 >= p.words {
			return false
		}
	}
	return true
}

func englishWords(p *passage) int {
	n := 0
	for _, s := range p.sentences {
		for _, w := range s.words {
			if functionWords[w.text] && !alsoEnglish[w.text] {
				n++
			}
		}
	}
	return n
}

// ownWords counts, for each of the neighbours, words that no other neighbour has
// nor English.
func ownWords(p *passage) (counts [len(neighbours)]int) {
	for _, s := range p.sentences {
		for _, w := range s.words {
			if in := neighbourWords[w.text]; len(in) == 1 && !alsoEnglish[w.text] {
				counts[in[0]]++
			}
		}
	}
	return counts
}

// neighbourLanguages says whose the words of the neighbours are.
var neighbourLanguages = [len(neighbours)]string{"es", "fr", "de", "it", "pt", "nl", "sv da no", "pl", "tr", "id"}

// speaks reports whether the function words of a text, a tenth of it or more, are
// those of a language, and hardly any those of another.
func speaks(p *passage, code string) bool {
	own, others := 0, 0
	for i, n := range ownWords(p) {
		if strings.Contains(neighbourLanguages[i], code) {
			own = n
		} else {
			others = max(others, n)
		}
	}
	return own >= 2 && own*10 >= p.words && own > 2*others
}

// resembles is speaks for languages that have most of their small words in
// common with others: a sixth of the words are of its list, and no fewer than of
// any other.
func resembles(p *passage, code string) bool {
	var counts [len(neighbours)]int
	for _, s := range p.sentences {
		for _, w := range s.words {
			for _, i := range neighbourWords[w.text] {
				counts[i]++
			}
		}
	}
	for i, n := range counts {
		if strings.Contains(neighbourLanguages[i], code) {
			return n >= 3 && n*6 >= p.words && n == slices.Max(counts[:])
		}
	}
	return false
}

// spells reports whether a text has letters that only one of the large languages
// in Cyrillic has, and none that it lacks: what trigrams suspect is then so.
func spells(text, code string) bool {
	switch code {
	case "ru":
		return strings.Count(text, "ы") >= 2 && !strings.ContainsFunc(text, func(r rune) bool {
			return unicode.Is(unicode.Cyrillic, r) && !strings.ContainsRune("абвгдеёжзийклмнопрстуфхцчшщъыьэюя", unicode.ToLower(r))
		})
	case "uk":
		return strings.Count(text, "ї")+strings.Count(text, "є") >= 2 && !strings.ContainsAny(text, "ыэёўъ")
	}
	return false
}
