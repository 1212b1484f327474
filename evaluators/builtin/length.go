package builtin

import (
	"context"
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
)

const (
	labelWithin   = "Within Limits"
	labelTooShort = "Too Short"
	labelTooLong  = "Too Long"
)

// lengthUnit counts one unit of length. The count is exact when whole is true, else
// there is at least that much.
type lengthUnit struct {
	unit  string
	count func(context.Context, *subject) (n int, whole bool, why string, err error)
}

var lengthUnits = map[string]lengthUnit{
	"characters": {"characters", countCharacters},
	"words":      {"words", countOutputWords},
	"sentences":  {"sentences", countSentences},
}

// prepareLength reads min, max and unit.
func prepareLength(s *settings) judging {
	s.wantOneOf("min", "max")
	least, most := s.whole("min", 0, 0), s.whole("max", 0, -1)
	if s.given("min") && s.given("max") && least > most {
		s.refuse("max", fmt.Sprintf("at least min, which is %d", least), nil)
	}
	unit := "words"
	if s.given("unit") {
		const want = "characters, words or sentences"
		names := s.names("unit", want, func(n string) bool { _, ok := lengthUnits[n]; return ok })
		if len(names) > 1 {
			s.refuse("unit", want, nil)
		} else if len(names) == 1 {
			unit = names[0]
		}
	}
	m := lengthUnits[unit]
	return func(ctx context.Context, s *subject) (evaluators.Result, error) {
		n, whole, why, err := m.count(ctx, s)
		switch {
		case err != nil:
			return evaluators.Result{}, err
		case why != "":
			return unsure(why), nil
		case most >= 0 && n > most:
			return evaluators.Scored("", 0, labelTooLong, lengthWords(n, whole, m.unit)+fmt.Sprintf(", more than %d", most)), nil
		case !whole && (most >= 0 || n < least):
			return unread("output"), nil
		case n < least:
			return evaluators.Scored("", 0, labelTooShort, lengthWords(n, whole, m.unit)+fmt.Sprintf(", less than %d", least)), nil
		}
		return evaluators.Scored("", 1, labelWithin, lengthWords(n, whole, m.unit)), nil
	}
}

func lengthWords(n int, whole bool, unit string) string {
	if n == 1 {
		unit = unit[:len(unit)-1]
	}
	if !whole {
		return fmt.Sprintf("at least %d %s", n, unit)
	}
	return fmt.Sprintf("%d %s", n, unit)
}

// countCharacters counts code points, without blanks at both ends. A byte that
// is not UTF-8 counts as one.
func countCharacters(_ context.Context, s *subject) (int, bool, string, error) {
	text := trimBlanks(s.c.Output)
	return utf8.RuneCountInString(text), true, "", nil
}

// countOutputWords counts the words of the whole output, unless the script does
// not part them.
func countOutputWords(ctx context.Context, s *subject) (int, bool, string, error) {
	words, letters, unparted, inside := 0, 0, 0, false
	text := s.c.Output
	for i := 0; i < len(text); {
		if i&(64<<10-1) == 0 {
			if err := ctx.Err(); err != nil {
				return 0, false, "", err
			}
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			letters++
			if unpartedScript(r) {
				unparted++
			}
			if !inside {
				words++
			}
			inside = true
		case unicode.IsMark(r) || r == 0x200C || r == 0x200D || r == 0xAD:
		case inside && joinsWord(text, i, n):
		default:
			inside = false
		}
		i += n
	}
	if unparted*4 > letters {
		return 0, false, "the script puts no blanks between words; count characters", nil
	}
	return words, true, "", nil
}

// joinsWord: an apostrophe, hyphen, point or comma between two letters or digits
// is inside a word: don't, well-known, 1,000.5.
func joinsWord(text string, i, n int) bool {
	switch text[i : i+n] {
	case "'", "’", "-", "‑", ".", ",":
		next, _ := utf8.DecodeRuneInString(text[i+n:])
		if text[i] == ',' {
			return unicode.IsDigit(next) && isDigit(text[i-1])
		}
		return unicode.IsLetter(next) || unicode.IsDigit(next)
	}
	return false
}

// unpartedScript reports whether a letter is of a script that writes words
// without blanks between them.
func unpartedScript(r rune) bool {
	return r > 0xE00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// countSentences counts the sentences of the prose, and list items, headings
// and cells as one each, however much of the output is code.
func countSentences(_ context.Context, s *subject) (int, bool, string, error) {
	p := s.output()
	if p.words == 0 {
		return 0, !p.cut, "", nil
	}
	return len(p.sentences), !p.cut, "", nil
}

// trimBlanks takes blanks and what is invisible from both ends.
func trimBlanks(text string) string {
	for text != "" {
		r, n := utf8.DecodeRuneInString(text)
		if !evaluators.Blank(string(r)) || r == utf8.RuneError {
			break
		}
		text = text[n:]
	}
	for text != "" {
		r, n := utf8.DecodeLastRuneInString(text)
		if !evaluators.Blank(string(r)) || r == utf8.RuneError {
			break
		}
		text = text[:len(text)-n]
	}
	return text
}
