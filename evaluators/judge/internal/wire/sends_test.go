package wire_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/limit"
)

// TestWhatIsSentAgain goes through the evaluator: what a client says of a
// failure decides how often its judge is asked.
func TestWhatIsSentAgain(t *testing.T) {
	failure := func(code, message string) string {
		return `{"error":{"code":"` + code + `","type":"` + code + `","message":"` + message + `"}}`
	}
	for _, tt := range []struct {
		name   string
		status int
		body   string
		want   string
		calls  int
	}{
		{"F01_content_filter_is_asked_once", 400, failure("content_filter", "m"), evaluators.ErrorJudgeContentFiltered, 1},
		{"F02_filtered_is_no_verdict", 400, failure("", "Output blocked by content filtering policy"), evaluators.ErrorJudgeContentFiltered, 1},
		{"F05_arrived_in_part_is_sent_twice", 400, failure("invalid_request_error", "The request body is not valid JSON: unexpected end of data"), evaluators.ErrorJudgeUnavailable, 2},
		{"F06_200_with_error_is_sent_again", 200, `{"error":{"code":502,"message":"m"}}`, evaluators.ErrorJudgeUnavailable, 3},
		{"R08_overloaded_is_sent_again", 500, failure("overloaded_error", "Overloaded"), evaluators.ErrorJudgeOverloaded, 3},
		{"R10_quota_is_asked_once", 429, failure("insufficient_quota", "m"), evaluators.ErrorJudgeQuota, 1},
		{"R12_spend_limit_is_asked_once", 429, failure("enforced_spend_limit_reached", "m"), evaluators.ErrorJudgeQuota, 1},
		{"R12_ramp_limit_is_sent_again", 429, failure("ramp_limit_exceeded", "m"), evaluators.ErrorJudgeRateLimited, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			each(t, func(t *testing.T, c client) {
				synctest.Test(t, func(t *testing.T) {
					calls := 0
					through := &http.Client{Transport: roundTripper(func(*http.Request) (*http.Response, error) {
						calls++
						r := respond(tt.body)
						r.StatusCode = tt.status
						return r, nil
					})}
					e, err := judge.New(c.make(t, settings{url: "http://judge", http: through}))
					if err != nil {
						t.Fatal(err)
					}
					r := e.Evaluate(t.Context(), &evaluators.Case{Output: "Hello."}, e.Metrics()[:1])[0]
					if r.Outcome != evaluators.OutcomeFailed || r.ErrorType != tt.want || calls != tt.calls {
						t.Errorf("%v %s after %d calls, want %s after %d", r.Outcome, r.ErrorType, calls, tt.want, tt.calls)
					}
				})
			})
		})
	}
}

// TestHowLongToWaitReachesTheGate: what a refusal says of when to come again is
// in the error, for limit.ParseRetry to read.
func TestHowLongToWaitReachesTheGate(t *testing.T) {
	for _, tt := range []struct {
		name   string
		header map[string]string
		body   string
		want   time.Duration
	}{
		{"R01_duration", map[string]string{"Retry-After": "500ms"}, "", 500 * time.Millisecond},
		{"R02_moment", map[string]string{"Anthropic-Ratelimit-Requests-Remaining": "0", "Anthropic-Ratelimit-Requests-Reset": "2026-03-04T12:00:07Z", "Date": "Wed, 04 Mar 2026 12:00:00 GMT"}, "", 7 * time.Second},
		{"R03_milliseconds", map[string]string{"X-Ms-Retry-After-Ms": "250"}, "", 250 * time.Millisecond},
		{"R17_words", nil, `{"error":{"message":"No deployments available. Try again in 60 seconds","code":"429"}}`, time.Minute},
		{"R17_google", nil, `[{"error":{"code":429,"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}]}}]`, 34 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			each(t, func(t *testing.T, c client) {
				through := &http.Client{Transport: roundTripper(func(*http.Request) (*http.Response, error) {
					h := http.Header{}
					for name, value := range tt.header {
						h.Set(name, value)
					}
					return &http.Response{StatusCode: 429, Header: h, Body: io.NopCloser(strings.NewReader(tt.body))}, nil
				})}
				_, err := c.make(t, settings{url: "http://judge", http: through}).Complete(t.Context(), request)
				e := asError(t, err)
				if hint := limit.ParseRetry(e.Header, e.Body, time.Now()); e.Type != evaluators.ErrorJudgeRateLimited || hint.Wait != tt.want {
					t.Errorf("%v, wait %v, want %v", e, hint.Wait, tt.want)
				}
			})
		})
	}
}
