package genaihttp

import (
	"context"
	"net/http"

	"github.com/genaievals/genaievals/instrumentation"
)

// format is one wire format. It holds no state: its methods are called
// concurrently.
type format interface {
	// matches reports whether the request speaks this format, by its method,
	// URL and header. It must not touch the body.
	matches(req *http.Request) bool
	// start begins the invocation that the request's body describes, and
	// reports whether the whole input could be read. The body may be cut short
	// or not be JSON at all; what can be read is recorded.
	start(ctx context.Context, h *instrumentation.Handler, to target, body content) (_ context.Context, _ *instrumentation.Invocation, whole bool)
	// input reads the model and the input of a body of which more is known
	// than when the invocation began.
	input(body content) (model string, input []instrumentation.Message, whole bool)
	// newReply returns the reader of one response of that HTTP status, which
	// keeps at most limit bytes of content.
	newReply(status, limit int) reply
}

// formats are tried in order.
var formats = []format{openAI{}}

// target is where a request goes.
type target struct {
	provider string // as [WithProvider] says; else of the host; else empty
	address  string
	port     int
	path     string
}

// reply reads one response: either a document, or the events of a stream. Its
// methods are called by one goroutine at a time, and keep no reference to the
// bytes that they are given.
type reply interface {
	// document reads a response that is not a stream, and reports whether it
	// was whole. Of a broken one, what can be read is recorded.
	document(body []byte) (whole bool)
	// event reads the data of one event. It returns unread when the data is
	// not complete by itself; more of it may follow.
	event(name string, data []byte) eventKind
	// ended reports whether the stream's own end mark was seen.
	ended() bool
	// answer gives what was read so far.
	answer() answer
}

// eventKind is what an event turned out to be.
type eventKind uint8

const (
	unread       eventKind = iota // not complete, or not of this format
	eventOther                    // read; brings nothing of the answer itself
	eventContent                  // read; a chunk of the answer
)

// answer is what was read of a response, whatever its format.
type answer struct {
	id, model     string
	choices       []instrumentation.Message
	finishReasons []string
	usage         instrumentation.Usage
	// failure is what the provider said went wrong.
	failure *ResponseError
	// finished says that the provider has said all: the stream's end mark, or
	// a finish reason for every choice seen.
	finished bool
	// cut says that more of the content came than there was room for.
	cut bool
}

func match(req *http.Request) format {
	if req.URL == nil {
		return nil
	}
	for _, f := range formats {
		if f.matches(req) {
			return f
		}
	}
	return nil
}
