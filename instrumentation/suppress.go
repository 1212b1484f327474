package instrumentation

import "context"

type suppressKey struct{}

type suppression uint8

const (
	suppressEvaluation suppression = iota + 1
	suppressAll
)

// Suppress returns a context below which nothing is recorded and nothing is
// evaluated: a Handler starts no invocation there, and a transport passes
// requests straight through. Evaluations run below it, so that a judge's own
// calls are never taken for the application's.
func Suppress(ctx context.Context) context.Context {
	return context.WithValue(orBackground(ctx), suppressKey{}, suppressAll)
}

// WithoutEvaluation returns a context below which invocations are recorded as
// usual but not evaluated. What retrievals and tools find there still becomes
// documents of the invocations around and after them.
func WithoutEvaluation(ctx context.Context) context.Context {
	if Suppressed(ctx) {
		return ctx
	}
	return context.WithValue(orBackground(ctx), suppressKey{}, suppressEvaluation)
}

// Suppressed reports whether ctx is below [Suppress].
func Suppressed(ctx context.Context) bool { return suppressionOf(ctx) == suppressAll }

func suppressionOf(ctx context.Context) suppression {
	if ctx == nil {
		return 0
	}
	s, _ := ctx.Value(suppressKey{}).(suppression)
	return s
}
