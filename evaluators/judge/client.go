package judge

import (
	"context"
	"encoding/json"
	"net/http"
)

// Client sends one request to a judge and returns what it answered. It is the
// seam for other wire formats, for SDKs and for services that are no language
// model at all.
//
// Complete sends once: it neither waits for limits nor retries, since the
// [Evaluator] counts, paces and repeats every send. It must return soon after ctx ends.
// Its error is an [*Error]; any other error counts as judge_unavailable, or as
// judge_timeout when it wraps [context.DeadlineExceeded]. Errors must hold
// neither evaluated text nor keys: they are emitted. Complete is called from
// several goroutines at once.
//
// Around an SDK: turn its retries off, and its telemetry, and take status and
// headers of the HTTP response from it, for [Error] or [Response]; the gate reads
// them. [StatusErrorType] says what kind of failure a status is. Send
// [Request.Messages] with their roles, the schema as [Request.Format] says, and
// answer with the model's own text, or with the input of the tool if the format
// is one. A format that the provider turns down is FormatRefused; those that it
// never has are left out of [FormatChooser].
//
// Around a classifier: the answer's form is that of [Request.Schema], for a
// metric with labels {"reason": …, "label": …} with one of the labels of the
// schema; what to classify is the JSON document in the second message. Metrics
// that the service does not know are an [Error] of type judge_bad_request. It is
// a [FormatChooser] that knows FormatNone alone. Without tokens in [Usage] its
// calls have no cost, unless it says what they cost.
type Client interface {
	Complete(ctx context.Context, r Request) (Response, error)
}

// Describer is a [Client] that can say where it sends. What it says is put on
// the spans of the calls.
type Describer interface {
	Endpoint() Endpoint
}

// Endpoint says where a [Client] sends. Zero fields are not known.
type Endpoint struct {
	// Provider is gen_ai.provider.name.
	Provider string
	// Model is asked when [Request.Model] is empty.
	Model string
	// Address and Port are server.address and server.port.
	Address string
	Port    int
}

// Request is one call of a judge. Clients must not modify what it points to.
type Request struct {
	// Metrics are the metrics that are asked: one, or several that one answer
	// serves.
	Metrics []string
	// Model overrides the client's own; empty keeps it.
	Model string
	// Messages are a system message, the evaluated text as one JSON document in
	// a user message, and after an unreadable answer the request for another.
	Messages []Message
	// Schema is the JSON schema that the answer has to follow: objects without
	// further properties, all of them required, made of strings, enums, arrays
	// and, for a scale, integers; no bounds and no references.
	Schema json.RawMessage
	// Format is how the schema is to be enforced; one of those that the client
	// knows, see [FormatChooser].
	Format Format
	// MaxOutputTokens bounds the answer, reasoning included.
	MaxOutputTokens int
	// Temperature is not sent when nil.
	Temperature *float64
}

// Role says who speaks in a [Message].
type Role string

// The roles.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)

// Message is one turn of the conversation with a judge.
type Message struct {
	Role Role
	Text string
}

// Response is what a judge answered.
type Response struct {
	// Text is the model's own message and never its reasoning: a verdict found
	// in a train of thought is not the verdict.
	Text string
	// Refusal is the model's refusal, where the provider tells it apart.
	Refusal string
	Finish  Finish
	// ID and Model as the provider names them.
	ID, Model string
	Usage     Usage
	// Header is that of an HTTP response, else nil.
	Header http.Header
}

// Finish says why a judge stopped writing.
type Finish uint8

// The finish reasons. A provider that gives none, or one that is not known
// here, counts as FinishStop.
const (
	FinishStop Finish = iota
	// FinishLength: the output budget ran out.
	FinishLength
	// FinishContentFilter: the provider's filter cut the answer.
	FinishContentFilter
	// FinishRefusal: the model declined.
	FinishRefusal
	// FinishToolCalls: the model asked for a tool instead.
	FinishToolCalls
)

// String returns stop, length, content_filter, refusal or tool_calls.
func (f Finish) String() string {
	switch f {
	case FinishLength:
		return "length"
	case FinishContentFilter:
		return "content_filter"
	case FinishRefusal:
		return "refusal"
	case FinishToolCalls:
		return "tool_calls"
	}
	return "stop"
}

// Usage is the provider's token accounting of one call; zero is not reported.
type Usage struct {
	// InputTokens include cached tokens, OutputTokens include reasoning.
	InputTokens, OutputTokens int64
	// CachedTokens are part of InputTokens, ReasoningTokens of OutputTokens.
	CachedTokens, ReasoningTokens int64
	// Cost is what the provider says that the call cost, in US dollars; it means
	// something only with HasCost.
	Cost    float64
	HasCost bool
}
