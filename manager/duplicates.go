package manager

import (
	"hash/maphash"
	"sync"
	"time"

	"github.com/genaievals/genaievals/instrumentation"
	"go.opentelemetry.io/otel/trace"
)

// DuplicateMemory bounds what a lane remembers of the invocations that its
// workers took, so that one which is offered again is not evaluated again. It
// is kept in two generations: an invocation is remembered for at most Age, and
// for at least half of that unless more than half of Size have come since.
type DuplicateMemory struct {
	// Size is how many invocations a lane remembers, at about 60 bytes each,
	// taken as they come. Defaults to 100,000, 6 MB; negative remembers none.
	Size int
	// Age is how long. Defaults to 1 hour.
	Age time.Duration
}

// identity tells invocations apart. The evaluator of a lane, its version and
// its plan do not change: of one span only kind and failure decide what is asked.
type identity struct {
	trace trace.TraceID
	span  trace.SpanID
	rest  uint64
}

// particulars are the rest of an identity, hashed.
type particulars struct {
	kind   instrumentation.Kind
	failed bool
	// Set where the span is not the invocation's own: without an OTel SDK, all
	// that happens in a request carries the trace and span that it came with.
	start, end int64
	size       int
	response   string
}

var identitySeed = maphash.MakeSeed()

// identityOf an invocation; false if nothing identifies it.
func identityOf(inv *instrumentation.Invocation) (identity, bool) {
	sc := inv.SpanContext()
	if !sc.IsValid() {
		return identity{}, false
	}
	p := particulars{kind: inv.Kind(), failed: inv.ErrorType() != ""}
	if !inv.HasOwnSpan() {
		p.start, p.end = inv.StartTime().UnixNano(), inv.EndTime().UnixNano()
		p.size, p.response = inv.Size(), inv.ResponseID()
	}
	return identity{sc.TraceID(), sc.SpanID(), maphash.Comparable(identitySeed, p)}, true
}

// duplicates is a lane's memory of what was taken. Its workers use it, under a
// lock of its own: the application never waits for it.
type duplicates struct {
	size int // of a generation
	age  time.Duration

	mu                   sync.Mutex
	young, old           map[identity]struct{}
	youngSince, oldSince time.Time
}

func newDuplicates(cfg DuplicateMemory) *duplicates {
	if cfg.Size < 0 {
		return nil
	}
	return &duplicates{size: max(1, cfg.Size/2), age: cfg.Age}
}

// seen reports whether an invocation was taken before, and remembers it.
func (d *duplicates) seen(inv *instrumentation.Invocation, now time.Time) bool {
	if d == nil {
		return false
	}
	id, ok := identityOf(inv)
	return ok && d.remember(id, now)
}

// forget gives the memory back.
func (d *duplicates) forget() {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.young, d.old = nil, nil
}

// remember reports whether an identity is remembered, and remembers it if not.
func (d *duplicates) remember(id identity, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.young == nil || len(d.young) >= d.size || now.Sub(d.youngSince) >= d.age/2 {
		d.old, d.oldSince = d.young, d.youngSince
		d.young, d.youngSince = make(map[identity]struct{}), now
	}
	if now.Sub(d.oldSince) >= d.age {
		d.old = nil
	}
	if _, ok := d.young[id]; ok {
		return true
	}
	if _, ok := d.old[id]; ok {
		return true
	}
	d.young[id] = struct{}{}
	return false
}
