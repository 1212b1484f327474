package openai

import (
	"io"
	"net/http"
	"sync"

	"github.com/genaievals/genaievals/evaluators/judge"
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

// setBody gives req its body. It is encoded again for the transport that finds
// a kept connection closed by the server and turns to another.
func setBody(req *http.Request, r judge.Request, d dialect) error {
	encoded, err := encode(r, d)
	if err != nil {
		return err
	}
	req.ContentLength = int64(len(encoded))
	req.Body = &body{rest: encoded}
	req.GetBody = func() (io.ReadCloser, error) {
		again, err := encode(r, d)
		if err != nil {
			return nil, err
		}
		return &body{rest: again}, nil
	}
	return nil
}
