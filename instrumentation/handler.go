package instrumentation

import (
	"context"
)

// Handler records GenAI invocations.
type Handler struct{}

// Option configures a [Handler].
type Option interface{ apply(config) config }

type config struct{}

// NewHandler returns a handler.
func NewHandler(opts ...Option) *Handler { return &Handler{} }

// Default returns the handler that transports use without being passed one.
func Default() *Handler { return nil }

// SetDefault replaces it.
func SetDefault(h *Handler) {}

// Register adds a callback.
func (h *Handler) Register(cb CompletionCallback) (unregister func()) { return func() {} }

func (h *Handler) StartInference(ctx context.Context, r Inference) (context.Context, *Invocation) {
	return ctx, nil
}
func (h *Handler) StartAgent(ctx context.Context, r Agent) (context.Context, *Invocation) {
	return ctx, nil
}
func (h *Handler) StartWorkflow(ctx context.Context, r Workflow) (context.Context, *Invocation) {
	return ctx, nil
}
func (h *Handler) StartTool(ctx context.Context, r Tool) (context.Context, *Invocation) {
	return ctx, nil
}
func (h *Handler) StartEmbeddings(ctx context.Context, r Embeddings) (context.Context, *Invocation) {
	return ctx, nil
}
func (h *Handler) StartRetrieval(ctx context.Context, r Retrieval) (context.Context, *Invocation) {
	return ctx, nil
}

// End, Fail, Chunk, SetDocuments, SetToolResult
func (inv *Invocation) End()                         {}
func (inv *Invocation) Fail(err error)               {}
func (inv *Invocation) Chunk()                       {}
func (inv *Invocation) SetDocuments(docs ...Document) {}
func (inv *Invocation) SetToolResult(result any)     {}
