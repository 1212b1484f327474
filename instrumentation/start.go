package instrumentation

import (
	"cmp"
	"context"
	"time"

	"go.opentelemetry.io/otel/baggage"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"
)

// The operations that a Start does not choose among.
const (
	operationChat           = "chat"
	operationInvokeAgent    = "invoke_agent"
	operationCreateAgent    = "create_agent"
	operationInvokeWorkflow = "invoke_workflow"
	operationExecuteTool    = "execute_tool"
	operationEmbeddings     = "embeddings"
	operationRetrieval      = "retrieval"
)

// prepare begins an invocation with what ctx knows; nil where nothing is
// recorded.
func (h *Handler) prepare(ctx context.Context, kind Kind, operation string) (*Invocation, surroundings) {
	suppression := suppressionOf(ctx)
	if h == nil || h.tracer == nil || suppression == suppressAll {
		return nil, surroundings{}
	}
	around := surroundingsOf(ctx)
	inv := &Invocation{
		handler:     h,
		kind:        kind,
		operation:   operation,
		properties:  around.properties,
		suppression: suppression,
		start:       time.Now(),
		given:       around.documents,
	}
	inv.scope = around.scope
	inv.conversationID = around.conversationID
	inv.agentName, inv.agentID = around.agentName, around.agentID
	inv.priority, inv.prioritized = around.priority, around.prioritized
	return inv, around
}

// begin opens the span and returns the context for what happens below.
func (inv *Invocation) begin(ctx context.Context, around surroundings, kind trace.SpanKind, target string) context.Context {
	ctx = orBackground(ctx)
	inv.baggage = baggage.FromContext(ctx)
	name := inv.operation
	if target != "" {
		name += " " + target
	}
	outer := trace.SpanContextFromContext(ctx).SpanID()
	ctx, inv.span = inv.handler.tracer.Start(ctx, name,
		trace.WithSpanKind(kind),
		trace.WithTimestamp(inv.start),
		trace.WithAttributes(inv.sampling()...))
	inv.spanContext = inv.span.SpanContext()
	inv.ownSpan = inv.spanContext.IsValid() && inv.spanContext.SpanID() != outer

	below := around
	below.invocation = inv
	below.conversationID = inv.conversationID
	if inv.encloses() {
		below.agentName, below.agentID = inv.agentName, inv.agentID
		below.scope = &scope{outer: around.scope}
		if below.scope.outer == nil {
			below.scope.add(inv.handler.traces.documents(inv.spanContext.TraceID(), false))
		}
		inv.scope = below.scope
	}
	inv.ctx = context.WithoutCancel(ctx)
	return below.in(ctx)
}

// encloses reports whether what is found below belongs to this invocation.
func (inv *Invocation) encloses() bool {
	return inv.kind == KindWorkflow || inv.kind == KindAgent && inv.operation != operationCreateAgent
}

// describes reports whether anybody wants the attributes of the request.
func (inv *Invocation) describes() bool {
	return inv.span.IsRecording() || inv.kind == KindInference && inv.handler.capture.events()
}

func (inv *Invocation) describe(params attributes) {
	params.identity(inv)
	inv.params = params
	inv.span.SetAttributes(params...)
}

func (inv *Invocation) setServer(address string, port int) {
	inv.serverAddress, inv.serverPort = clean(address), max(port, 0)
}

// StartInference begins a call of a model. The returned context carries its
// span, and it as the innermost invocation: use it for the call. Call End or
// Fail when the answer is complete; a span is lost without. Below [Suppress] it
// returns ctx and nil.
func (h *Handler) StartInference(ctx context.Context, r Inference) (context.Context, *Invocation) {
	inv, around := h.prepare(ctx, KindInference, cmp.Or(clean(r.Operation), operationChat))
	if inv == nil {
		return orBackground(ctx), nil
	}
	inv.provider, inv.requestModel = clean(r.Provider), clean(r.Model)
	inv.setServer(r.ServerAddress, r.ServerPort)
	inv.conversationID = cmp.Or(clean(r.ConversationID), inv.conversationID)
	inv.system, inv.input, inv.tools = cloneParts(r.SystemInstructions), cloneMessages(r.Input), cloneTools(r.Tools)
	ctx = inv.begin(ctx, around, trace.SpanKindClient, inv.requestModel)
	inv.documents = inv.collect()
	if inv.describes() {
		a := make(attributes, 0, 16)
		a.number(semconv.GenAIRequestTemperatureKey, r.Temperature)
		a.number(semconv.GenAIRequestTopPKey, r.TopP)
		a.number(semconv.GenAIRequestTopKKey, r.TopK)
		a.number(semconv.GenAIRequestFrequencyPenaltyKey, r.FrequencyPenalty)
		a.number(semconv.GenAIRequestPresencePenaltyKey, r.PresencePenalty)
		a.integer(semconv.GenAIRequestMaxTokensKey, r.MaxTokens)
		a.integer(semconv.GenAIRequestSeedKey, r.Seed)
		if r.ChoiceCount != nil && *r.ChoiceCount != 1 {
			a.add(semconv.GenAIRequestChoiceCount(*r.ChoiceCount))
		}
		a.texts(semconv.GenAIRequestStopSequencesKey, cleanAll(r.StopSequences))
		if r.Stream {
			a.add(semconv.GenAIRequestStream(true))
		}
		a.text(semconv.GenAIOutputTypeKey, clean(r.OutputType))
		inv.describe(a)
	}
	return ctx, inv
}

