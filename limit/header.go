package limit

import (
	"net/http"
	"time"
)

// Hint is what a refusal says about when to come again.
type Hint struct {
	// Wait is how long to wait, if HasWait; never negative.
	Wait    time.Duration
	HasWait bool
	// Quota: the wait that was asked for is longer than a day, which is no
	// pause but a quota that ran out. Wait is then [MaxPause].
	Quota bool
	// Absurd counts the values that could not be meant as they stood, and were
	// clamped or passed over.
	Absurd int
	// Exhausted: the headers say that no request is left in this window.
	Exhausted bool
}

// MaxPause is the longest pause that is taken for one.
const MaxPause = 24 * time.Hour

// ParseRetry reads when to come again from the headers and the body of a
// refusal; now is used for dates where the answer has none.
func ParseRetry(h http.Header, body []byte, now time.Time) Hint { return Hint{} }
