package judgetest

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/genaievals/genaievals/evaluators/judge"
)

// Answer is one scripted answer. Make it with [Valid], [Label], [Claims],
// [Text], [Refuse], [Fail], [HTTP], [Hang] or [Close]; the methods return a
// changed copy.
type Answer struct {
	kind    kind
	text    string
	finish  judge.Finish
	fail    string // error type
	status  int
	header  http.Header
	body    string
	delay   time.Duration
	usage   *judge.Usage
	model   string
	thought string
}

type kind uint8

const (
	kindValid kind = iota
	kindText
	kindRefusal
	kindFail
	kindHTTP
	kindHang
	kindClose
)

// Valid answers whatever is asked with the first option that it offers. It is
// the zero Answer.
func Valid() Answer { return Answer{} }

// Text answers with exactly that message, readable or not.
func Text(message string) Answer { return Answer{kind: kindText, text: message} }

// Label answers a question for a label.
func Label(label, reason string) Answer {
	return Text(encode(struct {
		Reason string `json:"reason"`
		Label  string `json:"label"`
	}{reason, label}))
}

// Claim is one claim of an answer to a question for claims.
type Claim struct {
	Text    string `json:"claim"`
	Reason  string `json:"reason"`
	Verdict string `json:"verdict"`
}

// Claims answers a question for claims.
func Claims(claims ...Claim) Answer {
	if claims == nil {
		claims = []Claim{}
	}
	return Text(encode(struct {
		Claims []Claim `json:"claims"`
	}{claims}))
}

// Refuse is a model that declines, in the field that the format has for it.
func Refuse(message string) Answer {
	return Answer{kind: kindRefusal, text: message, finish: judge.FinishStop}
}

// Fail is a failure by its error.type, one of the evaluators.Error constants
// that begin with judge_. A [Judge] returns it; a [Server] sends the status and
// the body by which OpenAI says the same, and for judge_timeout it hangs and
// for judge_unavailable it answers 502.
func Fail(errorType string) Answer { return Answer{kind: kindFail, fail: errorType} }

// HTTP is a raw reply of a [Server]. The content type is application/json
// unless the header, which can be nil, has another. A [Judge] returns an error
// by the status, as far as that is telling.
func HTTP(status int, header http.Header, body string) Answer {
	return Answer{kind: kindHTTP, status: status, header: header.Clone(), body: body}
}

// Hang never answers: it ends with the caller's context, and in a [Server] at
// the latest when that is closed.
func Hang() Answer { return Answer{kind: kindHang} }

// Close is a [Server] that closes the connection without a reply. A [Judge]
// fails with judge_unavailable.
func Close() Answer { return Answer{kind: kindClose} }

// After delays the answer, on top of the judge's own delay.
func (a Answer) After(d time.Duration) Answer { a.delay = d; return a }

// Finish sets why the judge stopped writing; [judge.FinishStop] is the default.
func (a Answer) Finish(f judge.Finish) Answer { a.finish = f; return a }

// Usage sets the tokens that this answer reports.
func (a Answer) Usage(u judge.Usage) Answer { a.usage = &u; return a }

// Model sets the name of the model that answers; the default is the one asked.
func (a Answer) Model(name string) Answer { a.model = name; return a }

// Thought adds a train of thought, which a [Server] sends beside the message
// as reasoning_content. A [Judge] has no place for it.
func (a Answer) Thought(text string) Answer { a.thought = text; return a }

// DefaultUsage is what answers report that set nothing else.
var DefaultUsage = judge.Usage{InputTokens: 100, OutputTokens: 20}

func (a Answer) usageOr() judge.Usage {
	if a.usage != nil {
		return *a.usage
	}
	return DefaultUsage
}

// encode renders a value that always can be.
func encode(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}
