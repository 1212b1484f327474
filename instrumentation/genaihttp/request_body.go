package genaihttp

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
)

// capture reads at most limit bytes of the request's body and returns them,
// whether that is all, and the body to send instead, which yields exactly what
// the original would have: the same bytes, then the same error. Its prefix must
// not be modified.
//
// Request.GetBody is not used for our copy, although it is there for copies:
// one that returns the same reader twice is a common mistake that goes
// unnoticed until a redirect, and reading it would empty the request.
func capture(req *http.Request, limit int) (prefix []byte, whole bool, body io.ReadCloser) {
	b := &replayedBody{src: req.Body}
	if req.GetBody != nil {
		// The body can be had again, so it is in memory or in a file: reading
		// it does not wait for anybody.
		b.fill(req.ContentLength, limit)
		return b.prefix, errors.Is(b.err, io.EOF), b
	}
	// A pipe can stall. The reading goroutine owns the body until it is done;
	// when the context ends first, the base transport gets a body that fails
	// and that closes the original, as it would have closed it itself.
	done := make(chan struct{})
	go func() {
		defer close(done)
		// A panic belongs to whoever reads the body, who can contain it.
		defer func() { b.panicked = recover() }()
		b.fill(req.ContentLength, limit)
	}()
	select {
	case <-done:
		return b.prefix, errors.Is(b.err, io.EOF), b
	case <-req.Context().Done():
		return nil, false, &interruptedBody{req.Context(), req.Body}
	}
}

// waitsForServer reports whether the client sends the body only when the
// server has agreed to get it: until then nobody may read it.
func waitsForServer(req *http.Request) bool {
	for _, line := range req.Header.Values("Expect") {
		for word := range strings.SplitSeq(line, ",") {
			if strings.EqualFold(strings.TrimSpace(word), "100-continue") {
				return true
			}
		}
	}
	return false
}

// replayedBody yields the prefix, then err, or the panic; without either the
// rest of src, which it shows to sending. Read is called by one goroutine at a
// time, Close by any.
type replayedBody struct {
	prefix   []byte
	off      int
	err      error
	panicked any
	src      io.ReadCloser
	sending  *sending
}

// fill reads the prefix.
func (b *replayedBody) fill(length int64, limit int) {
	const smallest = 512
	size := smallest
	if length > 0 {
		size = int(min(length, int64(limit))) + 1 // one more, to meet the end
	}
	b.prefix = make([]byte, 0, size)
	empty := 0
	for len(b.prefix) < limit && empty < 100 && b.err == nil {
		if len(b.prefix) == cap(b.prefix) {
			b.prefix = append(b.prefix, 0)[:len(b.prefix)]
		}
		n, err := b.src.Read(b.prefix[len(b.prefix):min(cap(b.prefix), limit)])
		b.prefix, b.err = b.prefix[:len(b.prefix)+n], err
		if empty++; n > 0 {
			empty = 0
		}
	}
}

func (b *replayedBody) Read(p []byte) (int, error) {
	if b.off < len(b.prefix) {
		n := copy(p, b.prefix[b.off:])
		b.off += n
		return n, nil
	}
	if b.panicked != nil {
		panic(b.panicked)
	}
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.src.Read(p)
	if n > 0 && n <= len(p) {
		b.sending.write(p[:n])
	}
	return n, err
}

func (b *replayedBody) Close() error { return b.src.Close() }

type interruptedBody struct {
	ctx context.Context
	src io.Closer
}

func (b *interruptedBody) Read([]byte) (int, error) { return 0, b.ctx.Err() }
func (b *interruptedBody) Close() error             { return b.src.Close() }
