package instrumentation

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
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
	// summary is written once, by End, before the callbacks run. It comes first:
	// with calling it is all that an evaluation's door touches.
	summary Summary
	calling atomic.Bool // callbacks are running

	// Set by Start, not changed afterwards.
	handler     *Handler
	kind        Kind
	operation   string
	span        trace.Span
	spanContext trace.SpanContext
	baggage     baggage.Baggage
	properties  []attribute.KeyValue
	suppression suppression
	ownSpan     bool // the span context is not just the one around it
	start       time.Time
	params      []attribute.KeyValue // of the request, for the span and the event
	given       []Document           // by WithDocuments
	callID      string               // of a tool

	mu    sync.Mutex
	ended bool // guarded by mu; what follows no longer changes once it is set
	// changedInput says that the input is not the one that the documents of an
	// inference were collected with. Guarded by mu.
	changedInput bool
	// recording is what is needed until End, which lets go of it: an
	// invocation that waits to be evaluated must not keep the request's
	// context or its agent's documents.
	recording
	record
}

// recording is guarded by mu.
type recording struct {
	ctx       context.Context // with the span, never cancelled
	scope     *scope          // for an agent or workflow its own
	late      []Document      // by SetDocuments, but for a retrieval
	lastChunk time.Duration
	chunkSet  metric.MeasurementOption // attributes of time_per_output_chunk
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

	size           int
	textSize       int
	toolOnly       bool
	truncated      bool // by the recording
	inputTruncated bool // by the recording
	priority       Priority
	prioritized    bool // priority was given

	// Written by callbacks through MarkEvaluation, inside End.
	marked      bool
	evaluated   bool
	unevaluated string
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

// SetInput records the input of an inference, an agent or a workflow that was
// not known, or not all of it, at the start, and replaces what was recorded
// before. The tool responses in it are among the documents that the answer can
// be checked against. It does nothing for the other kinds.
func (inv *Invocation) SetInput(messages ...Message) {
	if inv == nil {
		return
	}
	input := cloneMessages(messages)
	inv.set(func(r *record) {
		switch inv.kind {
		case KindInference, KindAgent, KindWorkflow:
			r.input, inv.changedInput = input, true
		}
	})
}

// SetRequestModel records the model that was asked, when it was not known at
// the start; it does nothing when it was.
func (inv *Invocation) SetRequestModel(model string) {
	model = clean(model)
	inv.set(func(r *record) {
		if r.requestModel != "" || model == "" {
			return
		}
		r.requestModel = model
		if inv.kind == KindInference || inv.kind == KindEmbeddings {
			inv.Span().SetName(inv.operation + " " + model)
		}
		inv.Span().SetAttributes(semconv.GenAIRequestModelKey.String(model))
	})
}

// SetInputTruncated records that the input is not all of what was sent: the
// recording let some of it go, or could not read it. No metric that needs the
// input or documents, which can be in it, is asked of such an invocation.
func (inv *Invocation) SetInputTruncated() {
	inv.set(func(r *record) { r.inputTruncated = true })
}

// SetOutput records the answer, a message for each choice, of role assistant
// where it has none. It replaces what was recorded before.
func (inv *Invocation) SetOutput(choices ...Message) {
	if inv == nil {
		return
	}
	output := cloneMessages(choices)
	for i := range output {
		if output[i].Role == "" {
			output[i].Role = RoleAssistant
		}
	}
	inv.set(func(r *record) { r.output = output })
}

// SetResponse records what the provider said of the response; empty values
// leave what is there. Without finish reasons, those of the output count.
func (inv *Invocation) SetResponse(id, model string, finishReasons ...string) {
	inv.set(func(r *record) {
		if id != "" {
			r.responseID = clean(id)
		}
		if model != "" {
			r.responseModel = clean(model)
		}
		if len(finishReasons) > 0 {
			r.finishReasons = cleanAll(finishReasons)
		}
	})
}

// SetUsage records the provider's token accounting. It replaces what was
// recorded before.
func (inv *Invocation) SetUsage(u Usage) { inv.set(func(r *record) { r.usage = u }) }

// SetDocuments records what a retrieval found, and replaces what was recorded
// before. For inference, agents and workflows it adds documents that the
// answer can be checked against, such as the sources that came with it. It
// does nothing for a tool and for embeddings.
func (inv *Invocation) SetDocuments(docs ...Document) {
	if inv == nil {
		return
	}
	docs = cloneDocuments(docs)
	inv.set(func(r *record) {
		switch inv.kind {
		case KindRetrieval:
			r.documents = docs
		case KindInference, KindAgent, KindWorkflow:
			inv.late = slices.Concat(inv.late, docs)
		}
	})
}

// SetTruncated records that the output is not all of what the application got:
// the recording let some of it go. It is not for a provider that cut its own
// answer, which the finish reason tells. Such an invocation is not evaluated.
func (inv *Invocation) SetTruncated() { inv.set(func(r *record) { r.truncated = true }) }

// SetToolResult records what a tool returned, kept as JSON as in
// [ToolResponse].
func (inv *Invocation) SetToolResult(result any) {
	if inv == nil {
		return
	}
	// Rendered outside the lock: it can run the application's code.
	rendered := toJSON(result)
	inv.set(func(r *record) { r.result = rendered })
}

// Chunk records that a chunk of a streamed answer arrived. The first sets the
// time to first chunk, each further one is a point of
// gen_ai.client.operation.time_per_output_chunk, with the attributes that were
// known when the second arrived.
func (inv *Invocation) Chunk() {
	if inv == nil {
		return
	}
	inv.mu.Lock()
	if inv.ended || inv.handler == nil {
		inv.mu.Unlock()
		return
	}
	now := time.Since(inv.start)
	gap := now - inv.lastChunk
	inv.lastChunk = now
	if inv.chunks++; inv.chunks == 1 {
		inv.firstChunk = now
		inv.mu.Unlock()
		return
	}
	perChunk, ctx := inv.handler.instruments.perChunk, inv.ctx
	if !perChunk.Enabled(ctx) {
		inv.mu.Unlock()
		return
	}
	if inv.chunkSet == nil {
		inv.chunkSet = metric.WithAttributeSet(attribute.NewSet(inv.dimensions()...))
	}
	set := inv.chunkSet
	inv.mu.Unlock()
	perChunk.Record(ctx, gap.Seconds(), set)
}

// MarkEvaluation says, from a completion callback, whether the invocation is
// going to be evaluated, and the reason when it is not: the span gets
// gen_ai.evaluation.sampled and gen_ai.evaluation.error. The last call wins.
// It is for the callback's own goroutine and does nothing outside a callback.
func (inv *Invocation) MarkEvaluation(sampled bool, reason string) {
	if inv != nil && inv.calling.Load() {
		inv.marked, inv.evaluated, inv.unevaluated = true, sampled, reason
	}
}
