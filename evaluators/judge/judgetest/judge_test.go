package judgetest_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

func typeOf(err error) string {
	if e, ok := errors.AsType[*judge.Error](err); ok {
		return e.Type
	}
	return ""
}

func TestAnswersArePlayedInOrderAndTheLastRemains(t *testing.T) {
	j := judgetest.NewJudge(
		judgetest.WithAnswers("a", judgetest.Text("1"), judgetest.Text("2")),
		judgetest.WithAnswers("", judgetest.Text("other"), judgetest.Text("others")),
	)
	var got []string
	for _, metric := range []string{"a", "b", "a", "a", "c", "b"} {
		r, err := j.Complete(t.Context(), judge.Request{Metrics: []string{metric}})
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r.Text)
	}
	if diff := cmp.Diff([]string{"1", "other", "2", "2", "others", "others"}, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	if j.Count() != 6 || len(j.Calls()) != 6 || j.Calls()[1].Request.Metrics[0] != "b" {
		t.Errorf("%d calls, recorded %+v", j.Count(), j.Calls())
	}
}

func TestJudgeFails(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer judgetest.Answer
		want   string
	}{
		{"fail", judgetest.Fail(evaluators.ErrorJudgeQuota), evaluators.ErrorJudgeQuota},
		{"close", judgetest.Close(), evaluators.ErrorJudgeUnavailable},
		{"401", judgetest.HTTP(401, nil, ""), evaluators.ErrorJudgeAuth},
		{"404", judgetest.HTTP(404, nil, ""), evaluators.ErrorJudgeModelNotFound},
		{"418", judgetest.HTTP(418, nil, ""), evaluators.ErrorJudgeBadRequest},
		{"429", judgetest.HTTP(429, http.Header{"Retry-After": {"1"}}, ""), evaluators.ErrorJudgeRateLimited},
		{"500", judgetest.HTTP(500, nil, ""), evaluators.ErrorJudgeUnavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := judgetest.NewJudge(judgetest.WithAnswers("", tt.answer)).Complete(t.Context(), judge.Request{})
			if got := typeOf(err); got != tt.want {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}

func TestJudgeOnAFakeClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := judgetest.NewJudge(
			judgetest.WithDelay(2*time.Second),
			judgetest.WithAnswers("slow", judgetest.Valid().After(time.Second)),
			judgetest.WithAnswers("hang", judgetest.Hang()),
		)
		start := time.Now()
		if _, err := j.Complete(t.Context(), judge.Request{Metrics: []string{"slow"}}); err != nil || time.Since(start) != 3*time.Second {
			t.Errorf("%v after %v, want 3s", err, time.Since(start))
		}
		for _, metric := range []string{"slow", "hang"} {
			for _, after := range []time.Duration{time.Second, 0} {
				ctx, cancel := context.WithTimeout(t.Context(), after)
				start = time.Now()
				_, err := j.Complete(ctx, judge.Request{Metrics: []string{metric}})
				if typeOf(err) != evaluators.ErrorJudgeTimeout || time.Since(start) != after {
					t.Errorf("%s: %v after %v, want a timeout after %v", metric, err, time.Since(start), after)
				}
				cancel()
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Minute, cancel)
		if _, err := j.Complete(ctx, judge.Request{Metrics: []string{"hang"}}); typeOf(err) != evaluators.ErrorCancelled {
			t.Errorf("%v, want shutdown", err)
		}
	})
}

func TestJudgeCountsWhatRunsSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := judgetest.NewJudge(judgetest.WithDelay(time.Second), judgetest.WithRecordLimit(2))
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() { _, _ = j.Complete(t.Context(), judge.Request{}) })
		}
		synctest.Wait()
		if j.InFlight() != 5 {
			t.Errorf("%d in flight", j.InFlight())
		}
		wg.Wait()
		_, _ = j.Complete(t.Context(), judge.Request{})
		if j.InFlight() != 0 || j.Peak() != 5 || j.Count() != 6 || len(j.Calls()) != 2 {
			t.Errorf("in flight %d, peak %d, count %d, kept %d", j.InFlight(), j.Peak(), j.Count(), len(j.Calls()))
		}
	})
}
