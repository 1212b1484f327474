package wire

import (
	"io"
	"sync"
)

// body is the body of one request. It lets go of the bytes once they have been
// sent: a judge thinks for seconds, thousands of calls can wait at once, and
// what they asked is still in the conversation.
type body struct {
	mu   sync.Mutex // a transport may close while it reads
	rest []byte
}

func (b *body) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, b.rest)
	if b.rest = b.rest[n:]; len(b.rest) == 0 {
		b.rest = nil
	}
	return n, nil
}

func (b *body) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rest = nil
	return nil
}

// setBody gives the request its body. It is encoded again for the transport
// that finds a kept connection closed by the server and turns to another.
func (x *Exchange) setBody() error {
	var encoded []byte
	var err error
	aside(func() { encoded, err = x.encode() })
	if err != nil {
		return err
	}
	x.http.ContentLength = int64(len(encoded))
	x.http.Body = &body{rest: encoded}
	x.http.GetBody = func() (io.ReadCloser, error) {
		again, err := x.encode()
		if err != nil {
			return nil, err
		}
		return &body{rest: again}, nil
	}
	return nil
}

// aside runs f, which needs a deep stack, on one of its own: a stack that has
// grown does not shrink while most of it is not needed but some is, so that it
// would stay with the goroutine that goes on to wait for the judge.
func aside(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	<-done
}
