package openai

import (
	"strings"
	"sync"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// dialect is how a model wants to be asked. The zero dialect comes first:
// max_tokens is what most servers know, and one that ignored its newer name
// would write without a limit, where one that refuses the older says so.
type dialect struct {
	completionTokens bool // max_completion_tokens in place of max_tokens
	noTemperature    bool
}

// learned is the dialect of each model asked so far. Each part of a dialect
// changes once at most, so that no two answers can make it swing.
type learned struct {
	mu       sync.Mutex
	dialects map[string]dialect
}

func (l *learned) of(model string) dialect {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dialects[model]
}

// learn changes a model's dialect if a part of it was refused, and reports
// whether the same request would now be sent differently: because it changed
// just now, or because another call's refusal changed it meanwhile.
func (l *learned) learn(e *apiError, r judge.Request, asked dialect) bool {
	if e.Type != evaluators.ErrorJudgeBadRequest {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	d := l.dialects[r.Model]
	switch {
	case !asked.completionTokens && e.refuses("max_tokens"):
		d.completionTokens = true
	case asked.completionTokens && e.refuses("max_completion_tokens"):
		return false // max_tokens was refused before
	case !asked.noTemperature && r.Temperature != nil && e.refuses("temperature"):
		d.noTemperature = true
	default:
		return false
	}
	if l.dialects == nil {
		l.dialects = map[string]dialect{}
	}
	l.dialects[r.Model] = d
	return true
}

// refuses reports whether an error says that a parameter is not supported, by
// its codes or, since not all servers send any, by its words.
func (e *apiError) refuses(param string) bool {
	named := e.Param == param || e.Param == "" && mentions(e.message, param)
	if !named {
		return false
	}
	if e.Code == "unsupported_parameter" || e.Code == "unsupported_value" {
		return true
	}
	return containsAny(strings.ToLower(e.message),
		"not support", "unsupported", "does not allow", "deprecated", "unrecognized", "unknown",
		"unexpected", "extra input", "extra field", "not permitted", "only the default")
}

// mentions reports whether text has the name as a word of its own, so that
// max_tokens is not found in max_completion_tokens.
func mentions(text, name string) bool {
	for rest := text; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		end := i + len(name)
		if (i == 0 || !wordByte(rest[i-1])) && (end == len(rest) || !wordByte(rest[end])) {
			return true
		}
		rest = rest[end:]
	}
}

func wordByte(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

func containsAny(text string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}
