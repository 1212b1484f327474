package genaihttp

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
)

// recordedBody is a response's body that shows the recorder what the
// application reads, after it came and before it is handed on.
type recordedBody struct {
	src      io.ReadCloser
	recorder *recorder
}

func (b *recordedBody) Read(p []byte) (int, error) {
	returned := false
	defer func() {
		if !returned {
			b.recorder.end(ErrPanicked)
		}
	}()
	n, err := b.src.Read(p)
	returned = true
	if n > 0 && n <= len(p) {
		b.recorder.write(p[:n])
	}
	switch {
	case err == nil:
	case errors.Is(err, io.EOF):
		b.recorder.end(io.EOF)
	default:
		b.recorder.end(contextError(b.recorder.req, err))
	}
	return n, err
}

func (b *recordedBody) Close() error {
	defer b.recorder.end(ErrAbandoned) // even when it panics
	return b.src.Close()
}

// plain reports whether a Content-Encoding leaves the bytes as they are.
func plain(coding string) bool {
	return coding == "" || strings.EqualFold(coding, "identity")
}

// decoded returns at most limit bytes of what body holds below its
// Content-Encoding, whether that was all, and whether the coding is known. Of
// a body that breaks off it returns what came before.
func decoded(body []byte, coding string, limit int) (out []byte, whole, known bool) {
	switch {
	case plain(coding):
		return body, true, true
	case !strings.EqualFold(coding, "gzip") && !strings.EqualFold(coding, "x-gzip"):
		return nil, false, false
	}
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, false, true
	}
	var buf bytes.Buffer
	_, err = buf.ReadFrom(io.LimitReader(z, int64(limit)+1))
	if buf.Len() > limit {
		return buf.Bytes()[:limit], false, true
	}
	return buf.Bytes(), err == nil, true
}
