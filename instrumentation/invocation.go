package instrumentation

import (
	"slices"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/trace"
)

// Invocation is one GenAI operation of the application, from Start to End.
//
// The goroutine that started it may pass it on; setters are safe for
// concurrent use, copy what the application could still change, and do nothing
// after End. End and Fail count once; the first wins. The readers (Kind,
// Input, Output, …) give what was recorded and may be called from a completion
// callback and after End, when the invocation no longer changes; their slices
// are shared and must not be modified. A nil *Invocation, which Start returns
// under [Suppress], accepts every call and does nothing.
type Invocation struct {
	// Set by Start, not changed afterwards.
	handler     *Handler
	kind        Kind
	operation   string
	parent      *Invocation // the enclosing agent, workflow or tool, if any
	span        trace.Span
	spanContext trace.SpanContext
	baggage     baggage.Baggage
	properties  []attribute.KeyValue
	suppression suppression
	start       time.Time

	mu    sync.Mutex
	ended bool // guarded by mu; what follows no longer changes once it is set
	record
}

// record is what a callback reads: everything computed while recording, so
// that the door does not have to walk the content.
type record struct {
	provider, requestModel, responseModel string
	responseID                            string
	serverAddress                         string
	serverPort                            int
	conversationID                        string
	agentName, agentID                    string
	name                                  string // of the agent, workflow, tool or data source

	system    []Part
	input     []Message
	output    []Message
	tools     []ToolDefinition
	documents []Document
	arguments []byte // of a tool, JSON
	result    []byte // of a tool, JSON
	query     string // of a retrieval

	usage         Usage
	finishReasons []string
	firstChunk    time.Duration
	chunks        int

	end       time.Time
	errorType string
	cancelled bool

	size     int
	textSize int // bytes of text in the first output message
	toolOnly bool

	// Written by callbacks through MarkEvaluation, inside End.
	marked      bool
	evaluated   bool
	unevaluated string
	attributes  []attribute.KeyValue
}

// Kind says which operation this is.
func (inv *Invocation) Kind() Kind { return inv.kind }

// Operation is gen_ai.operation.name.
func (inv *Invocation) Operation() string { return inv.operation }

// SpanContext is that of the invocation's span; invalid without an OTel SDK.
func (inv *Invocation) SpanContext() trace.SpanContext { return inv.spanContext }

// Span is the invocation's span; it has ended once End has returned.
func (inv *Invocation) Span() trace.Span { return inv.span }

// Baggage is what the context carried when the invocation started.
func (inv *Invocation) Baggage() baggage.Baggage { return inv.baggage }

// Properties are the association properties of the context that it was
// started in, see [WithProperties].
func (inv *Invocation) Properties() []attribute.KeyValue { return inv.properties }

// Suppressed reports whether the invocation was started below
// [WithoutEvaluation]. (Below [Suppress] there is no invocation.)
func (inv *Invocation) Suppressed() bool { return inv.suppression != 0 }

// Provider, RequestModel, ResponseModel, ResponseID, ServerAddress,
// ServerPort, ConversationID and AgentName are the attributes of those names;
// empty or zero when not known. AgentName is inherited from the enclosing
// agent.
func (inv *Invocation) Provider() string       { return inv.provider }
func (inv *Invocation) RequestModel() string   { return inv.requestModel }
func (inv *Invocation) ResponseModel() string  { return inv.responseModel }
func (inv *Invocation) ResponseID() string     { return inv.responseID }
func (inv *Invocation) ServerAddress() string  { return inv.serverAddress }
func (inv *Invocation) ServerPort() int        { return inv.serverPort }
func (inv *Invocation) ConversationID() string { return inv.conversationID }
func (inv *Invocation) AgentName() string      { return inv.agentName }

// Name is that of the agent, workflow or tool, or the data source's id.
func (inv *Invocation) Name() string { return inv.name }

// SystemInstructions, Input and Output are the recorded content. Output has a
// message for every choice.
func (inv *Invocation) SystemInstructions() []Part { return inv.system }
func (inv *Invocation) Input() []Message           { return inv.input }
func (inv *Invocation) Output() []Message          { return inv.output }

// Tools are the tools that the model was offered.
func (inv *Invocation) Tools() []ToolDefinition { return inv.tools }

// Documents are those that the answer can be checked against: given by
// [WithDocuments], found by retrievals that ended earlier under the same agent
// or in the same trace, and results of tools that did.
func (inv *Invocation) Documents() []Document { return inv.documents }

// Usage is the provider's token accounting.
func (inv *Invocation) Usage() Usage { return inv.usage }

// FinishReasons has one entry for every choice that reported one.
func (inv *Invocation) FinishReasons() []string { return inv.finishReasons }

// StartTime and EndTime are when the invocation started and ended.
func (inv *Invocation) StartTime() time.Time { return inv.start }
func (inv *Invocation) EndTime() time.Time   { return inv.end }

// ErrorType is error.type of a failed invocation, else empty.
func (inv *Invocation) ErrorType() string { return inv.errorType }

// Cancelled reports whether the application gave the invocation up. It is
// apart from failure: ErrorType is empty.
func (inv *Invocation) Cancelled() bool { return inv.cancelled }

// Size is the bytes of content that it holds plus a fixed overhead: what it
// costs to keep.
func (inv *Invocation) Size() int { return inv.size }

// ToolCallOnly reports whether the first choice asks for tools and says
// nothing else.
func (inv *Invocation) ToolCallOnly() bool { return inv.toolOnly }

// MarkEvaluation says, from a completion callback, whether the invocation is
// going to be evaluated, and the reason when it is not: the span gets
// gen_ai.evaluation.sampled and gen_ai.evaluation.error. The last call wins.
// It does nothing outside a callback.
func (inv *Invocation) MarkEvaluation(sampled bool, reason string) {
	inv.marked, inv.evaluated, inv.unevaluated = true, sampled, reason
}

// set runs f on the record unless the invocation has ended.
func (inv *Invocation) set(f func(r *record)) {
	if inv == nil {
		return
	}
	inv.mu.Lock()
	defer inv.mu.Unlock()
	if !inv.ended {
		f(&inv.record)
	}
}

// SetOutput records the answer, a message for each choice. It replaces what
// was recorded before.
func (inv *Invocation) SetOutput(choices ...Message) {
	inv.set(func(r *record) { r.output = cloneMessages(choices) })
}

// SetResponse records what the provider said of the response; empty values
// leave what is there.
func (inv *Invocation) SetResponse(id, model string, finishReasons ...string) {
	inv.set(func(r *record) {
		if id != "" {
			r.responseID = id
		}
		if model != "" {
			r.responseModel = model
		}
		if len(finishReasons) > 0 {
			r.finishReasons = slices.Clone(finishReasons)
		}
	})
}

// SetUsage records the provider's token accounting.
func (inv *Invocation) SetUsage(u Usage) { inv.set(func(r *record) { r.usage = u }) }
