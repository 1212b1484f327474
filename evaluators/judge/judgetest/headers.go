package judgetest

import (
	"math"
	"net/http"
	"strconv"
	"time"
)

// Headers says what a judge tells about its limits.
type Headers uint8

const (
	// HeaderRetryAfter: a refusal has Retry-After in whole seconds, rounded up.
	HeaderRetryAfter Headers = 1 << iota
	// HeaderRetryAfterMs: a refusal has retry-after-ms.
	HeaderRetryAfterMs
	// HeaderRateLimits: every reply has x-ratelimit-limit-, -remaining- and
	// -reset-requests and -tokens, of the first policy that counts them.
	HeaderRateLimits

	// HeaderNone tells nothing.
	HeaderNone Headers = 0
)

// refusal returns the headers of a call refused for so long.
func (h Headers) refusal(wait time.Duration, into http.Header) {
	if h&HeaderRetryAfter != 0 {
		into.Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	}
	if h&HeaderRetryAfterMs != 0 {
		into.Set("Retry-After-Ms", strconv.FormatInt(int64(math.Ceil(float64(wait)/1e6)), 10))
	}
}

// state returns the headers that describe the limits.
func (h Headers) state(limits []*limiter, now time.Time, into http.Header) {
	if h&HeaderRateLimits == 0 {
		return
	}
	for _, l := range limits {
		what := "Requests"
		if l.tokens {
			what = "Tokens"
		}
		if l.kind == concurrency || into.Get("X-Ratelimit-Limit-"+what) != "" {
			continue
		}
		left, reset := l.remaining(now)
		into.Set("X-Ratelimit-Limit-"+what, strconv.FormatInt(l.n, 10))
		into.Set("X-Ratelimit-Remaining-"+what, strconv.FormatInt(left, 10))
		into.Set("X-Ratelimit-Reset-"+what, reset.Round(time.Millisecond).String())
	}
}
