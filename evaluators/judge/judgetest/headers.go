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
	// -reset-requests and -tokens, of the first policy that counts them; in the
	// Anthropic format anthropic-ratelimit-requests- and -tokens-, with the
	// resets as times.
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

// state returns the headers that describe the limits, in the names of the
// format; nil has those of OpenAI.
func (h Headers) state(limits []*limiter, now time.Time, in wire, into http.Header) {
	if h&HeaderRateLimits == 0 {
		return
	}
	for _, l := range limits {
		what := "Requests"
		if l.tokens {
			what = "Tokens"
		}
		name := func(of string) string { return "X-Ratelimit-" + of + "-" + what }
		left, reset := l.remaining(now)
		at := reset.Round(time.Millisecond).String()
		if in != nil && in.api() == Anthropic {
			name = func(of string) string { return "Anthropic-Ratelimit-" + what + "-" + of }
			at = now.Add(reset + time.Second - 1).UTC().Truncate(time.Second).Format(time.RFC3339)
		}
		if l.kind == concurrency || into.Get(name("Limit")) != "" {
			continue
		}
		into.Set(name("Limit"), strconv.FormatInt(l.n, 10))
		into.Set(name("Remaining"), strconv.FormatInt(left, 10))
		into.Set(name("Reset"), at)
	}
}
