package judge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
)

// fields is a set of the parts of a case that a judge is shown.
type fields uint8

const (
	fieldInput fields = 1 << iota
	fieldHistory
	fieldDocuments
	fieldOutput
	fieldSystem
	fieldExpected
)

var fieldNames = map[string]fields{
	"input":     fieldInput,
	"history":   fieldHistory,
	"documents": fieldDocuments,
	"output":    fieldOutput,
	"system":    fieldSystem,
	"expected":  fieldExpected,
}

// document is what the judge is shown: the evaluated text and nothing else.
// What metrics of one case share comes first.
type document struct {
	System    string   `json:"system,omitempty"`
	Documents []string `json:"documents,omitempty"`
	History   turns    `json:"history,omitempty"`
	Input     string   `json:"input,omitempty"`
	Expected  string   `json:"expected,omitempty"`
	Output    string   `json:"output"`
}

// renderDocument makes the user message: one line of JSON. Being JSON, no text
// in it can end its own string; characters that a reader would not see are
// escaped, so that the judge sees them for what they are.
//
// It takes at most room bytes, which must be minRoom or more; cut is how many
// bytes of text are not in it for that.
func renderDocument(c *evaluators.Case, shown fields, room int) (text string, cut int64, _ error) {
	d := document{Output: c.Output}
	if shown&fieldInput != 0 {
		d.Input = c.Input
	}
	if shown&fieldSystem != 0 {
		d.System = c.System
	}
	if shown&fieldExpected != 0 {
		d.Expected = c.Expected
	}
	if shown&fieldHistory != 0 {
		d.History = c.History
	}
	if shown&fieldDocuments != 0 && len(c.Documents) > 0 {
		d.Documents = make([]string, 0, len(c.Documents))
		for _, doc := range c.Documents {
			if !evaluators.Blank(doc.Text) {
				d.Documents = append(d.Documents, doc.Text)
			}
		}
	}
	cut = d.fit(room)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // markup is content too, and longer escaped
	if err := e.Encode(d); err != nil {
		return "", 0, fmt.Errorf("render document: %w", err)
	}
	return string(escapeInvisible(bytes.TrimSuffix(b.Bytes(), []byte("\n")))), cut, nil
}

// escapeInvisible writes invisible characters as JSON escapes. They stand only
// inside strings, so the document means the same.
func escapeInvisible(text []byte) []byte {
	first := bytes.IndexFunc(text, invisible)
	if first < 0 {
		return text
	}
	out := make([]byte, first, len(text)+len(text)/8)
	copy(out, text)
	for rest := text[first:]; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		switch {
		case !invisible(r):
			out = append(out, rest[:size]...)
		case r > 0xFFFF:
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		rest = rest[size:]
	}
	return out
}

// invisible reports characters by which text can be hidden or reordered:
// controls, format characters (zero width, bidirectional, tags) and
// supplementary variation selectors. The joiners of Persian, Indic scripts and
// emoji stay, and so do the format characters that have a shape.
func invisible(r rune) bool {
	const zwnj, zwj = '\u200c', '\u200d'
	switch {
	case r < 0x7F:
		return false
	case r == zwnj || r == zwj:
		return false
	case r >= 0xE0100 && r <= 0xE01EF:
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}
