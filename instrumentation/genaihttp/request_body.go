package genaihttp

import (
	"context"
	"io"
	"net/http"
)

// capture reads at most limit bytes of the request's body and returns them
// with the body to send instead, which yields exactly what the original would
// have: the same bytes, then the same error. Its prefix must not be modified.
//
// Request.GetBody is not used for our copy, although it is there for copies:
// one that returns the same reader twice is a common mistake that goes
// unnoticed until a redirect, and reading it would empty the request.
func capture(req *http.Request, limit int) (prefix []byte, body io.ReadCloser) {
	if req.GetBody != nil {
		// The body can be had again, so it is in memory or in a file: reading
		// it does not wait for anybody.
		r := readPrefix(req.Body, req.ContentLength, limit)
		return r.prefix, r
	}
	// A pipe can stall. The reading goroutine owns the body until it is done;
	// when the context ends first, the base transport gets a body that fails
	// and that closes the original, as it would have closed it itself.
	done := make(chan *replayedBody, 1)
	go func() { done <- readPrefix(req.Body, req.ContentLength, limit) }()
	select {
	case r := <-done:
		return r.prefix, r
	case <-req.Context().Done():
		return nil, &interruptedBody{req.Context(), req.Body}
	}
}

func readPrefix(src io.ReadCloser, length int64, limit int) *replayedBody {
	const smallest = 512
	size := smallest
	if length > 0 {
		size = int(min(length, int64(limit))) + 1 // one more, to meet the end
	}
	buf := make([]byte, 0, size)
	empty := 0
	for len(buf) < limit && empty < 100 {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := src.Read(buf[len(buf):min(cap(buf), limit)])
		buf = buf[:len(buf)+n]
		if err != nil {
			return &replayedBody{prefix: buf, err: err, src: src}
		}
		if empty++; n > 0 {
			empty = 0
		}
	}
	return &replayedBody{prefix: buf, src: src}
}

// replayedBody yields the prefix, then err; or, when err is nil, the rest of
// src. Read is called by one goroutine at a time, Close by any.
type replayedBody struct {
	prefix []byte
	off    int
	err    error
	src    io.ReadCloser
}

func (b *replayedBody) Read(p []byte) (int, error) {
	if b.off < len(b.prefix) {
		n := copy(p, b.prefix[b.off:])
		b.off += n
		return n, nil
	}
	if b.err != nil {
		return 0, b.err
	}
	return b.src.Read(p)
}

func (b *replayedBody) Close() error { return b.src.Close() }

type interruptedBody struct {
	ctx context.Context
	src io.Closer
}

func (b *interruptedBody) Read([]byte) (int, error) { return 0, b.ctx.Err() }
func (b *interruptedBody) Close() error             { return b.src.Close() }
