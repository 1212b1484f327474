package instrumentation_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/genaievals/genaievals/instrumentation"
)

func TestSpanOfEachKind(t *testing.T) {
	tests := []struct {
		name  string
		start func(h *instrumentation.Handler, ctx context.Context) *instrumentation.Invocation
		span  string
		kind  trace.SpanKind
		want  map[string]any
	}{
		{
			name: "inference with everything",
			start: func(h *instrumentation.Handler, ctx context.Context) *instrumentation.Invocation {
				_, inv := h.StartInference(ctx, instrumentation.Inference{
					Provider: "openai", Model: "gpt-5", ServerAddress: "api.openai.com", ServerPort: 443,
					Stream: true, ConversationID: "c1", OutputType: "json",
					Temperature: new(0.0), TopP: new(0.9), TopK: new(40.0), FrequencyPenalty: new(0.1), PresencePenalty: new(0.2),
					MaxTokens: new(100), Seed: new(0), ChoiceCount: new(2), StopSequences: []string{"END"},
				})
				inv.Chunk()
				inv.SetResponse("r1", "gpt-5-2026", "stop", "length")
				inv.SetUsage(instrumentation.Usage{
					InputTokens: 10, OutputTokens: 20, CacheReadTokens: 3, CacheWriteTokens: 4, ReasoningTokens: 5,
				})
				return inv
			},
			span: "chat gpt-5", kind: trace.SpanKindClient,
			want: map[string]any{
				"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "gpt-5",
				"server.address": "api.openai.com", "server.port": 443.0,
				"gen_ai.request.stream": true, "gen_ai.conversation.id": "c1", "gen_ai.output.type": "json",
				"gen_ai.request.temperature": 0.0, "gen_ai.request.top_p": 0.9, "gen_ai.request.top_k": 40.0,
				"gen_ai.request.frequency_penalty": 0.1, "gen_ai.request.presence_penalty": 0.2,
				"gen_ai.request.max_tokens": 100.0, "gen_ai.request.seed": 0.0, "gen_ai.request.choice.count": 2.0,
				"gen_ai.request.stop_sequences": []any{"END"},
				"gen_ai.response.id":            "r1", "gen_ai.response.model": "gpt-5-2026",
				"gen_ai.response.finish_reasons": []any{"stop", "length"},
				"gen_ai.usage.input_tokens":      10.0, "gen_ai.usage.output_tokens": 20.0,
				"gen_ai.usage.cache_read.input_tokens": 3.0, "gen_ai.usage.cache_creation.input_tokens": 4.0,
				"gen_ai.usage.reasoning.output_tokens": 5.0,
			},
		},
		{
			name: "inference with nothing known",
			start: func(h *instrumentation.Handler, ctx context.Context) *instrumentation.Invocation {
				_, inv := h.StartInference(ctx, instrumentation.Inference{ServerPort: 8080, ChoiceCount: new(1)})
				return inv
			},
			span: "chat", kind: trace.SpanKindClient,
			want: map[string]any{"gen_ai.operation.name": "chat"},
		},
		{
			name: "text completion",
			start: func(h *instrumentation.Handler, ctx context.Context) *instrumentation.Invocation {
				_, inv := h.StartInference(ctx, instrumentation.Inference{Operation: "text_completion", Model: "m"})
				return inv
			},
			span: "text_completion m", kind: trace.SpanKindClient,
			want: map[string]any{"gen_ai.operation.name": "text_completion", "gen_ai.request.model": "m"},
		},
		{
			name: "agent",
			start: func(h *instrumentation.Handler, ctx context.Context) *instrumentation.Invocation {
				_, inv := h.StartAgent(ctx, instrumentation.Agent{
					Name: "guide", ID: "a1", Description: "guides", Version: "2", Provider: "openai", Model: "gpt-5",
				})
				inv.SetUsage(instrumentation.Usage{InputTokens: 7})
				return inv
			},
			span: "invoke_agent guide", kind: trace.SpanKindInternal,
			want: map[string]any{
				"gen_ai.operation.name": "invoke_agent", "gen_ai.provider.name": "openai", "gen_ai.request.model": "gpt-5",
				"gen_ai.agent.name": "guide", "gen_ai.agent.id": "a1", "gen_ai.agent.description": "guides",
				"gen_ai.agent.version": "2", "gen_ai.usage.input_tokens": 7.0,
			},
		},
		{
			name: "remote agent",
			start: func(h *instrumentation.Handler, ctx context.Context) *instrumentation.Invocation {
				_, inv := h.StartAgent(ctx, instrumentation.Agent{Name: "guide", Remote: true, ServerAddress: "agents"})
				return inv
			},
			span: "invoke_agent guide", kind: trace.SpanKindClient,
			want: map[string]any{
				"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "guide", "server.address": "agents",
			},
		},
		{
			name: "making an agent",
			start: func(h *instrumentation.Handler, ctx context.Context) *instrumentation.Invocation {
				_, inv := h.StartAgent(ctx, instrumentation.Agent{Name: "guide", Create: true})
				return inv
			},
			span: "create_agent guide", kind: trace.SpanKindClient,
			want: map[string]any{"gen_ai.operation.name": "create_agent", "gen_ai.agent.name": "guide"},
		},
		{
			name: "workflow",
			start: func(h *instrumentation.Handler, ctx context.Context) *instrumentation.Invocation {
				_, inv := h.StartWorkflow(ctx, instrumentation.Workflow{Name: "triage", ConversationID: "c2"})
				return inv
			},
			span: "invoke_workflow triage", kind: trace.SpanKindInternal,
			want: map[string]any{
				"gen_ai.operation.name": "invoke_workflow", "gen_ai.workflow.name": "triage", "gen_ai.conversation.id": "c2",
			},
		},
		{
			name: "tool",
			start: func(h *instrumentation.Handler, ctx context.Context) *instrumentation.Invocation {
				_, inv := h.StartTool(ctx, instrumentation.Tool{
					Name: "clock", CallID: "t1", Description: "tells the time", Type: "function", Arguments: "{}",
				})
				return inv
			},
			span: "execute_tool clock", kind: trace.SpanKindInternal,
			want: map[string]any{
				"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "clock", "gen_ai.tool.call.id": "t1",
				"gen_ai.tool.description": "tells the time", "gen_ai.tool.type": "function",
			},
		},
		{
			name: "embeddings",
			start: func(h *instrumentation.Handler, ctx context.Context) *instrumentation.Invocation {
				_, inv := h.StartEmbeddings(ctx, instrumentation.Embeddings{
					Provider: "openai", Model: "e3", Dimensions: 256, EncodingFormats: []string{"float"},
					ServerAddress: "api", ServerPort: 1,
				})
				return inv
			},
			span: "embeddings e3", kind: trace.SpanKindClient,
			want: map[string]any{
				"gen_ai.operation.name": "embeddings", "gen_ai.provider.name": "openai", "gen_ai.request.model": "e3",
				"gen_ai.embeddings.dimension.count": 256.0, "gen_ai.request.encoding_formats": []any{"float"},
				"server.address": "api", "server.port": 1.0,
			},
		},
		{
			name: "retrieval",
			start: func(h *instrumentation.Handler, ctx context.Context) *instrumentation.Invocation {
				_, inv := h.StartRetrieval(ctx, instrumentation.Retrieval{
					DataSourceID: "handbook", Provider: "openai", Model: "e3", Query: "secret", TopK: 5,
				})
				return inv
			},
			span: "retrieval handbook", kind: trace.SpanKindClient,
			want: map[string]any{
				"gen_ai.operation.name": "retrieval", "gen_ai.data_source.id": "handbook", "gen_ai.provider.name": "openai",
				"gen_ai.request.model": "e3", "gen_ai.retrieval.top_k": 5.0,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tel := record(t)
			tt.start(tel.Handler, t.Context()).End()
			span := tel.span(t)
			if span.Name != tt.span || span.SpanKind != tt.kind {
				t.Errorf("span %q of kind %v, want %q of %v", span.Name, span.SpanKind, tt.span, tt.kind)
			}
			got := plainAttributes(span.Attributes)
			delete(got, "gen_ai.response.time_to_first_chunk")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("attributes (-want +got):\n%s", diff)
			}
			if span.Status.Code != codes.Unset {
				t.Errorf("status %v, want unset", span.Status)
			}
			if s := span.InstrumentationScope; s.Name != instrumentation.ScopeName || s.SchemaURL != semconv.SchemaURL {
				t.Errorf("scope %+v", s)
			}
		})
	}
}

