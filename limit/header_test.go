package limit

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// noon is when the answers of the tests came by our clock.
var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// headers makes a header of alternating names and values.
func headers(pairs ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		h.Add(pairs[i], pairs[i+1])
	}
	return h
}

func TestParseRetry(t *testing.T) {
	const openAI = "x-ratelimit-remaining-requests"
	waits := func(d time.Duration) Hint { return Hint{Wait: d, HasWait: true} }
	exhausted := func(d time.Duration) Hint { return Hint{Wait: d, HasWait: true, Exhausted: true} }
	quota := Hint{Wait: QuotaPause, HasWait: true, Quota: true}
	tests := []struct {
		name   string
		header http.Header
		body   string
		want   Hint
	}{
		{"nothing", nil, "", Hint{}},
		{"R03 retry-after-ms, whole", headers("retry-after-ms", "1500"), "", waits(1500 * time.Millisecond)},
		{"retry-after-ms, fraction", headers("retry-after-ms", "0.5"), "", waits(500 * time.Microsecond)},
		{"R03 x-ms-retry-after-ms", headers("x-ms-retry-after-ms", " 250 "), "", waits(250 * time.Millisecond)},
		{"x-ms-retry-after-ms, fraction", headers("x-ms-retry-after-ms", "12.5"), "", waits(12500 * time.Microsecond)},
		{"retry-after, seconds", headers("retry-after", "20"), "", waits(20 * time.Second)},
		{"retry-after, fraction", headers("Retry-After", "0.5"), "", waits(500 * time.Millisecond)},
		{"R03 retry-after, RFC 1123", headers("retry-after", "Wed, 04 Mar 2026 12:00:30 GMT"), "", waits(30 * time.Second)},
		{"retry-after, RFC 850", headers("retry-after", "Wednesday, 04-Mar-26 12:00:30 GMT"), "", waits(30 * time.Second)},
		{"retry-after, asctime", headers("retry-after", "Wed Mar  4 12:00:30 2026"), "", waits(30 * time.Second)},
		{"retry-after, RFC 3339", headers("retry-after", "2026-03-04T12:00:30Z"), "", waits(30 * time.Second)},
		{"R01 retry-after, milliseconds as a duration", headers("retry-after", "500ms"), "", waits(500 * time.Millisecond)},
		{"retry-after, a duration", headers("retry-after", "1m30s"), "", waits(90 * time.Second)},
		{"retry-after, zero", headers("retry-after", "0"), "", waits(0)},
		{"retry-after, negative", headers("retry-after", "-1"), "", Hint{HasWait: true, Absurd: 1}},
		{"retry-after, a negative duration", headers("retry-after", "-1m"), "", Hint{HasWait: true, Absurd: 1}},
		{"retry-after-ms negative hides no wait", headers("retry-after-ms", "-1", "retry-after", "30"), "", Hint{Wait: 30 * time.Second, HasWait: true, Absurd: 1}},
		{"retry-after negative hides no reset", headers("retry-after", "-1", openAI, "0", "x-ratelimit-reset-requests", "45s"), "", Hint{Wait: 45 * time.Second, HasWait: true, Absurd: 1, Exhausted: true}},
		{"a date long past hides no body", headers("retry-after", "Thu, 04 Mar 1999 12:00:00 GMT"), "try again in 20s", Hint{Wait: 20 * time.Second, HasWait: true, Absurd: 1}},
		{"a reset long past hides no other", headers("x-ratelimit-remaining", "0", "x-ratelimit-reset", "1000000000", "x-ratelimit-remaining-tokens", "0", "x-ratelimit-reset-tokens", "6s"), "", Hint{Wait: 6 * time.Second, HasWait: true, Absurd: 1, Exhausted: true}},
		{"all are past", headers("retry-after-ms", "-1", "retry-after", "-2"), `{"retryDelay":"-3s"}`, Hint{HasWait: true, Absurd: 3}},
		{"RetryInfo negative hides no words", nil, `{"retryDelay":"-3s","message":"retry in 2s"}`, waits(2 * time.Second)},
		{"zero is not past", headers("retry-after-ms", "0", "retry-after", "30"), "", waits(0)},
		{"retry-after, a day", headers("retry-after", "86400"), "", waits(24 * time.Hour)},
		{"retry-after, more than a day", headers("retry-after", "86401"), "", quota},
		{"retry-after, a date in a month", headers("retry-after", "Wed, 01 Apr 2026 00:00:00 GMT"), "", quota},
		{"retry-after, 1e12", headers("retry-after", "1e12"), "", Hint{Wait: QuotaPause, HasWait: true, Quota: true, Absurd: 1}},
		{"retry-after, a moment past", headers("retry-after", "Wed, 04 Mar 2026 11:59:58 GMT"), "", waits(0)},
		{"retry-after, a date last century", headers("retry-after", "Thu, 04 Mar 1999 12:00:00 GMT"), "", Hint{HasWait: true, Absurd: 1}},
		{"retry-after, year 9999", headers("retry-after", "Fri, 31 Dec 9999 23:59:59 GMT"), "", Hint{Wait: QuotaPause, HasWait: true, Quota: true, Absurd: 1}},
		{"retry-after, not to be read", headers("retry-after", "soon"), "", Hint{Absurd: 1}},
		{"retry-after, NaN", headers("retry-after", "NaN"), "", Hint{Absurd: 1}},
		{"retry-after, beyond a float", headers("retry-after", "1e999"), "", Hint{Absurd: 1}},
		{"retry-after, empty", headers("retry-after", ""), "", Hint{}},
		{"date of the answer, ours is late", headers("retry-after", "Wed, 04 Mar 2026 11:00:30 GMT", "date", "Wed, 04 Mar 2026 11:00:00 GMT"), "", waits(30 * time.Second)},
		{"date of the answer, ours is early", headers("retry-after", "Wed, 04 Mar 2026 13:00:30 GMT", "date", "Wed, 04 Mar 2026 13:00:00 GMT"), "", waits(30 * time.Second)},

		{"reset-requests 1s", headers(openAI, "0", "x-ratelimit-reset-requests", "1s"), "", exhausted(time.Second)},
		{"reset-requests 6m0s", headers(openAI, "0", "x-ratelimit-reset-requests", "6m0s"), "", exhausted(6 * time.Minute)},
		{"reset-requests 1m30s", headers(openAI, "0", "x-ratelimit-reset-requests", "1m30s"), "", exhausted(90 * time.Second)},
		{"reset-requests 120ms", headers(openAI, "0", "x-ratelimit-reset-requests", "120ms"), "", exhausted(120 * time.Millisecond)},
		{"reset-requests 23h", headers(openAI, "0", "x-ratelimit-reset-requests", "23h"), "", exhausted(23 * time.Hour)},
		{"reset-requests by x-ratelimit-reset-requests of a bucket that is full", headers(openAI, "60", "x-ratelimit-reset-requests", "6m0s", "retry-after", "1"), "", waits(time.Second)},
		{"reset-tokens 1s", headers("x-ratelimit-remaining-tokens", "0", "x-ratelimit-reset-tokens", "1s"), "", waits(time.Second)},
		{"reset-tokens 120ms", headers("x-ratelimit-remaining-tokens", "0", "x-ratelimit-reset-tokens", "120ms"), "", waits(120 * time.Millisecond)},
		{"reset-tokens without a unit", headers("x-ratelimit-remaining-tokens", "0", "x-ratelimit-reset-tokens", "20"), "", waits(20 * time.Second)},
		{"reset-requests 1d2h", headers(openAI, "0", "x-ratelimit-reset-requests", "1d2h"), "", Hint{Wait: QuotaPause, HasWait: true, Quota: true, Exhausted: true}},
		{"reset-requests without a unit", headers(openAI, "0", "x-ratelimit-reset-requests", "20"), "", exhausted(20 * time.Second)},
		{"reset-tokens of Groq", headers("x-ratelimit-remaining-tokens", "0", "x-ratelimit-reset-tokens", "2m59.56s"), "", waits(2*time.Minute + 59560*time.Millisecond)},
		{"reset of the exhausted dimension only", headers(openAI, "0", "x-ratelimit-reset-requests", "1s", "x-ratelimit-remaining-tokens", "90000", "x-ratelimit-reset-tokens", "6m0s"), "", exhausted(time.Second)},
		{"the later of two that are exhausted", headers(openAI, "0", "x-ratelimit-reset-requests", "1s", "x-ratelimit-remaining-tokens", "0", "x-ratelimit-reset-tokens", "6s"), "", exhausted(6 * time.Second)},
		{"none is exhausted", headers(openAI, "3", "x-ratelimit-reset-requests", "1s"), "", Hint{}},
		{"nothing said of what remains", headers("x-ratelimit-reset-requests", "1s"), "", Hint{}},
		{"retry-after before resets", headers("retry-after", "2", openAI, "0", "x-ratelimit-reset-requests", "1m"), "", exhausted(2 * time.Second)},
		{"retry-after-ms before all", headers("retry-after-ms", "100", "x-ms-retry-after-ms", "200", "retry-after", "2"), "try again in 3s", waits(100 * time.Millisecond)},
		{"x-ms-retry-after-ms before retry-after", headers("x-ms-retry-after-ms", "200", "retry-after", "2"), "", waits(200 * time.Millisecond)},
		{"the next where one cannot be read", headers("retry-after-ms", "soon", "retry-after", "2"), "", Hint{Wait: 2 * time.Second, HasWait: true, Absurd: 1}},

		{"R02 anthropic requests", headers("anthropic-ratelimit-requests-remaining", "0", "anthropic-ratelimit-requests-reset", "2026-03-04T12:00:07Z"), "", exhausted(7 * time.Second)},
		{"anthropic tokens", headers("anthropic-ratelimit-tokens-remaining", "0", "anthropic-ratelimit-tokens-reset", "2026-03-04T12:00:07Z"), "", waits(7 * time.Second)},
		{"anthropic input tokens", headers("anthropic-ratelimit-input-tokens-remaining", "0", "anthropic-ratelimit-input-tokens-reset", "2026-03-04T14:00:07+02:00"), "", waits(7 * time.Second)},
		{"anthropic output tokens", headers("anthropic-ratelimit-output-tokens-remaining", "0", "anthropic-ratelimit-output-tokens-reset", "2026-03-04T12:00:07.5Z"), "", waits(7500 * time.Millisecond)},
		{"anthropic by the answer's date", headers("anthropic-ratelimit-requests-remaining", "0", "anthropic-ratelimit-requests-reset", "2026-03-04T12:00:07Z", "date", "Wed, 04 Mar 2026 12:00:05 GMT"), "", exhausted(2 * time.Second)},

		{"ratelimit-reset, relative", headers("ratelimit-remaining", "0", "ratelimit-reset", "12"), "", exhausted(12 * time.Second)},
		{"x-ratelimit-reset, relative", headers("x-ratelimit-remaining", "0", "x-ratelimit-reset", "12"), "", exhausted(12 * time.Second)},
		{"ratelimit-reset, unix seconds", headers("ratelimit-remaining", "0", "ratelimit-reset", fmt.Sprint(noon.Unix()+12)), "", exhausted(12 * time.Second)},
		{"ratelimit-reset, unix milliseconds", headers("ratelimit-remaining", "0", "ratelimit-reset", fmt.Sprint(noon.UnixMilli()+1200)), "", exhausted(1200 * time.Millisecond)},
		{"x-ratelimit-reset by the answer's date", headers("x-ratelimit-remaining", "0", "x-ratelimit-reset", fmt.Sprint(noon.Unix()+12), "date", "Wed, 04 Mar 2026 12:00:05 GMT"), "", exhausted(7 * time.Second)},
		{"x-ratelimit-reset, the most seconds that are relative", headers("x-ratelimit-remaining", "0", "x-ratelimit-reset", "999999999"), "", Hint{Wait: QuotaPause, HasWait: true, Quota: true, Exhausted: true, Absurd: 1}},
		{"x-ratelimit-reset, unix seconds", headers("x-ratelimit-remaining", "0", "x-ratelimit-reset", fmt.Sprint(noon.Unix()+12)), "", exhausted(12 * time.Second)},
		{"x-ratelimit-reset, unix milliseconds", headers("x-ratelimit-remaining", "0", "x-ratelimit-reset", fmt.Sprint(noon.UnixMilli()+1200)), "", exhausted(1200 * time.Millisecond)},
		{"x-ratelimit-reset, long past", headers("x-ratelimit-remaining", "0", "x-ratelimit-reset", "1000000000"), "", Hint{HasWait: true, Exhausted: true, Absurd: 1}},
		{"x-ratelimit-reset, 1e18", headers("x-ratelimit-remaining", "0", "x-ratelimit-reset", "1e18"), "", Hint{Wait: QuotaPause, HasWait: true, Quota: true, Exhausted: true, Absurd: 1}},

		{"RetryInfo", nil, `{"error":{"code":429,"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}]}}`, waits(34 * time.Second)},
		{"RetryInfo with a fraction", nil, `[{"error":{"details":[{"@type":"x"},{"retryDelay": "34.074824224s"}]}}]`, waits(34074824224)},
		{"RetryInfo that cannot be read", nil, `{"retryDelay":"later","message":"Please retry in 2s."}`, waits(2 * time.Second)},
		{"try again in 1.2s", nil, `{"error":{"message":"Rate limit reached. Please try again in 1.2s. Visit https://x.y/1 to learn more."}}`, waits(1200 * time.Millisecond)},
		{"try again in 20s", nil, "Limit 3, Used 3. Please try again in 20s.", waits(20 * time.Second)},
		{"try again in 6m0s", nil, "please Try Again In 6m0s", waits(6 * time.Minute)},
		{"try again in 120ms", nil, "Please try again in 120ms.", waits(120 * time.Millisecond)},
		{"R17 try again in 60 seconds", nil, "Try again in 60 seconds", waits(time.Minute)},
		{"retry after 7 seconds", nil, "Please retry after 7 seconds.", waits(7 * time.Second)},
		{"try again in words", nil, "Try again in 1 minute 30 seconds, please.", waits(90 * time.Second)},
		{"hours and minutes in words", nil, "Try again in 1 hour and 30 minutes.", waits(90 * time.Minute)},
		{"three in words", nil, "try again in 1 Hour, 2 minutes, and 3 seconds.", waits(time.Hour + 2*time.Minute + 3*time.Second)},
		{"words, then something else", nil, "try again in 20s, 5 requests were too many", waits(20 * time.Second)},
		{"words, then a number", nil, "try again in 20 seconds and 7", waits(20 * time.Second)},
		{"a number alone", nil, "Retry after 30.", waits(30 * time.Second)},
		{"a clock is not a second", nil, "try again in 1:30:00", Hint{}},
		{"from to is not the first", nil, "try again in 2-3 minutes", Hint{}},
		{"thousands", nil, "try again in 1,000 seconds", Hint{}},
		{"an unknown unit", nil, "try again in 2 weeks", Hint{}},
		{"try again without a time", nil, "Please try again later. In 5 of 6 cases it works.", Hint{}},
		{"headers before the body", headers("retry-after", "1"), "try again in 20s", waits(time.Second)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ParseRetry(tt.header, []byte(tt.body), noon)
			// Fractions of seconds are rounded up, by a nanosecond at most.
			if d := got.Wait - tt.want.Wait; d > 0 && d <= time.Microsecond {
				got.Wait = tt.want.Wait
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzParseRetry: whatever a server sends, the wait is not negative and not
// beyond the longest pause.
func FuzzParseRetry(f *testing.F) {
	for _, s := range []string{"20", "0.5", "-1", "1e12", "1m30s", "1d2h", "NaN", "Wed, 04 Mar 2026 12:00:30 GMT", "2026-03-04T12:00:07Z", "1772625600", "9223372036854775807", "999999999999999999999999h", "5e-324", "..", "1.2.3s", "٣s"} {
		f.Add(s, s, "try again in "+s)
	}
	f.Fuzz(func(t *testing.T, value, date, body string) {
		for _, h := range []http.Header{
			nil,
			{"Retry-After-Ms": {value}, "Date": {date}},
			{"X-Ms-Retry-After-Ms": {value}},
			{"Retry-After": {value}, "Date": {date}},
			{"X-Ratelimit-Remaining-Requests": {"0"}, "X-Ratelimit-Reset-Requests": {value}, "X-Ratelimit-Limit-Requests": {value}, "Date": {date}},
			{"Anthropic-Ratelimit-Tokens-Remaining": {date}, "Anthropic-Ratelimit-Tokens-Reset": {value}},
			{"X-Ratelimit-Remaining": {"0"}, "X-Ratelimit-Reset": {value}},
		} {
			hint := ParseRetry(h, []byte(body), noon)
			if hint.Wait < 0 || hint.Wait > MaxPause || hint.Wait > 0 && !hint.HasWait || hint.Quota && hint.Wait != QuotaPause || hint.Absurd < 0 {
				t.Errorf("%v %q: %+v", h, body, hint)
			}
			if w, said, _ := window(h, noon); w.Reset < 0 || w.Reset > MaxPause || w.Limit < 0 || said != (w.Limit >= 1) {
				t.Errorf("%v: window %+v, %v", h, w, said)
			}
		}
	})
}

func TestWindowOfHeaders(t *testing.T) {
	tests := []struct {
		name   string
		header http.Header
		limit  float64
		reset  time.Duration
		absurd int
	}{
		{"openai", headers("x-ratelimit-limit-requests", "60", "x-ratelimit-reset-requests", "6m0s"), 60, 6 * time.Minute, 0},
		{"anthropic", headers("anthropic-ratelimit-requests-limit", "50", "anthropic-ratelimit-requests-reset", "2026-03-04T12:00:07Z"), 50, 7 * time.Second, 0},
		{"gateway with a policy", headers("ratelimit-limit", "100;w=60", "ratelimit-reset", "12"), 100, 12 * time.Second, 0},
		{"gateway with several", headers("x-ratelimit-limit", "10, 10;w=1", "x-ratelimit-reset", "1"), 10, time.Second, 0},
		{"no reset", headers("x-ratelimit-limit-requests", "60"), 60, 0, 0},
		{"absurd reset", headers("x-ratelimit-limit-requests", "60", "x-ratelimit-reset-requests", "-5"), 60, 0, 0},
		{"absurd limit", headers("x-ratelimit-limit-requests", "-60", "x-ratelimit-reset-requests", "1s"), 0, 0, 1},
		{"limit below one", headers("x-ratelimit-limit-requests", "0.001", "x-ratelimit-reset-requests", "1s"), 0, 0, 1},
		{"all but no limit", headers("x-ratelimit-limit-requests", "1e-300", "x-ratelimit-reset-requests", "1s"), 0, 0, 1},
		{"limit beyond any", headers("x-ratelimit-limit-requests", "1e300"), 0, 0, 1},
		{"the next after an absurd one", headers("x-ratelimit-limit-requests", "0", "ratelimit-limit", "5", "ratelimit-reset", "1"), 5, time.Second, 1},
		{"limit in words", headers("x-ratelimit-limit-requests", "unlimited"), 0, 0, 0},
		{"tokens only", headers("x-ratelimit-limit-tokens", "60"), 0, 0, 0},
	}
	for _, tt := range tests {
		w, said, absurd := window(tt.header, noon)
		if w.Limit != tt.limit || w.Reset != tt.reset || said != (tt.limit > 0) || absurd != tt.absurd {
			t.Errorf("%s: %+v, %v, %d absurd, want %v in %v, %d", tt.name, w, said, absurd, tt.limit, tt.reset, tt.absurd)
		}
	}
}

func TestBodyIsReadInPartOnly(t *testing.T) {
	body := strings.Repeat("x", bodyMax) + " try again in 20s"
	if hint := ParseRetry(nil, []byte(body), noon); hint != (Hint{}) {
		t.Errorf("%+v", hint)
	}
}
