package instrumentation

import (
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"go.opentelemetry.io/otel/log"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"
)

// ScopeName is the instrumentation scope of the spans, metrics and events of
// this package.
const ScopeName = "github.com/genaievals/genaievals/instrumentation"

// Handler records GenAI invocations and offers them, when they end, to its
// callbacks. Make one with [NewHandler], or use [Default]. It is safe for
// concurrent use and holds nothing that needs closing. A nil or zero Handler
// records nothing.
type Handler struct {
	tracer      trace.Tracer
	logger      log.Logger
	instruments instruments
	capture     CaptureMode
	errorTypeOf func(error) string // nil: the default
	slog        *slog.Logger       // nil: slog.Default

	traces traceDocuments

	// Register replaces the list under mu; End reads it without a lock.
	mu        sync.Mutex
	callbacks atomic.Pointer[[]*registration]

	panics   atomic.Int64
	panicked sync.Map // type of callback or hook → struct{}: reported before
}

// registration is a callback's entry. Its address is its identity, so that the
// same callback can be registered twice.
type registration struct{ callback CompletionCallback }

// NewHandler returns a handler. Without options it uses the global OTel
// providers and the capture mode of the environment; a capture mode that
// cannot be read is reported once and becomes NO_CONTENT.
func NewHandler(opts ...Option) *Handler {
	c := newConfig(opts)
	h := &Handler{
		tracer:      c.tracerProvider.Tracer(ScopeName, trace.WithSchemaURL(semconv.SchemaURL)),
		logger:      c.loggerProvider.Logger(ScopeName, log.WithSchemaURL(semconv.SchemaURL)),
		capture:     c.capture,
		errorTypeOf: c.errorType,
		slog:        c.logger,
	}
	if !c.captureSet {
		mode, err := captureModeFromEnv()
		if err != nil {
			h.warn("unreadable environment variable, its default is used",
				"variable", EnvCaptureMessageContent, "default", mode.String(), "error", err)
		}
		h.capture = mode
	}
	var err error
	if h.instruments, err = newInstruments(c.meterProvider); err != nil {
		h.warn("some GenAI metrics are off", "error", err)
	}
	return h
}

// Register adds a callback, which is told of every invocation that ends from
// now on, after those registered before. A callback registered twice is told
// twice. The returned function removes it again; it may be called more than
// once and from within a callback. An invocation that is ending meanwhile may
// still be told. Nil is ignored.
func (h *Handler) Register(cb CompletionCallback) (unregister func()) {
	if h == nil || cb == nil {
		return func() {}
	}
	r := &registration{callback: cb}
	h.replaceCallbacks(func(list []*registration) []*registration { return append(list, r) })
	return func() {
		h.replaceCallbacks(func(list []*registration) []*registration {
			return slices.DeleteFunc(list, func(o *registration) bool { return o == r })
		})
	}
}

// replaceCallbacks publishes a changed copy of the list, so that an End that
// walks the old one is not disturbed.
func (h *Handler) replaceCallbacks(change func([]*registration) []*registration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var list []*registration
	if p := h.callbacks.Load(); p != nil {
		list = slices.Clone(*p)
	}
	list = change(list)
	h.callbacks.Store(&list)
}

// Panics counts the panics of callbacks and of the function given to
// [WithErrorType] that were contained so far.
func (h *Handler) Panics() int64 {
	if h == nil {
		return 0
	}
	return h.panics.Load()
}

// complete tells the callbacks. Each is guarded on its own.
func (h *Handler) complete(inv *Invocation) {
	list := h.callbacks.Load()
	if list == nil {
		return
	}
	for _, r := range *list {
		h.call(r.callback, inv)
	}
}

func (h *Handler) call(cb CompletionCallback, inv *Invocation) {
	defer h.contain(cb)
	cb.OnCompletion(inv)
}

// contain, deferred around the application's code, counts a panic and reports
// the first of each type of hook. The panic's value is reported only when it
// is the runtime's: any other may quote content.
func (h *Handler) contain(hook any) {
	cause := recover()
	if cause == nil {
		return
	}
	h.panics.Add(1)
	name := fmt.Sprintf("%T", hook)
	if _, reported := h.panicked.LoadOrStore(name, struct{}{}); reported {
		return
	}
	h.reportPanic(name, cause, debug.Stack())
}

func (h *Handler) reportPanic(hook string, cause any, stack []byte) {
	defer func() { _ = recover() }() // the panic's value can have methods
	args := []any{"hook", hook, "panic_type", fmt.Sprintf("%T", cause), "stack", string(stack)}
	if err, ok := cause.(runtime.Error); ok {
		args = append(args, "panic", err.Error())
	}
	h.warn("a hook panicked; its further panics are only counted", args...)
}

// warn reports trouble. The logger's handler is the application's, too, and may
// panic.
func (h *Handler) warn(msg string, args ...any) {
	defer func() { _ = recover() }()
	l := h.slog
	if l == nil {
		l = slog.Default()
	}
	l.Warn(msg, args...)
}