// samplerSpy remembers what a sampler may decide on.
type samplerSpy struct{ seen []attribute.KeyValue }

func (s *samplerSpy) ShouldSample(p sdktrace.SamplingParameters) sdktrace.SamplingResult {
	s.seen = append(s.seen, p.Attributes...)
	return sdktrace.SamplingResult{Decision: sdktrace.Drop}
}
func (s *samplerSpy) Description() string { return "spy" }

func TestSamplerSeesWhatTheConventionsPromise(t *testing.T) {
	spy := &samplerSpy{}
	tel := recordSampled(t, spy)
	_, inv := tel.StartInference(t.Context(), instrumentation.Inference{
		Provider: "openai", Model: "gpt-5", ServerAddress: "api", ServerPort: 443,
	})
	inv.End()
	want := map[string]any{
		"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "gpt-5",
		"server.address": "api", "server.port": 443.0,
	}
	if diff := cmp.Diff(want, plainAttributes(spy.seen)); diff != "" {
		t.Errorf("attributes at start (-want +got):\n%s", diff)
	}
}

func TestRequestIsCopiedAtStart(t *testing.T) {
	tel := record(t, instrumentation.WithCaptureMessageContent(instrumentation.CaptureSpanOnly))
	temperature, stop := 0.5, []string{"END"}
	raw := []byte(`{"a":1}`)
	input := []instrumentation.Message{{Role: "user", Parts: []instrumentation.Part{
		instrumentation.Text("before"), {Type: instrumentation.PartToolCall, Name: "f", Value: raw},
	}}}
	tools := []instrumentation.ToolDefinition{{Name: "f", Parameters: raw}}
	output := []instrumentation.Part{instrumentation.Text("before")}
	_, inv := tel.StartInference(t.Context(), instrumentation.Inference{
		Temperature: &temperature, StopSequences: stop, Input: input, Tools: tools,
	})
	inv.SetOutput(instrumentation.Message{Parts: output})

	temperature, stop[0], raw[2] = 9, "after", 'X'
	input[0].Role, input[0].Parts[0].Content, tools[0].Name, output[0].Content = "after", "after", "after", "after"
	inv.End()

	got := plainAttributes(tel.span(t).Attributes)
	want := map[string]any{
		"gen_ai.operation.name":         "chat",
		"gen_ai.request.temperature":    0.5,
		"gen_ai.request.stop_sequences": []any{"END"},
		"gen_ai.input.messages": []any{map[string]any{"role": "user", "parts": []any{
			map[string]any{"type": "text", "content": "before"},
			map[string]any{"type": "tool_call", "name": "f", "arguments": map[string]any{"a": 1.0}},
		}}},
		"gen_ai.tool.definitions": []any{map[string]any{
			"type": "function", "name": "f", "parameters": map[string]any{"a": 1.0},
		}},
		"gen_ai.output.messages": []any{map[string]any{"role": "assistant", "finish_reason": "", "parts": []any{
			map[string]any{"type": "text", "content": "before"},
		}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("attributes (-want +got):\n%s", diff)
	}
}

func TestSuppressRecordsNothing(t *testing.T) {
	tel := record(t, instrumentation.WithCaptureMessageContent(instrumentation.CaptureSpanAndEvent))
	told := completed(tel.Handler)
	ctx := instrumentation.Suppress(t.Context())
	for _, ctx := range []context.Context{ctx, instrumentation.WithoutEvaluation(ctx)} {
		got, inv := tel.StartInference(ctx, instrumentation.Inference{})
		if got != ctx || inv != nil {
			t.Fatal("an invocation was started below Suppress")
		}
		inv.End()
		_, tool := tel.StartTool(ctx, instrumentation.Tool{})
		tool.End()
	}
	if len(tel.spans.GetSpans()) != 0 || len(tel.metrics(t)) != 0 || len(tel.events.records) != 0 || len(*told) != 0 {
		t.Errorf("recorded below Suppress:\n%s", tel.everything(t))
	}
}

func TestWithoutEvaluationIsRemembered(t *testing.T) {
	tel := record(t)
	told := completed(tel.Handler)
	_, inv := tel.StartInference(instrumentation.WithoutEvaluation(t.Context()), instrumentation.Inference{})
	inv.End()
	_, inv = tel.StartInference(t.Context(), instrumentation.Inference{})
	inv.End()
	if len(*told) != 2 || !(*told)[0].Suppressed() || (*told)[1].Suppressed() {
		t.Errorf("callbacks were told of %v", *told)
	}
	if n := len(tel.spans.GetSpans()); n != 2 {
		t.Errorf("%d spans, want 2", n)
	}
}

func TestNoHandlerRecordsNothing(t *testing.T) {
	var none *instrumentation.Handler
	for _, h := range []*instrumentation.Handler{none, {}} {
		ctx, inv := h.StartAgent(t.Context(), instrumentation.Agent{})
		if ctx != t.Context() || inv != nil {
			t.Error("recorded without a handler")
		}
		h.Register(instrumentation.CompletionCallbackFunc(func(*instrumentation.Invocation) {}))()
		if h.Panics() != 0 {
			t.Error("panics without a handler")
		}
	}
}

func TestWithoutSDKCallbacksAreToldEverything(t *testing.T) {
	h := instrumentation.NewHandler(instrumentation.WithTracerProvider(tracenoop.NewTracerProvider()))
	told := completed(h)
	ctx, agent := h.StartAgent(t.Context(), instrumentation.Agent{Name: "guide"})
	_, inv := h.StartInference(ctx, instrumentation.Inference{Input: []instrumentation.Message{instrumentation.UserMessage("Q")}})
	inv.SetOutput(instrumentation.AssistantMessage("A"))
	inv.End()
	agent.End()
	if len(*told) != 2 {
		t.Fatalf("told of %d, want 2", len(*told))
	}
	got := (*told)[0]
	if got.AgentName() != "guide" || got.Output()[0].Parts[0].Content != "A" || got.SpanContext().IsValid() {
		t.Errorf("told of %+v", got)
	}
}

func TestNilContextIsBackground(t *testing.T) {
	h := instrumentation.NewHandler()
	var none context.Context
	ctx := instrumentation.WithConversationID(none, "c")
	ctx = instrumentation.WithProperties(ctx)
	for _, ctx := range []context.Context{
		instrumentation.WithProperties(none), instrumentation.WithDocuments(none), instrumentation.Suppress(none),
		instrumentation.WithoutEvaluation(none), ctx,
	} {
		if ctx == nil {
			t.Error("a nil context stayed nil")
		}
	}
	if instrumentation.Suppressed(none) || instrumentation.FromContext(none) != nil {
		t.Error("a nil context carries something")
	}
	ctx, inv := h.StartTool(none, instrumentation.Tool{})
	if instrumentation.FromContext(ctx) != inv {
		t.Error("the context does not carry the invocation")
	}
	inv.End()
	if ctx, _ := (*instrumentation.Handler)(nil).StartTool(none, instrumentation.Tool{}); ctx == nil {
		t.Error("a nil context was returned")
	}
}
