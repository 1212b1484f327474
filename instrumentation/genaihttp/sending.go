package genaihttp

import (
	"io"
	"net/http"
	"sync"

	"github.com/genaievals/genaievals/instrumentation"
)

// sending keeps what is recorded of a request whose body is not known, or not
// to its end, when the invocation begins: the base transport reads it, in
// whatever goroutine, until somebody ends the invocation. A nil sending keeps
// nothing.
type sending struct {
	guard  *guard
	format format

	mu   sync.Mutex
	kept elider
	done bool // nothing is kept any more: it was told, or keeping it panicked
}

func (t *Transport) newSending(f format) *sending {
	return &sending{guard: &t.guard, format: f, kept: elider{max: t.limit()}}
}

// write keeps p, the next bytes of the body.
func (s *sending) write(p []byte) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.done {
		s.done = !s.guard.run(func() { s.kept.write(p) })
	}
}

// soFar returns what has been kept.
func (s *sending) soFar() content {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept.content()
}

// tell records the input as far as it was sent.
func (s *sending) tell(inv *instrumentation.Invocation) {
	if s == nil {
		return
	}
	s.guard.run(func() {
		whole := false
		defer func() {
			if !whole {
				inv.SetInputTruncated()
			}
		}()
		s.mu.Lock()
		kept := s.kept
		s.kept, s.done = elider{}, true
		s.mu.Unlock()
		model, input, read := s.format.input(kept.content())
		inv.SetRequestModel(model)
		inv.SetInput(input...)
		whole = read
	})
}

// request reads what can be read of the request's body before it is sent.
// What is recorded of the rest is known by late, which is nil when nothing is.
// The body returned is to be sent instead.
func (t *Transport) request(f format, req *http.Request) (body io.ReadCloser, known content, late *sending) {
	coding := req.Header.Get("Content-Encoding")
	if waitsForServer(req) {
		if !plain(coding) {
			return req.Body, content{cut: true}, nil
		}
		late = t.newSending(f)
		return &replayedBody{src: req.Body, sending: late}, content{cut: true}, late
	}
	prefix, whole, body := capture(req, t.limit())
	t.guard.run(func() {
		json, decodedWhole, _ := decoded(prefix, coding, t.limit())
		if whole && decodedWhole {
			known = content{json: json}
			return
		}
		known = content{cut: true}
		s := t.newSending(f)
		s.write(json)
		known = s.soFar()
		if replayed, ok := body.(*replayedBody); ok && known.cut && plain(coding) && !whole {
			replayed.sending, late = s, s
		}
	})
	return body, known, late
}
