package wire

import (
	"net/http"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// Servers say in many ways that they do not take a format. They name it, by the
// parameter that is to blame or in words, and say that it is unsupported, in
// other words each; so that is what is looked for, and no whole message.

// judgeFormat sets FormatRefused if a failure is about the format that was
// asked for. It is then a bad request whatever its status: asking again in
// another format may do.
func (f *Failure) judgeFormat(format judge.Format) {
	if format != judge.FormatNone && f.aboutFormat() {
		f.FormatRefused, f.Type = true, evaluators.ErrorJudgeBadRequest
	}
}

func (f *Failure) aboutFormat() bool {
	switch f.status {
	case http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity:
		if f.Type != evaluators.ErrorJudgeBadRequest {
			return false // its codes or words say what else it is
		}
	case http.StatusNotFound, http.StatusInternalServerError, http.StatusNotImplemented:
		if f.Type != evaluators.ErrorJudgeBadRequest && !f.silent {
			return false
		}
	default:
		return false
	}
	switch name := plain(f.param); {
	case beginsWith(name, formatParameters):
		return true
	case f.Param != "": // it is about something else
		return false
	}
	return near(plain(f.message), formatFeatures, refusing)
}

// formatParameters begin the names of the parameters that a format is sent in,
// as plain writes them.
var formatParameters = []string{
	"response format", "json schema", "output config", "output format", "tools", "tool choice", "functions",
	"function call", "guided json", "generation config response", "text format",
}

// formatFeatures are what formats are called.
var formatFeatures = []string{
	"response format", "responseformat", "response schema", "responseschema", "response mime type",
	"json schema", "jsonschema", "json object", "json mode", "json output", "structured output", "structuredoutput", "structured response",
	"output config", "output format", "schema", "grammar", "guided decoding", "guided json", "constrained decoding", "additionalproperties",
	"tool", "toolchoice", "function call", "function calling", "functions",
}

// refusing are words for not taking something.
var refusing = []string{
	"not support", "n t support", "unsupport", "not available", "unavailable", "not implement", "not enabled", "not allow", "not permit",
	"may not", "disallow", "not compatible", "incompatible", "not valid", "invalid", "unknown", "unrecogni", "unexpected", "extra input", "extra field",
	"should be", "must be", "must have", "must match", "one of", "failed to", "cannot", "can t", "no endpoints", "deprecated", "too complex", "only", "require",
}

// plain is text in lower case with single blanks for all but letters and
// digits.
func plain(s string) string {
	var b strings.Builder
	blank := true // none at the beginning
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 0x7F:
			b.WriteRune(r)
			blank = false
		case !blank:
			b.WriteByte(' ')
			blank = true
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// nearby is how many bytes apart two things are that are said of one another.
const nearby = 120

// near reports whether plain text has one of the words near one of the names,
// which begin a word and end one but for a plural.
func near(text string, names, words []string) bool {
	for _, name := range names {
		for from := 0; ; {
			i := strings.Index(text[from:], name)
			if i < 0 {
				break
			}
			i += from
			end := i + len(name)
			from = end
			if i > 0 && text[i-1] != ' ' {
				continue
			}
			if rest := text[end:]; rest != "" && rest[0] != ' ' && rest != "s" && !strings.HasPrefix(rest, "s ") {
				continue
			}
			if containsAny(text[max(0, i-nearby):min(len(text), end+nearby)], words...) {
				return true
			}
		}
	}
	return false
}

// beginsWith reports whether plain text begins with one of the names.
func beginsWith(text string, names []string) bool {
	for _, name := range names {
		if text == name || strings.HasPrefix(text, name+" ") {
			return true
		}
	}
	return false
}
