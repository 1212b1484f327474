package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
)

const (
	labelValid   = "Valid"
	labelInvalid = "Invalid"
)

// longestChecked is how much is held against a schema, in bytes: that needs the
// value in memory, at some ten times the size of its text. Validity alone is
// checked to the end of any output.
const longestChecked = 256 << 10

// prepareJSONValidity reads the schema, from a file or from the option itself,
// and whether a code fence may stand around the JSON.
func prepareJSONValidity(s *settings) judging {
	fence := s.yes("fence")
	schema := readSchema(s)
	return func(_ context.Context, s *subject) (evaluators.Result, error) {
		text := trimBlanks(s.c.Output)
		inner, fenced := unfence(text)
		if fenced && !fence {
			return evaluators.Scored("", 0, labelInvalid, "in a code fence, which fence=true would allow"), nil
		}
		if fenced {
			text = inner
		}
		if schema == nil || len(text) > longestChecked {
			if why := syntaxFault(text); why != "" {
				return evaluators.Scored("", 0, labelInvalid, why), nil
			}
			if schema != nil {
				s.truncated = true
				return unread("output"), nil
			}
			return evaluators.Scored("", 1, labelValid, "valid JSON: "+jsonKind(text)), nil
		}
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			if why := syntaxFault(text); why != "" {
				return evaluators.Scored("", 0, labelInvalid, why), nil
			}
			return unsure("valid JSON, with a number that is too big to be checked"), nil
		}
		if err := schema.Validate(value); err != nil {
			return evaluators.Scored("", 0, labelInvalid, "not by the schema: "+faultOf(err)), nil
		}
		return evaluators.Scored("", 1, labelValid, "valid JSON by the schema: "+jsonKind(text)), nil
	}
}

// unfence returns what stands in a code fence that is all of the text.
func unfence(text string) (inner string, ok bool) {
	fence := fenceOf(text)
	if fence == "" || len(text) < 2*len(fence) || !strings.HasSuffix(text, fence) {
		return text, false
	}
	info, inner, ok := strings.Cut(text[len(fence):len(text)-len(fence)], "\n")
	if !ok || strings.ContainsAny(info, "{[\"") {
		return text, false
	}
	return inner, true
}

// syntaxFault says where a text ceases to be JSON, or nothing. It needs no more
// memory than the text.
func syntaxFault(text string) string {
	if !utf8.ValidString(text) {
		return "not JSON: it is not UTF-8"
	}
	if json.Valid([]byte(text)) {
		return ""
	}
	var raw json.RawMessage
	err := json.Unmarshal([]byte(text), &raw)
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return "not JSON"
	}
	at := min(max(int(syntax.Offset)-1, 0), len(text))
	if strings.Contains(syntax.Error(), "unexpected end") {
		return "not JSON: it ends too early, after " + place(text, len(text))
	}
	return "not JSON at " + place(text, at) + ": " + clean(syntax.Error(), 100)
}

// jsonKind says what a JSON text is.
func jsonKind(text string) string {
	switch text = strings.TrimLeft(text, " \t\r\n"); text[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a truth value"
	case 'n':
		return "null"
	}
	return "a number"
}

// faultOf shortens what the validator says.
func faultOf(err error) string {
	const most = 300
	return clean(strings.TrimPrefix(err.Error(), "validating root: "), most)
}

// clean makes a message fit to be shown: one line, valid, cut.
func clean(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, text)
	short, cut := clip(text, most)
	if cut {
		short += "…"
	}
	return short
}
