package genaievals_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/instrumentation/genaihttp"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/manager"
)

// closedPort is an address of this machine at which nobody listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String() + "/v1"
}

// A judge that is not there is one warning. What was asked of it has failed,
// what comes afterwards waits until it is too old, and the application's calls
// are answered as ever.
func TestAJudgeThatCannotBeReachedHarmsNothing(t *testing.T) {
	for _, provider := range []string{"ollama", "anthropic"} {
		t.Run(provider, func(t *testing.T) {
			setenv(t, map[string]string{
				"JUDGE_PROVIDER": provider, "JUDGE_MODEL": "m", "JUDGE_BASE_URL": closedPort(t), "JUDGE_API_KEY": "planted-key-77",
				"EVALUATORS": "judge(bias,toxicity)", "CONCURRENT": "true",
			})
			var log logged
			failed, dropped := make(chan evaluators.Result, 100), make(chan manager.Drop, 100)
			evals, err := genaievals.Start(context.Background(), log.option(), genaievals.WithHandler(instrumentation.NewHandler()),
				genaievals.WithMaxAge(time.Second),
				genaievals.WithOnDrop(func(d manager.Drop) { dropped <- d }),
				genaievals.WithResultHandler(func(_ *instrumentation.Invocation, results []evaluators.Result) {
					for _, r := range results {
						failed <- r
					}
				}))
			if err != nil || evals.Off() != "" {
				t.Fatal(err, evals.Off())
			}
			t.Cleanup(func() { _ = evals.Shutdown(context.Background()) })
			client := &http.Client{Transport: genaihttp.NewTransport(nil, genaihttp.WithHandler(evals.Handler()))}
			url := modelServer(t, "Within 30 days.")
			for range 2 { // of which each metric is asked up to three times
				chat(context.Background(), t, client, url, false)
			}
			for range 4 {
				if r := <-failed; r.ErrorType != evaluators.ErrorJudgeUnavailable && r.ErrorType != evaluators.ErrorJudgeCircuitOpen {
					t.Errorf("%s is %s %s", r.Metric, r.Outcome, r.ErrorType)
				}
			}
			if state := evals.Gate("judge").Status().Breaker.State; state != limit.BreakerOpen {
				t.Errorf("the breaker is %v", state)
			}
			began := time.Now()
			for i := range 4 {
				chat(context.Background(), t, client, url, i%2 == 0)
			}
			if took := time.Since(began); took > 2*time.Second {
				t.Errorf("the application's calls took %v", took)
			}
			said := append(log.lines("WARN"), log.lines("ERROR")...)
			if len(said) != 1 || !strings.Contains(said[0], "not asked until it recovers") || !strings.Contains(said[0], "cause=unavailable") {
				t.Errorf("said %q, want one line of the judge", said)
			}
			for range 4 {
				if d := <-dropped; d.Reason != manager.DropExpired {
					t.Errorf("dropped: %v", d.Reason)
				}
			}
			if n := len(failed); n > 0 {
				t.Errorf("%d more metrics were asked", n)
			}
			if s := evals.Status().Door; s.Offered != 6 || s.FannedOut != 6 {
				t.Errorf("the door is %+v", s)
			}
		})
	}
}
