package dashboard

import (
	"time"

	"github.com/genaievals/genaievals/evaluators"
)

// Result is one result for the page.
type Result struct {
	evaluators.Result
	// At is when it was made; zero is now.
	At time.Time
	// TraceID and SpanID are those of the evaluated span, in hexadecimal; empty
	// without one.
	TraceID, SpanID string
	// Item is the id of the dataset's item, and Line where it is in its file.
	Item string
	Line int
	// Content returns what was evaluated. It is called at once, on Offer's
	// goroutine, if [Config.Content] is set and the result is kept; nil is none.
	Content func() (input, output string)
}
