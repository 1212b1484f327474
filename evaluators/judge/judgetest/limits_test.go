package judgetest_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

func complete(j *judgetest.Judge) *judge.Error {
	_, err := j.Complete(context.Background(), judge.Request{Metrics: []string{"bias"}})
	var e *judge.Error
	errors.As(err, &e)
	return e
}

func TestJudgeKeepsPolicies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := judgetest.NewJudge(
			judgetest.WithPolicies(judgetest.SlidingWindow(3, time.Minute), judgetest.Concurrency(2)),
			judgetest.WithDelay(10*time.Second),
			judgetest.WithAnswers("", judgetest.Fail(evaluators.ErrorJudgeRefused), judgetest.Valid()))
		var wg sync.WaitGroup
		wg.Go(func() {
			if e := complete(j); e == nil || e.Type != evaluators.ErrorJudgeRefused {
				t.Errorf("the first call: %v", e)
			}
		})
		synctest.Wait() // it has the script's first answer
		wg.Go(func() {
			if e := complete(j); e != nil {
				t.Errorf("the second call: %v", e)
			}
		})
		synctest.Wait()
		e := complete(j)
		if e == nil || e.Type != evaluators.ErrorJudgeRateLimited || e.Status != 429 || e.Header.Get("Retry-After") != "1" {
			t.Errorf("the third at once: %+v", e)
		}
		wg.Wait()
		if e := complete(j); e != nil {
			t.Errorf("the third in the window: %v", e)
		}
		e = complete(j) // 20 s after the first
		if e == nil || e.Header.Get("Retry-After") != "40" || e.Header.Get("Retry-After-Ms") != "40000" {
			t.Errorf("the fourth in the window: %+v", e)
		}
		want := judgetest.Stats{Calls: 5, RateLimited: 2, Peak: 3}
		if got := j.Stats(); got != want || len(j.Arrivals()) != 5 || len(j.Admitted()) != 3 {
			t.Errorf("%+v, %d arrivals, %d admitted; want %+v", got, len(j.Arrivals()), len(j.Admitted()), want)
		}
		j.SetPolicies()
		if e := complete(j); e != nil {
			t.Errorf("without policies: %v", e)
		}
	})
}

func TestTokensAreThoseOfTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := judgetest.NewJudge(
			judgetest.WithPolicies(judgetest.SlidingWindow(1000, time.Minute).Tokens()),
			judgetest.WithAnswers("", judgetest.Valid().Usage(judge.Usage{InputTokens: 300, OutputTokens: 100})))
		for i, refused := range []bool{false, false, true} {
			if e := complete(j); (e != nil) != refused {
				t.Errorf("call %d: %v", i, e)
			}
		}
	})
}

func TestOverride(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := judgetest.NewJudge()
		j.Override(judgetest.HTTP(429, http.Header{"Retry-After": {"30"}}, ""), 30*time.Second)
		if e := complete(j); e == nil || e.Status != 429 || e.Header.Get("Retry-After") != "30" {
			t.Errorf("in the storm: %+v", e)
		}
		time.Sleep(30 * time.Second)
		if e := complete(j); e != nil {
			t.Errorf("after the storm: %v", e)
		}
		j.Override(judgetest.Close(), time.Hour)
		if e := complete(j); e == nil || e.Type != evaluators.ErrorJudgeUnavailable {
			t.Errorf("in the outage: %v", e)
		}
		j.Override(judgetest.Valid(), 0)
		if e := complete(j); e != nil {
			t.Errorf("after the outage: %v", e)
		}
		if a := j.Admitted(); len(a) != 2 || len(j.Arrivals()) != 4 || a[0].Sub(j.Arrivals()[0]) != 30*time.Second {
			t.Errorf("admitted at %v of %v", a, j.Arrivals())
		}
	})
}

func TestDelaysByNumber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := judgetest.NewJudge(judgetest.WithDelays(func(call int) time.Duration { return time.Duration(call) * time.Second }))
		for i := range 3 {
			start := time.Now()
			complete(j)
			if took := time.Since(start); took != time.Duration(i)*time.Second {
				t.Errorf("call %d took %v", i, took)
			}
		}
	})
}

func TestServerTellsItsLimits(t *testing.T) {
	const all = judgetest.HeaderRetryAfter | judgetest.HeaderRetryAfterMs | judgetest.HeaderRateLimits
	for _, tt := range []struct {
		name    string
		headers judgetest.Headers
		has     []string
	}{
		{"all", all, []string{"Retry-After", "Retry-After-Ms", "X-Ratelimit-Limit-Requests", "X-Ratelimit-Remaining-Requests", "X-Ratelimit-Reset-Requests", "X-Ratelimit-Limit-Tokens", "X-Ratelimit-Remaining-Tokens", "X-Ratelimit-Reset-Tokens"}},
		{"some", judgetest.HeaderRetryAfter, []string{"Retry-After"}},
		{"none", judgetest.HeaderNone, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newServer(t, judgetest.WithLimitHeaders(tt.headers),
				judgetest.WithPolicies(judgetest.FixedWindow(1, time.Hour), judgetest.FixedWindow(1000, time.Hour).Tokens()))
			first, _ := post(t, s, hello)
			second, _ := post(t, s, hello)
			if first.StatusCode != 200 || second.StatusCode != 429 {
				t.Fatalf("status %d, then %d", first.StatusCode, second.StatusCode)
			}
			count := 0
			for name := range second.Header {
				if strings.HasPrefix(name, "Retry-") || strings.HasPrefix(name, "X-Ratelimit-") {
					count++
				}
			}
			if count != len(tt.has) {
				t.Errorf("header %v", second.Header)
			}
			for _, name := range tt.has {
				if second.Header.Get(name) == "" {
					t.Errorf("no %s", name)
				}
			}
			if tt.headers&judgetest.HeaderRateLimits != 0 && (first.Header.Get("X-Ratelimit-Remaining-Requests") != "0" || first.Header.Get("X-Ratelimit-Remaining-Tokens") != "880") {
				t.Errorf("after one call of 120 tokens: %v", first.Header)
			}
		})
	}
}

func TestServerInAnOutage(t *testing.T) {
	s := newServer(t)
	s.Override(judgetest.Close(), time.Hour)
	if resp, err := http.Post(s.URL+"/chat/completions", "application/json", strings.NewReader(hello)); err == nil {
		resp.Body.Close()
		t.Errorf("status %d in the outage", resp.StatusCode)
	}
	s.Override(judgetest.HTTP(503, nil, "down"), time.Hour)
	if resp, body := post(t, s, hello); resp.StatusCode != 503 || body != "down" {
		t.Errorf("status %d, %q", resp.StatusCode, body)
	}
	s.Override(judgetest.Valid(), 0)
	if resp, _ := post(t, s, hello); resp.StatusCode != 200 {
		t.Errorf("status %d after it", resp.StatusCode)
	}
	if a := s.Admitted(); len(a) != 1 || s.Count() < 3 || !s.Requests()[0].Refused {
		t.Errorf("%d admitted of %d", len(a), s.Count())
	}
}