// StartAgent begins a run of an agent (or, with Create, the making of one).
// What is started with the returned context belongs to it: it inherits the
// agent's name and the conversation id, and what it finds becomes documents of
// the agent. See [Handler.StartInference] for the rest.
func (h *Handler) StartAgent(ctx context.Context, r Agent) (context.Context, *Invocation) {
	operation, kind := operationInvokeAgent, trace.SpanKindInternal
	if r.Create {
		operation = operationCreateAgent
	}
	if r.Create || r.Remote {
		kind = trace.SpanKindClient
	}
	inv, around := h.prepare(ctx, KindAgent, operation)
	if inv == nil {
		return orBackground(ctx), nil
	}
	inv.name = clean(r.Name)
	if r.Name != "" || r.ID != "" {
		inv.agentName, inv.agentID = inv.name, clean(r.ID)
	}
	inv.provider, inv.requestModel = clean(r.Provider), clean(r.Model)
	inv.setServer(r.ServerAddress, r.ServerPort)
	inv.conversationID = cmp.Or(clean(r.ConversationID), inv.conversationID)
	inv.system, inv.input, inv.tools = cloneParts(r.SystemInstructions), cloneMessages(r.Input), cloneTools(r.Tools)
	ctx = inv.begin(ctx, around, kind, inv.name)
	if inv.describes() {
		a := make(attributes, 0, 8)
		a.text(semconv.GenAIAgentDescriptionKey, clean(r.Description))
		a.text(semconv.GenAIAgentVersionKey, clean(r.Version))
		inv.describe(a)
	}
	return ctx, inv
}

// StartWorkflow begins a run of a workflow. What is started with the returned
// context belongs to it as to an agent, see [Handler.StartAgent], but for the
// name.
func (h *Handler) StartWorkflow(ctx context.Context, r Workflow) (context.Context, *Invocation) {
	inv, around := h.prepare(ctx, KindWorkflow, operationInvokeWorkflow)
	if inv == nil {
		return orBackground(ctx), nil
	}
	inv.name = clean(r.Name)
	inv.conversationID = cmp.Or(clean(r.ConversationID), inv.conversationID)
	inv.input = cloneMessages(r.Input)
	ctx = inv.begin(ctx, around, trace.SpanKindInternal, inv.name)
	if inv.describes() {
		a := make(attributes, 0, 8)
		a.text(semconv.GenAIWorkflowNameKey, inv.name)
		inv.describe(a)
	}
	return ctx, inv
}

// StartTool begins an execution of a tool. Its result, set by
// [Invocation.SetToolResult], becomes a document of the invocations around and
// after it when it ends. See [Handler.StartInference] for the rest.
func (h *Handler) StartTool(ctx context.Context, r Tool) (context.Context, *Invocation) {
	inv, around := h.prepare(ctx, KindTool, operationExecuteTool)
	if inv == nil {
		return orBackground(ctx), nil
	}
	inv.name, inv.callID = clean(r.Name), clean(r.CallID)
	inv.arguments = toJSON(r.Arguments)
	ctx = inv.begin(ctx, around, trace.SpanKindInternal, inv.name)
	if inv.describes() {
		a := make(attributes, 0, 8)
		a.text(semconv.GenAIToolNameKey, inv.name)
		a.text(semconv.GenAIToolCallIDKey, inv.callID)
		a.text(semconv.GenAIToolDescriptionKey, clean(r.Description))
		a.text(semconv.GenAIToolTypeKey, clean(r.Type))
		inv.describe(a)
	}
	return ctx, inv
}

// StartEmbeddings begins an embeddings call. See [Handler.StartInference] for
// the rest.
func (h *Handler) StartEmbeddings(ctx context.Context, r Embeddings) (context.Context, *Invocation) {
	inv, around := h.prepare(ctx, KindEmbeddings, operationEmbeddings)
	if inv == nil {
		return orBackground(ctx), nil
	}
	inv.provider, inv.requestModel = clean(r.Provider), clean(r.Model)
	inv.setServer(r.ServerAddress, r.ServerPort)
	ctx = inv.begin(ctx, around, trace.SpanKindClient, inv.requestModel)
	if inv.describes() {
		a := make(attributes, 0, 8)
		a.count(semconv.GenAIEmbeddingsDimensionCountKey, int64(r.Dimensions))
		a.texts(semconv.GenAIRequestEncodingFormatsKey, cleanAll(r.EncodingFormats))
		inv.describe(a)
	}
	return ctx, inv
}

// StartRetrieval begins a search. What it finds, set by
// [Invocation.SetDocuments], becomes documents of the invocations around and
// after it when it ends. See [Handler.StartInference] for the rest.
func (h *Handler) StartRetrieval(ctx context.Context, r Retrieval) (context.Context, *Invocation) {
	inv, around := h.prepare(ctx, KindRetrieval, operationRetrieval)
	if inv == nil {
		return orBackground(ctx), nil
	}
	inv.name, inv.query = clean(r.DataSourceID), clean(r.Query)
	inv.provider, inv.requestModel = clean(r.Provider), clean(r.Model)
	ctx = inv.begin(ctx, around, trace.SpanKindClient, inv.name)
	if inv.describes() {
		a := make(attributes, 0, 8)
		a.text(semconv.GenAIDataSourceIDKey, inv.name)
		a.count(keyRetrievalTopK, int64(r.TopK))
		inv.describe(a)
	}
	return ctx, inv
}
