package instrumentation

import (
	"encoding/json"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// nobody stands for a nil invocation when it is read. It is never written.
var nobody = new(Invocation)

func (inv *Invocation) read() *Invocation {
	if inv == nil {
		return nobody
	}
	return inv
}

// Kind says which operation this is.
func (inv *Invocation) Kind() Kind { return inv.read().kind }

// Operation is gen_ai.operation.name.
func (inv *Invocation) Operation() string { return inv.read().operation }

// SpanContext is that of the invocation's span. Without an OTel SDK it is that
// of the span around it, or invalid.
func (inv *Invocation) SpanContext() trace.SpanContext { return inv.read().spanContext }

// HasOwnSpan reports whether the span context is valid and belongs to this
// invocation alone, so that it identifies it.
func (inv *Invocation) HasOwnSpan() bool { return inv.read().ownSpan }

// Span is the invocation's span, never nil; it has ended once End has
// returned.
func (inv *Invocation) Span() trace.Span {
	if s := inv.read().span; s != nil {
		return s
	}
	return noop.Span{}
}

// Baggage is what the context carried when the invocation started.
func (inv *Invocation) Baggage() baggage.Baggage { return inv.read().baggage }

// Properties are the association properties of the context that it was
// started in, without the reserved ones, see [WithProperties].
func (inv *Invocation) Properties() []attribute.KeyValue { return inv.read().properties }

// Suppressed reports whether the invocation was started below
// [WithoutEvaluation]. (Below [Suppress] there is no invocation.)
func (inv *Invocation) Suppressed() bool { return inv.read().suppression != 0 }

// Provider is gen_ai.provider.name; empty when not known.
func (inv *Invocation) Provider() string { return inv.read().provider }

// RequestModel is gen_ai.request.model; empty when not known.
func (inv *Invocation) RequestModel() string { return inv.read().requestModel }

// ResponseModel is gen_ai.response.model; empty when not known.
func (inv *Invocation) ResponseModel() string { return inv.read().responseModel }

// ResponseID is gen_ai.response.id; empty when not known.
func (inv *Invocation) ResponseID() string { return inv.read().responseID }

// ServerAddress is server.address; empty when not known.
func (inv *Invocation) ServerAddress() string { return inv.read().serverAddress }

// ServerPort is server.port; 0 when not known.
func (inv *Invocation) ServerPort() int { return inv.read().serverPort }

// ConversationID is gen_ai.conversation.id, its own or an inherited one, see
// [WithConversationID]; empty without.
func (inv *Invocation) ConversationID() string { return inv.read().conversationID }

// AgentName is gen_ai.agent.name, its own or that of the enclosing agent; empty
// without.
func (inv *Invocation) AgentName() string { return inv.read().agentName }

// AgentID is gen_ai.agent.id, its own or that of the enclosing agent; empty
// without.
func (inv *Invocation) AgentID() string { return inv.read().agentID }

// Name is that of the agent, workflow or tool, or the data source's id.
func (inv *Invocation) Name() string { return inv.read().name }

// SystemInstructions are those given apart from the input.
func (inv *Invocation) SystemInstructions() []Part { return inv.read().system }

// Input is the conversation that was sent, the latest message last.
func (inv *Invocation) Input() []Message { return inv.read().input }

// InputTruncated reports whether the recording let some of the input go, see
// [Invocation.SetInputTruncated].
func (inv *Invocation) InputTruncated() bool { return inv.read().inputTruncated }

// Output is the answer, with a message for every choice.
func (inv *Invocation) Output() []Message { return inv.read().output }

// Tools are the tools that the model was offered.
func (inv *Invocation) Tools() []ToolDefinition { return inv.read().tools }

// Arguments are what a tool was called with, as JSON; nil for other kinds.
func (inv *Invocation) Arguments() json.RawMessage { return inv.read().arguments }

// Result is what a tool returned, as JSON; nil for other kinds.
func (inv *Invocation) Result() json.RawMessage { return inv.read().result }

// Query is what a retrieval looked for; empty for other kinds.
func (inv *Invocation) Query() string { return inv.read().query }

// Documents of a retrieval are what it found.
//
// Of inference, an agent or a workflow they are what the answer can be checked
// against, each text once, blank ones left out:
//
//   - those given by [WithDocuments], as many as they are;
//   - what retrievals found and tools returned that ended earlier below the
//     same agent or workflow, or one around it. An outermost agent or workflow
//     begins with what its trace found outside any other;
//   - for inference without an enclosing agent or workflow, what retrievals
//     found and tools returned that ended earlier in the same trace, which
//     needs a valid trace id;
//   - the tool responses in the invocation's own input;
//   - those given by [Invocation.SetDocuments], as many as they are.
//
// Inference sees what there is when it starts, an agent or workflow when it
// ends. Of what is found, at most 64 documents of 256 KiB in all are kept for
// an agent, a workflow or a trace, and listed here, the oldest out first; one
// document larger than that is left out. Traces are kept for ten minutes since
// their last use, at most 1024 of them and 16 MiB in all, by each [Handler].
func (inv *Invocation) Documents() []Document { return inv.read().documents }

// Usage is the provider's token accounting.
func (inv *Invocation) Usage() Usage { return inv.read().usage }

// FinishReasons has one entry for every choice that reported one.
func (inv *Invocation) FinishReasons() []string { return inv.read().finishReasons }

// TimeToFirstChunk is the time from the start to the first chunk of a streamed
// answer; 0 for one that was not.
func (inv *Invocation) TimeToFirstChunk() time.Duration { return inv.read().firstChunk }

// Chunks counts the chunks of a streamed answer.
func (inv *Invocation) Chunks() int { return inv.read().chunks }

// StartTime is when the invocation started.
func (inv *Invocation) StartTime() time.Time { return inv.read().start }

// EndTime is when the invocation ended: StartTime and what passed since on the
// monotonic clock. It is zero before the end.
func (inv *Invocation) EndTime() time.Time { return inv.read().end }

// ErrorType is error.type of a failed invocation, else empty.
func (inv *Invocation) ErrorType() string { return inv.read().errorType }

// Cancelled reports whether the application gave the invocation up. It is
// apart from failure: ErrorType is empty.
func (inv *Invocation) Cancelled() bool { return inv.read().cancelled }

// Size is the bytes of content that it holds plus a fixed overhead: what it
// costs to keep. Text that several invocations share, such as documents, counts
// in each.
func (inv *Invocation) Size() int { return inv.read().size }

// OutputTextSize is the bytes of text in the first choice.
func (inv *Invocation) OutputTextSize() int { return inv.read().textSize }

// ToolCallOnly reports whether the first choice asks for tools and says
// nothing else. Reasoning does not count as saying something.
func (inv *Invocation) ToolCallOnly() bool { return inv.read().toolOnly }
