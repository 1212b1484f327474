package wire

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators/judge"
)

// Servers quote in their errors what they were sent. The evaluated text must not
// say what is wrong with the judge, to the harm of all calls after: what was sent
// is taken out of an error before its words count.

const (
	// minEcho is how many bytes in a row a text that was sent has to have in
	// common with an error to be taken out of it. Phrases that stop all calls are
	// longer, so that no quotation of one is taken for the server's own words.
	minEcho = 24
	// minWhole is the same for a text that was sent as a whole: a short answer.
	minWhole = 8
	// maxWhole texts are looked for.
	maxWhole = 1024
)

// echo is what was sent, in plain words: how often it was escaped and how it is
// laid out where it is quoted does not matter.
type echo struct {
	all   []byte   // texts with a zero byte after each
	whole [][]byte // those too short to have a run
}

func echoOf(messages []judge.Message) echo {
	var e echo
	for _, m := range messages {
		e.all = append(append(e.all, plainWords(m.Text, nil)...), 0)
		var document any
		if json.Unmarshal([]byte(m.Text), &document) != nil {
			document = m.Text
		}
		e.texts(document)
	}
	return e
}

// texts finds the short texts in a JSON value.
func (e *echo) texts(value any) {
	switch value := value.(type) {
	case string:
		if len(value) > 8*minEcho || len(e.whole) == maxWhole {
			return
		}
		// One word steers nothing by itself, and roles such as assistant are in
		// the server's words, too.
		words := plainWords(value, nil)
		if len(words) >= minWhole && len(words) < minEcho && bytes.IndexByte(words, ' ') >= 0 {
			e.whole = append(e.whole, words)
		}
	case []any:
		for _, v := range value {
			e.texts(v)
		}
	case map[string]any:
		for _, v := range value {
			e.texts(v)
		}
	}
}

// span is the bytes of a text that a character is written in.
type span struct{ from, to int }

// plainWords is text in lower case, unescaped, with single blanks for all but
// letters and digits. Each byte's span in the text is added to where.
func plainWords(text string, where *[]span) []byte {
	words := make([]byte, 0, len(text))
	unescaped(text, func(r rune, from, to int) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			r = unicode.ToLower(r)
		case len(words) == 0 || words[len(words)-1] == ' ':
			return
		default:
			r = ' '
		}
		before := len(words)
		words = utf8.AppendRune(words, r)
		if where != nil {
			for range len(words) - before {
				*where = append(*where, span{from, to})
			}
		}
	})
	return bytes.TrimRight(words, " ")
}

// cut writes dots over all letters and digits of s that were sent. Its length
// stays, and so does all that gives JSON its form. It takes time in proportion to
// s and to what was sent.
func (e echo) cut(s string) string {
	if len(s) < minWhole || len(e.all) < minWhole {
		return s
	}
	var where []span
	words := plainWords(s, &where)
	sent := make([]bool, len(words))
	e.markRuns(words, sent)
	keepParts(words, sent)
	for _, text := range e.whole {
		markWhole(words, text, sent)
	}
	if !slices.Contains(sent, true) {
		return s
	}
	out := []byte(s)
	for i, is := range sent {
		if is && words[i] != ' ' {
			for at := where[i].from; at < where[i].to; at++ {
				out[at] = '.'
			}
		}
	}
	return string(out)
}

// markRuns marks all runs of minEcho bytes and more that words and what was
// sent have in common.
func (e echo) markRuns(words []byte, sent []bool) {
	first := map[string]int{} // where a run begins, and where the same does next
	next := make([]int, len(words))
	for i := len(words) - minEcho; i >= 0; i-- {
		run := string(words[i : i+minEcho])
		next[i] = -1
		if at, ok := first[run]; ok {
			next[i] = at
		}
		first[run] = i
	}
	for i := 0; i+minEcho <= len(e.all) && len(first) > 0; i++ {
		run := e.all[i : i+minEcho]
		at, ok := first[string(run)]
		if !ok {
			continue
		}
		for ; at >= 0; at = next[at] {
			for j := range minEcho {
				sent[at+j] = true
			}
		}
		delete(first, string(run)) // once is enough
	}
}

// keepParts takes the marks off words of which only a part has them: a run goes
// as far as letters agree, and may end in the next word, which is the server's.
func keepParts(words []byte, sent []bool) {
	for from := 0; from < len(words); {
		size := bytes.IndexByte(words[from:], ' ')
		if size < 0 {
			size = len(words) - from
		}
		if part := sent[from : from+size]; slices.Contains(part, false) {
			clear(part)
		}
		from += size + 1
	}
}

// markWhole marks where words have a text as whole words.
func markWhole(words, text []byte, sent []bool) {
	for from := 0; ; {
		i := bytes.Index(words[from:], text)
		if i < 0 {
			return
		}
		i += from
		end := i + len(text)
		from = end
		if (i == 0 || words[i-1] == ' ') && (end == len(words) || words[end] == ' ') {
			for j := i; j < end; j++ {
				sent[j] = true
			}
		}
	}
}

// quotation begins where an error says what text it is about.
var quotation = regexp.MustCompile(`(?i)\b(?:content|text|prompt|input|output|message)s? (?:was|were|is|are|has been|have been) (?:blocked|flagged|filtered|moderated|rejected)[^:"'“‘` + "`" + `]{0,40}[:"'“‘` + "`" + `]`)

// beforeQuotation is a message without the text that it says it is about.
func beforeQuotation(message string) string {
	if found := quotation.FindStringIndex(message); found != nil {
		return message[:found[1]]
	}
	return message
}
