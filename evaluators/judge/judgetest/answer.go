package judgetest

import (
	"net/http"
	"time"

	"github.com/genaievals/genaievals/evaluators/judge"
)

// Answer is one scripted answer. Make it with [Valid], [Label], [Claims],
// [Score], [Text], [Refuse], [Fail], [HTTP], [Hang], [Close] or a [Fault]; the
// methods return a changed copy.
//
// Verdicts (Valid, Label, Claims and Score) compose: a request that asks
// several metrics at once is given the verdicts of all of them in one object.
// Any other answer is the answer to the whole request.
type Answer struct {
	kind  kind
	said  said // of kindVerdict
	text  string
	meant []Verdict // of kindDrawn

	finish        judge.Finish
	before, after string // around the message
	thought       string
	thoughtOnly   bool // the message is in the thought
	until         int  // output tokens below which it is cut
	parts         bool
	null          bool

	fail   string // error type
	status int
	header http.Header
	body   string

	delay       time.Duration
	usage       *judge.Usage
	noUsage     bool
	usageBeside bool // reasoning is counted outside of the output
	model       string

	name string // of what a model got wrong, for the record
}

type kind uint8

const (
	kindValid kind = iota
	kindVerdict
	kindDrawn // composed of verdicts already
	kindText
	kindRefusal
	kindFail
	kindHTTP
	kindHang
	kindClose
)

// verdict reports whether the answer says something about one metric.
func (a Answer) verdict() bool { return a.kind == kindValid || a.kind == kindVerdict }

// Valid answers whatever is asked with the first option that it offers, or with
// the lower end of the scale. It is the zero Answer.
func Valid() Answer { return Answer{} }

// Text answers with exactly that message, readable or not.
func Text(message string) Answer { return Answer{kind: kindText, text: message} }

// Label answers a question for a label.
func Label(label, reason string) Answer {
	return Answer{kind: kindVerdict, said: said{formLabel, Verdict{Label: label, Reason: reason}}}
}

// Claims answers a question for claims.
func Claims(claims ...Claim) Answer {
	return Answer{kind: kindVerdict, said: said{formClaims, Verdict{Claims: claims}}}
}

// Score answers a question for an integer on a scale.
func Score(n int, reason string) Answer {
	return Answer{kind: kindVerdict, said: said{formScore, Verdict{Score: n, Reason: reason}}}
}

// Refuse is a model that declines, in the way that the format has for it.
func Refuse(message string) Answer {
	return Answer{kind: kindRefusal, text: message, finish: judge.FinishStop}
}

// Fail is a failure by its error.type, one of the evaluators.Error constants
// that begin with judge_. A [Judge] returns it; a [Server] sends the status and
// the body by which OpenAI or Anthropic says the same, and for judge_timeout it
// hangs and for judge_unavailable it answers 502.
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

// UntilBudget has the message cut in half, with [judge.FinishLength], while the
// request allows fewer output tokens than n: a model that reasons at length.
func (a Answer) UntilBudget(n int) Answer { a.until = n; return a }

// Within puts text before and after the message, such as a code fence.
func (a Answer) Within(before, after string) Answer {
	a.before, a.after = before+a.before, a.after+after
	return a
}

// Fenced puts the message in a code fence.
func (a Answer) Fenced() Answer { return a.Within("```json\n", "\n```") }

// ThinkTags puts a train of thought before the message, in the tags by which
// local models mark one that their server does not separate.
func (a Answer) ThinkTags(thought string) Answer {
	return a.Within("<think>\n"+thought+"\n</think>\n\n", "")
}

// Thought adds a train of thought, which a [Server] sends beside the message as
// reasoning_content, or before it as a thinking block. A [Judge] has no place
// for it.
func (a Answer) Thought(text string) Answer { a.thought = text; return a }

// ThoughtOnly has a [Server] send the message as the thought, and nothing as the
// message. A [Judge] sends nothing.
func (a Answer) ThoughtOnly() Answer { a.thoughtOnly = true; return a }

// Parts has a [Server] send the message in two parts: as an array in place of a
// string, or as two blocks.
func (a Answer) Parts() Answer { a.parts = true; return a }

// Usage sets the tokens that this answer reports, and the cost if it has one.
func (a Answer) Usage(u judge.Usage) Answer { a.usage = &u; return a }

// NoUsage has the answer report none.
func (a Answer) NoUsage() Answer { a.noUsage = true; return a }

// UsageBeside has a [Server] count the reasoning tokens outside of the
// completion's, so that they are only in the total, as some compatible servers
// do. The Anthropic format has no total and counts as always.
func (a Answer) UsageBeside() Answer { a.usageBeside = true; return a }

// Model sets the name of the model that answers; the default is the one asked.
func (a Answer) Model(name string) Answer { a.model = name; return a }

// DefaultUsage is what answers report that set nothing else.
var DefaultUsage = judge.Usage{InputTokens: 100, OutputTokens: 20}

func (a Answer) usageOr() judge.Usage {
	switch {
	case a.noUsage:
		return judge.Usage{}
	case a.usage != nil:
		return *a.usage
	}
	return DefaultUsage
}

// Played is what a call was answered with. It is the zero Played when the call
// was refused before it was looked at.
type Played struct {
	// Kind is valid, text, cut, refusal, failure, http, hang or close; refused
	// for a request that was not admitted or not as it should be; or, with
	// [WithChaos], what the model did.
	Kind string
	// ErrorType is the error.type of a failure, where it is known.
	ErrorType string
	// Verdicts are what was meant, one for each metric asked: a valid answer's,
	// however it is wrapped.
	Verdicts []Verdict
}

// Valid reports whether the call was given verdicts.
func (p Played) Valid() bool { return p.Kind != "" && p.Verdicts != nil }
