package limit_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/limit"
)

// moderation is an evaluator of one's own that asks a service over HTTP, with
// a gate of its own.
type moderation struct {
	evaluators.Evaluator
	url  string
	gate *limit.Gate
}

// Gate is what the manager asks before it takes work for this evaluator: the
// backlog waits in the queue while the gate is not open.
func (m *moderation) Gate() *limit.Gate { return m.gate }

func newModeration(url string, gate *limit.Gate) *moderation {
	m := &moderation{url: url, gate: gate}
	m.Evaluator = evaluators.Func("moderation", evaluators.Metric{
		Name: "flagged", Direction: evaluators.LowerIsBetter, Threshold: 0.5, Needs: evaluators.NeedOutput,
	}, m.flagged)
	return m
}

func (m *moderation) flagged(ctx context.Context, c *evaluators.Case) evaluators.Result {
	permit, err := m.gate.Acquire(ctx) // every send, retries included
	switch {
	case errors.Is(err, limit.ErrSpent):
		return evaluators.Skipped("", evaluators.SkipBudget, err.Error())
	case errors.Is(err, limit.ErrOpen):
		return evaluators.Failed("", evaluators.ErrorJudgeCircuitOpen, err)
	case err != nil:
		return evaluators.Failed("", evaluators.ErrorJudgeRateLimited, err)
	}
	score, outcome, err := m.ask(ctx, c.Output)
	permit.Done(outcome) // on every path
	if err != nil {
		return evaluators.Failed("", evaluators.ErrorJudgeUnavailable, err)
	}
	return evaluators.Scored("", score, "", "")
}

// ask sends the text and says what the answer means to the gate.
func (m *moderation) ask(ctx context.Context, text string) (score float64, o limit.Outcome, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url, strings.NewReader(text))
	if err != nil {
		return 0, limit.Outcome{}, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, limit.Outcome{Result: limit.ResultUnavailable}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return 0, limit.Outcome{Result: limit.ResultUnavailable}, err
	}
	o = limit.Outcome{Header: resp.Header, Body: body}
	switch code := resp.StatusCode; {
	case code == http.StatusOK:
		o.Result = limit.ResultOK
	case code == http.StatusTooManyRequests:
		o.Result = limit.ResultRateLimited
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		o.Result = limit.ResultFatal
	case code >= 500:
		o.Result = limit.ResultUnavailable
	}
	if o.Result != limit.ResultOK {
		return 0, o, errors.New(resp.Status)
	}
	score, err = strconv.ParseFloat(strings.TrimSpace(string(body)), 64)
	return score, o, err
}

// An evaluator of one's own that keeps what its service allows: the pace, the
// pauses that it asks for, and nothing while it is out of order.
func Example_evaluator() {
	asked := 0
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked == 1 {
			w.Header().Set("retry-after-ms", "50")
			http.Error(w, "slow down", http.StatusTooManyRequests)
			return
		}
		fmt.Fprintln(w, "0.25")
	}))
	defer service.Close()

	gate := limit.NewGate(
		limit.WithRate(limit.Rate{PerSecond: 100, Burst: 5}),
		limit.WithAdaptive(16),
		limit.WithBreaker(limit.Breaker{}),
	)
	m := newModeration(service.URL, gate)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	for range 2 {
		for _, r := range m.Evaluate(ctx, &evaluators.Case{Output: "Hello"}, m.Metrics()) {
			fmt.Println(r.Metric, r.Outcome)
		}
	}
	s := gate.Status()
	fmt.Println(s.Sends, "sent,", s.Pauses, "pause, breaker", s.Breaker.State)
	// Output:
	// flagged failed
	// flagged scored
	// 2 sent, 1 pause, breaker closed
}

func ExampleParseBudget() {
	for _, s := range []string{"5usd/day", "200000 Tokens / hour", "5/day"} {
		b, err := limit.ParseBudget(s)
		if err != nil {
			fmt.Println("refused:", s)
			continue
		}
		fmt.Println(b)
	}
	// Output:
	// 5usd/day
	// 200000tokens/hour
	// refused: 5/day
}

// Estimates are reserved before a send and replaced by what was used after it.
func ExampleGate_AcquireFor() {
	budget, _ := limit.ParseBudget("1000tokens/hour")
	gate := limit.NewGate(limit.WithBudget(budget))
	for {
		permit, err := gate.AcquireFor(context.Background(), limit.Need{Tokens: 500})
		if errors.Is(err, limit.ErrSpent) {
			break
		}
		// … call the judge …
		permit.Done(limit.Outcome{Result: limit.ResultOK, Tokens: 200})
	}
	s := gate.Status()
	fmt.Println(s.Sends, "sent,", s.Budget.Spent, "tokens spent")
	// Output: 3 sent, 600 tokens spent
}
