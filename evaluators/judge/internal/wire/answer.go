package wire

import (
	"encoding/json"
	"strings"

	"github.com/genaievals/genaievals/evaluators/judge"
)

// maxName is the most that a schema or a tool can be called by.
const maxName = 64

// AnswerName is what the schema of an answer, or the tool that takes it, is
// called.
func AnswerName(r *judge.Request) string {
	name := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' {
			return c
		}
		return '_'
	}, strings.Join(r.Metrics, "_"))
	if name == "" {
		return "answer"
	}
	return name[:min(len(name), maxName)]
}

// ToolDescription says what the tool is for.
const ToolDescription = "Takes the answer."

// Count reads a token count; none is 0. A number beyond any real one, of models
// that take millions, is none and not ok, so that the caller's estimate stands.
func Count(n json.Number) (tokens int64, ok bool) {
	const most = 1 << 24
	if n == "" {
		return 0, true
	}
	f, err := n.Float64()
	if err != nil || f < 0 || f > most {
		return 0, false
	}
	return int64(f), true
}
