package openai_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
	"github.com/genaievals/genaievals/limit"
)

// served answers requests in a bubble, without a network.
type served http.HandlerFunc

func (s served) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	s(w, r)
	return w.Result(), nil
}

// TestOutageThatNamesAFeatureIsAnOutage: it is sent again, the breaker counts
// it, and the model keeps its format.
func TestOutageThatNamesAFeatureIsAnOutage(t *testing.T) {
	for _, message := range []string{
		"cannot connect to database schema registry", "Internal error: failed to start tool sandbox", "failed to reach tool router",
		"upstream unavailable: schema cache not available", "Failed to read system prompt from cache",
	} {
		t.Run(message, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var bodies []string
				down := true
				c := newClient(t, openai.Config{Model: "m", BaseURL: "http://judge.example/v1", HTTPClient: &http.Client{
					Transport: served(func(w http.ResponseWriter, r *http.Request) {
						b := make([]byte, r.ContentLength)
						_, _ = r.Body.Read(b)
						bodies = append(bodies, string(b))
						if down {
							w.WriteHeader(http.StatusInternalServerError)
							fmt.Fprintf(w, `{"error":{"message":%q}}`, message)
							return
						}
						fmt.Fprint(w, `{"choices":[{"finish_reason":"stop","message":{"content":"{\"reason\":\"r\",\"label\":\"biased\"}"}}]}`)
					}),
				}})
				g := limit.NewGate(limit.WithBreaker(limit.Breaker{}))
				e, err := judge.New(c, judge.WithGate(g))
				if err != nil {
					t.Fatal(err)
				}
				ask := func() evaluators.Result {
					return e.Evaluate(t.Context(), &evaluators.Case{Output: "A."}, e.Metrics()[:1])[0]
				}
				if r := ask(); r.ErrorType != evaluators.ErrorJudgeUnavailable || r.Attempts != 3 {
					t.Errorf("%s after %d attempts", r.ErrorType, r.Attempts)
				}
				for range 20 {
					ask()
				}
				if g.Status().Breaker.Opened == 0 {
					t.Error("the breaker does not count it")
				}
				down = false
				time.Sleep(time.Hour)
				if r := ask(); r.Outcome != evaluators.OutcomeScored {
					t.Fatalf("%+v", r)
				}
				if diff := cmp.Diff(bodies[0], bodies[len(bodies)-1]); diff != "" {
					t.Errorf("it is asked in another way since (-before +after):\n%s", diff)
				}
			})
		})
	}
}
