package instrumentation

import (
	"context"
	"slices"

	"go.opentelemetry.io/otel/attribute"

	"github.com/genaievals/genaievals/internal/reserved"
)

type surroundingsKey struct{}

// surroundings is what a context carries for the invocations started below it,
// in one value so that a Start looks it up once. It is never modified: a
// derived context gets a changed copy.
type surroundings struct {
	invocation         *Invocation // the innermost
	agentName, agentID string
	conversationID     string
	properties         []attribute.KeyValue
	documents          []Document // given by WithDocuments
	scope              *scope     // of the innermost agent or workflow
	priority           Priority
	prioritized        bool // priority was given
}

func surroundingsOf(ctx context.Context) surroundings {
	if ctx == nil {
		return surroundings{}
	}
	if s, ok := ctx.Value(surroundingsKey{}).(*surroundings); ok {
		return *s
	}
	return surroundings{}
}

func (s surroundings) in(ctx context.Context) context.Context {
	return context.WithValue(orBackground(ctx), surroundingsKey{}, &s)
}

func orBackground(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

// FromContext returns the innermost invocation that ctx was started by, which
// may have ended; nil when there is none. A layer that records the same
// operation as the one above it can use it to record it only once.
func FromContext(ctx context.Context) *Invocation { return surroundingsOf(ctx).invocation }

// WithConversationID returns a context below which invocations carry that
// gen_ai.conversation.id, unless they are started with one of their own; theirs
// then holds for the invocations below them.
func WithConversationID(ctx context.Context, id string) context.Context {
	s := surroundingsOf(ctx)
	s.conversationID = clean(id)
	return s.in(ctx)
}

// WithProperties returns a context below which invocations carry these
// association properties, such as a user's or a tenant's id, besides those of
// ctx. They are attributes of the invocations' spans and content events and of
// the results, never of metrics. Of two with the same key the later one counts.
// Left out are those without a key, and those that would pass for what the
// conventions or this library say: error.type and all that begins with gen_ai.,
// server. or genaievals.
func WithProperties(ctx context.Context, kv ...attribute.KeyValue) context.Context {
	s := surroundingsOf(ctx)
	merged := slices.Clone(s.properties)
	for _, p := range kv {
		if !p.Valid() {
			continue
		}
		if p = cleanAttribute(p); reserved.ForApplication(p.Key) {
			continue
		}
		same := func(o attribute.KeyValue) bool { return o.Key == p.Key }
		if i := slices.IndexFunc(merged, same); i >= 0 {
			merged[i] = p
		} else {
			merged = append(merged, p)
		}
	}
	s.properties = slices.Clip(merged)
	return s.in(ctx)
}

// WithDocuments returns a context below which answers of inference, agents and
// workflows can be checked against these documents, besides those of ctx. How
// many there are is not limited.
func WithDocuments(ctx context.Context, docs ...Document) context.Context {
	s := surroundingsOf(ctx)
	s.documents = slices.Concat(s.documents, cloneDocuments(docs))
	return s.in(ctx)
}
