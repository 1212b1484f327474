package limit

import (
	"math"
	"net/http"
	"strings"
	"time"
)

// MaxPause is the longest wait that [ParseRetry] returns: what is longer is not
// a pause but a quota that ran out, and its Wait is QuotaPause.
const (
	MaxPause   = 24 * time.Hour
	QuotaPause = time.Hour
)

// absurdWait is a wait that nobody means: a slip in the unit or the epoch.
const absurdWait = 366 * 24 * time.Hour

// Hint is what a refusal says about when to come again.
type Hint struct {
	// Wait is how long, if HasWait: not negative, at most [MaxPause].
	Wait    time.Duration
	HasWait bool
	// Quota: the wait was longer than [MaxPause], and Wait is [QuotaPause].
	Quota bool
	// Absurd counts the values that cannot be meant as they stand: negative,
	// longer than a year, a moment long past, not to be read. They were
	// clamped, or passed over for the next that says something; where none
	// does, one that is negative or long past is no wait.
	Absurd int
	// Exhausted: the headers say that no request is left for now, so it is the
	// limit on requests that was met.
	Exhausted bool
}

// dimension is one limit that headers describe.
type dimension struct{ limit, remaining, reset string }

// dimensions of OpenAI, Azure and Groq; Anthropic; gateways and OpenRouter. In
// the form that http.Header has as keys. Those on requests come first.
var dimensions = [...]dimension{
	{"X-Ratelimit-Limit-Requests", "X-Ratelimit-Remaining-Requests", "X-Ratelimit-Reset-Requests"},
	{"Anthropic-Ratelimit-Requests-Limit", "Anthropic-Ratelimit-Requests-Remaining", "Anthropic-Ratelimit-Requests-Reset"},
	{"Ratelimit-Limit", "Ratelimit-Remaining", "Ratelimit-Reset"},
	{"X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset"},
	{"X-Ratelimit-Limit-Tokens", "X-Ratelimit-Remaining-Tokens", "X-Ratelimit-Reset-Tokens"},
	{"Anthropic-Ratelimit-Tokens-Limit", "Anthropic-Ratelimit-Tokens-Remaining", "Anthropic-Ratelimit-Tokens-Reset"},
	{"Anthropic-Ratelimit-Input-Tokens-Limit", "Anthropic-Ratelimit-Input-Tokens-Remaining", "Anthropic-Ratelimit-Input-Tokens-Reset"},
	{"Anthropic-Ratelimit-Output-Tokens-Limit", "Anthropic-Ratelimit-Output-Tokens-Remaining", "Anthropic-Ratelimit-Output-Tokens-Reset"},
}

const (
	onRequests   = 4   // so many of them
	longestValue = 100 // is more than any date or duration has
)

// ParseRetry reads when to come again from the headers and the body of a
// refusal. The first that can be read and is not past counts, in this order:
//
//   - retry-after-ms, x-ms-retry-after-ms: milliseconds
//   - retry-after: seconds, an HTTP date, or a duration such as 1m30s
//   - the reset of each limit of which nothing remains (x-ratelimit-*-requests
//     and -tokens, anthropic-ratelimit-*, ratelimit-*, x-ratelimit-*), and the
//     latest of these: durations such as 6m0s or 1d2h, RFC 3339, seconds, or
//     seconds or milliseconds since 1970. The reset of a limit that is not
//     exhausted says nothing.
//   - in the body: Google's RetryInfo, and "try again in 1.2s" or the like
//
// Dates are taken relative to the answer's own Date, so that a wrong clock on
// either side does no harm, and to now if it has none.
func ParseRetry(h http.Header, body []byte, now time.Time) Hint {
	var hint Hint
	here := clock{header: h, now: now}
	hint.Exhausted = exhausted(h)
	for _, read := range [...]func() (float64, bool){
		func() (float64, bool) { return hint.header(h, "Retry-After-Ms", milliseconds) },
		func() (float64, bool) { return hint.header(h, "X-Ms-Retry-After-Ms", milliseconds) },
		func() (float64, bool) {
			return hint.header(h, "Retry-After", func(s string) (float64, bool) { return retryAfter(s, here) })
		},
		func() (float64, bool) { return hint.resets(h, here) },
		func() (float64, bool) { return hint.notPast(bodyWait(body)) },
	} {
		if seconds, ok := read(); ok {
			hint.wait(seconds)
			break
		}
	}
	return hint
}

