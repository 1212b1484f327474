package genaihttp

import (
	"errors"
	"io"
	"net/http"
)

// ending is how a response came to its end.
type ending struct {
	cause       error
	status      int
	stream      bool // events were read
	whole       bool // a document that was complete
	unknown     bool // not all of it could be read, so nothing is missing for sure
	interrupted bool // the request's context is over
}

// outcome says how the call went: nil is well.
func (e ending) outcome(a answer) error {
	complete := e.whole || a.finished
	read := errors.Is(e.cause, io.EOF)
	closed := errors.Is(e.cause, ErrAbandoned)
	switch {
	case e.status >= http.StatusBadRequest && a.failure == nil:
		return statusError(e.status)
	case a.failure != nil:
		return a.failure
	case e.status/100 != 2 && (read || closed):
		return nil // a redirection, or another protocol: no answer, no failure
	case !read && !closed && !e.interrupted:
		return e.cause // the application saw this error
	case complete || e.unknown && (read || closed):
		return nil
	case !read:
		return e.cause
	case e.stream:
		return ErrIncomplete
	}
	return ErrMalformed
}
