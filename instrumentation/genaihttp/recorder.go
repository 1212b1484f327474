package genaihttp

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/genaievals/genaievals/instrumentation"
)

// recorder turns the bytes of one response, as the application reads them,
// into the end of one invocation.
//
// The goroutine that reads the body writes to it, any may end it. The first
// end wins; afterwards nothing is kept and nothing is recorded. The invocation
// is ended outside of mu, since callbacks of the application run in there.
type recorder struct {
	guard  *guard
	inv    *instrumentation.Invocation
	req    *http.Request
	status int
	limit  int
	coding string // Content-Encoding of what the application reads
	stream bool   // announced as text/event-stream
	late   *sending

	mu      sync.Mutex
	done    bool
	reply   reply
	kind    bodyKind
	kept    []byte // of a document, or of anything compressed
	cut     bool   // more than limit came
	broken  bool   // reading it panicked, so it is let be
	events  eventReader
	heard   bool // an event was read
	unwatch func() bool
}

type bodyKind uint8

const (
	kindUnknown bodyKind = iota
	kindDocument
	kindEvents
)

func newRecorder(g *guard, inv *instrumentation.Invocation, reply reply, req *http.Request, res *http.Response, limit int) *recorder {
	contentType := strings.ToLower(strings.TrimSpace(res.Header.Get("Content-Type")))
	r := &recorder{
		guard:  g,
		inv:    inv,
		req:    req,
		status: res.StatusCode,
		limit:  limit,
		coding: res.Header.Get("Content-Encoding"),
		stream: strings.HasPrefix(contentType, "text/event-stream"),
		reply:  reply,
	}
	r.events = eventReader{max: limit, emit: r.event}
	return r
}

// watch ends the invocation with the request's context, for an application
// that cancels it and walks away from the body.
func (r *recorder) watch() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unwatch = context.AfterFunc(r.req.Context(), func() { r.end(r.req.Context().Err()) })
}

// write reads p, the next bytes of the response.
func (r *recorder) write(p []byte) {
	r.mu.Lock()
	ended := false
	if !r.done && !r.broken {
		r.broken = !r.guard.run(func() {
			if plain(r.coding) {
				r.consume(p)
			} else {
				r.keep(p)
				if r.stream {
					r.inv.Chunk() // cannot tell yet what is in it
				}
			}
			ended = r.reply.ended()
		})
	}
	r.mu.Unlock()
	if ended {
		r.end(io.EOF)
	}
}

// consume reads bytes that are not compressed.
func (r *recorder) consume(p []byte) {
	if r.kind == kindUnknown {
		if p = trimStart(p); len(p) == 0 {
			return
		}
		r.kind = kindDocument
		if p[0] != '{' && p[0] != '[' && (r.stream || startsField(p[0])) {
			r.kind = kindEvents
		}
	}
	if r.kind == kindEvents {
		r.events.write(p)
		return
	}
	r.keep(p)
}

// trimStart cuts what may come before a body's content, byte by byte since a
// read can end anywhere: blanks and newlines, which some servers send to keep
// the connection alive, and a byte order mark.
func trimStart(p []byte) []byte {
	for len(p) > 0 && strings.IndexByte(" \t\r\n\xef\xbb\xbf", p[0]) >= 0 {
		p = p[1:]
	}
	return p
}

// startsField reports whether c starts a line of an event stream (comment,
// data, event, id, retry), which no JSON document does. Streams also come
// announced as something else, and documents announced as streams.
func startsField(c byte) bool { return strings.IndexByte(":deir", c) >= 0 }

func (r *recorder) keep(p []byte) {
	if room := r.limit - len(r.kept); len(p) > room {
		p, r.cut = p[:room], true
	}
	r.kept = append(r.kept, p...)
}

func (r *recorder) event(name string, data []byte) bool {
	kind := r.reply.event(name, data)
	r.heard = r.heard || kind != unread
	if kind == eventContent && plain(r.coding) {
		r.inv.Chunk()
	}
	return kind != unread
}

// end ends the invocation, once. cause is io.EOF when the response was read to
// its end, ErrAbandoned when it was closed, else the error that ended it.
func (r *recorder) end(cause error) {
	r.mu.Lock()
	if r.done {
		r.mu.Unlock()
		return
	}
	r.done = true
	unwatch := r.unwatch
	var a answer
	var cut bool
	err := cause
	if ok := r.guard.run(func() { a, cut, err = r.conclude(cause) }); !ok && errors.Is(cause, io.EOF) {
		err = nil
	}
	r.kept, r.events, r.reply = nil, eventReader{}, nil
	r.mu.Unlock()

	if unwatch != nil {
		unwatch()
	}
	r.late.tell(r.inv)
	r.guard.run(func() {
		r.inv.SetResponse(a.id, a.model, a.finishReasons...)
		if len(a.choices) > 0 {
			r.inv.SetOutput(a.choices...)
		}
		if a.usage != (instrumentation.Usage{}) {
			r.inv.SetUsage(a.usage)
		}
		if cut {
			r.inv.SetTruncated()
		}
	})
	r.guard.run(func() { r.inv.Fail(err) }) // Fail(nil) is End
}

// conclude reads what is still unread and says how the call went, and whether
// some of the answer was let go of or could not be read.
func (r *recorder) conclude(cause error) (a answer, cut bool, err error) {
	e := ending{cause: cause, status: r.status, interrupted: interrupted(r.req)}
	if e.interrupted && errors.Is(cause, ErrAbandoned) {
		e.cause = contextError(r.req, nil)
	}
	if !plain(r.coding) {
		kept := r.kept
		r.kept = nil
		body, whole, known := decoded(kept, r.coding, r.limit)
		e.unknown = !known || !whole && errors.Is(cause, io.EOF)
		r.consume(body)
	}
	if r.kind == kindEvents {
		r.events.close()
	} else {
		e.whole = r.reply.document(r.kept)
	}
	e.stream = r.heard
	e.unknown = e.unknown || r.broken || r.cut
	cut = e.unknown || r.events.cut
	a = r.reply.answer()
	return a, cut || a.cut, e.outcome(a)
}
