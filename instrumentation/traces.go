package instrumentation

import (
	"container/list"
	"sync"
	"time"

	"go.opentelemetry.io/otel/trace"
)

// The bounds of what a handler keeps of traces, besides those of each shelf.
// Nobody tells it when a trace is over.
const (
	maxTraces     = 1024
	maxTraceBytes = 16 << 20
	maxTraceAge   = 10 * time.Minute
)

// traceDocuments holds what retrievals found and tools returned in the latest
// traces: at most maxTraces of them and maxTraceBytes in all, the least
// recently used out first, none unused for longer than maxTraceAge. It is used
// where there is no enclosing agent or workflow. It has no goroutine: what is
// too old goes when the next document comes, or is asked for. The zero value
// is ready.
type traceDocuments struct {
	mu     sync.Mutex
	byID   map[trace.TraceID]*list.Element // of *tracked
	recent list.List                       // most recently used first
	bytes  int
}

type tracked struct {
	id    trace.TraceID
	used  time.Time
	found shelf
}

// add shelves documents found in a trace; nested says that it was below an
// agent or workflow. Without a valid trace id it does nothing.
func (t *traceDocuments) add(id trace.TraceID, docs []Document, nested bool) {
	if !id.IsValid() || len(docs) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	t.expire(now)
	e, ok := t.byID[id]
	if !ok {
		if t.byID == nil {
			t.byID = make(map[trace.TraceID]*list.Element)
		}
		e = t.recent.PushFront(&tracked{id: id})
		t.byID[id] = e
	}
	tr := t.use(e, now)
	t.bytes -= tr.found.bytes
	for _, d := range docs {
		tr.found.put(d, nested)
	}
	t.bytes += tr.found.bytes
	if len(tr.found.docs) == 0 {
		t.drop(e)
	}
	for t.recent.Len() > maxTraces || t.bytes > maxTraceBytes {
		t.drop(t.recent.Back())
	}
}

// documents lists what was found in a trace, oldest first; without nestedToo
// only what was found outside agents and workflows.
func (t *traceDocuments) documents(id trace.TraceID, nestedToo bool) []Document {
	if !id.IsValid() {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.byID) == 0 {
		return nil
	}
	now := time.Now()
	t.expire(now)
	e, ok := t.byID[id]
	if !ok {
		return nil
	}
	return t.use(e, now).found.list(nil, nestedToo)
}

func (t *traceDocuments) use(e *list.Element, now time.Time) *tracked {
	t.recent.MoveToFront(e)
	tr := e.Value.(*tracked)
	tr.used = now
	return tr
}

// expire drops from the back, which was used longest ago.
func (t *traceDocuments) expire(now time.Time) {
	for e := t.recent.Back(); e != nil && now.Sub(e.Value.(*tracked).used) > maxTraceAge; e = t.recent.Back() {
		t.drop(e)
	}
}

func (t *traceDocuments) drop(e *list.Element) {
	tr := t.recent.Remove(e).(*tracked)
	delete(t.byID, tr.id)
	t.bytes -= tr.found.bytes
}