// header reads one header if it is there.
func (hint *Hint) header(h http.Header, key string, parse func(string) (float64, bool)) (seconds float64, ok bool) {
	text := first(h, key)
	if text == "" {
		return 0, false
	}
	if len(text) <= longestValue {
		seconds, ok = parse(text)
	}
	if !ok {
		hint.Absurd++
	}
	return hint.notPast(seconds, ok)
}

// notPast passes over a negative wait: a moment just past is a slow answer and
// reads as 0, but one long past is a mistake, and so is a negative number. Alone
// it is no wait.
func (hint *Hint) notPast(seconds float64, ok bool) (float64, bool) {
	if ok && seconds < 0 {
		hint.Absurd++
		hint.HasWait = true
		return 0, false
	}
	return seconds, ok
}

// resets is the latest reset of those limits of which nothing remains.
func (hint *Hint) resets(h http.Header, here clock) (latest float64, found bool) {
	for _, d := range dimensions {
		if !spent(h, d) {
			continue
		}
		seconds, ok := hint.header(h, d.reset, func(s string) (float64, bool) { return reset(s, here) })
		if ok && (!found || seconds > latest) {
			latest, found = seconds, true
		}
	}
	return latest, found
}

// wait sets the wait, clamped to what it can be.
func (hint *Hint) wait(seconds float64) {
	hint.HasWait = true
	switch {
	case seconds > absurdWait.Seconds():
		hint.Absurd++
		fallthrough
	case seconds > MaxPause.Seconds():
		hint.Quota, hint.Wait = true, QuotaPause
	default:
		// Rounded up: never shorter than told.
		hint.Wait = time.Duration(math.Ceil(seconds * float64(time.Second)))
	}
}

// retryAfter reads the value of Retry-After as seconds.
func retryAfter(s string, here clock) (float64, bool) {
	if seconds, ok := span(s); ok {
		return seconds, true
	}
	return date(s, here)
}

// reset reads the value of a reset header as seconds from now.
func reset(s string, here clock) (float64, bool) {
	if n, ok := plain(s); ok {
		switch {
		case n < 1e9: // relative
			return n, true
		case n < 1e11: // seconds since 1970
			return here.until(time.Unix(int64(n), int64(math.Mod(n, 1)*1e9))), true
		case n < 1e14: // milliseconds since 1970
			return here.until(time.UnixMilli(int64(n))), true
		default:
			return n, true
		}
	}
	if seconds, ok := span(s); ok {
		return seconds, true
	}
	return date(s, here)
}

// date reads a moment, an HTTP date or RFC 3339, as seconds from now.
func date(s string, here clock) (float64, bool) {
	at, err := http.ParseTime(s)
	if err != nil {
		if at, err = time.Parse(time.RFC3339, s); err != nil {
			return 0, false
		}
	}
	return here.until(at), true
}

// clock is the one that the dates of an answer are read by: its own Date, or
// else now.
type clock struct {
	header http.Header
	now    time.Time
}

// until is how many seconds at is from now. A moment that is past by less than
// a day is now: the answer may have been slow, or the clocks differ.
func (c clock) until(at time.Time) float64 {
	now := c.now
	if date, err := http.ParseTime(first(c.header, "Date")); err == nil {
		now = date
	}
	// Not by Sub, which ends at 292 years.
	seconds := float64(at.Unix()-now.Unix()) + float64(at.Nanosecond()-now.Nanosecond())/1e9
	if seconds < 0 && seconds > -24*3600 {
		return 0
	}
	return seconds
}

func milliseconds(s string) (float64, bool) {
	n, ok := plain(s)
	return n / 1000, ok
}

// exhausted reports whether the headers say that no request is left.
func exhausted(h http.Header) bool {
	for _, d := range dimensions[:onRequests] {
		if spent(h, d) {
			return true
		}
	}
	return false
}

// spent reports whether nothing remains of a limit.
func spent(h http.Header, d dimension) bool {
	n, ok := plain(first(h, d.remaining))
	return ok && n <= 0
}

// first is the first value of a header, trimmed; key in the form it has there.
func first(h http.Header, key string) string {
	if values := h[key]; len(values) > 0 {
		return strings.TrimSpace(values[0])
	}
	return ""
}
