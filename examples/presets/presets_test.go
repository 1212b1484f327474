package presets_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

// metrics are the judge's, in the order in which it is asked.
var metrics = []string{"bias", "toxicity", "answer_relevancy", "faithfulness"}

const key = "a key for the tests"

// judgeAt sets the judge beside a preset.
func judgeAt(url string) []setting {
	return []setting{
		{envconfig.Prefix + "JUDGE_BASE_URL", url},
		{envconfig.Prefix + "JUDGE_MODEL", "judge-small"},
		{envconfig.Prefix + "JUDGE_API_KEY", key},
	}
}

// Development: one call at a time, in order of arrival; spans that nobody
// samples count too; a shutdown waits for the scores.
func TestDevelopment(t *testing.T) {
	server := judgetest.NewServer(judgetest.WithAPIKey(key), judgetest.WithDelay(2*time.Millisecond))
	defer server.Close()
	apply(t, "development", judgeAt(server.URL)...)
	a := start(t, sdktrace.NewTracerProvider(sdktrace.WithSampler(sdktrace.NeverSample())))

	var want []string
	for i := range 10 {
		id := fmt.Sprint("answer-", i)
		a.answer(id)
		for _, m := range metrics {
			want = append(want, id+" "+m)
		}
	}
	if err := a.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	scored, other, dropped, complaints := a.said()
	if diff := cmp.Diff(want, scored); diff != "" {
		t.Errorf("scores in order -want +got:\n%s", diff)
	}
	if len(other) > 0 || len(dropped) > 0 || len(complaints) > 0 {
		t.Errorf("not scored %v, dropped %v, warned of %q", other, dropped, complaints)
	}
	if server.Peak() != 1 || server.Count() != len(want) {
		t.Errorf("%d calls, %d at once; want %d, one at a time", server.Count(), server.Peak(), len(want))
	}
}

// A judge as slow as real ones: the shutdown that ends a short program waits
// for 40 calls of a second each.
func TestDevelopmentWaitsForASlowJudge(t *testing.T) {
	apply(t, "development")
	synctest.Test(t, func(t *testing.T) {
		judge := judgetest.NewJudge(judgetest.WithDelay(time.Second))
		a := start(t, noop.NewTracerProvider(), genaievals.WithJudgeClient(judge))
		for i := range 10 {
			a.answer(fmt.Sprint(i))
		}
		if err := a.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		if scored, _, _, _ := a.said(); len(scored) != 40 {
			t.Errorf("%d scores, want 40", len(scored))
		}
	})
}

// Production: four workers, each with all four metrics side by side; of what
// comes while they are busy 100 wait and the rest is dropped and counted; then
// all that was taken is evaluated.
func TestProduction(t *testing.T) {
	server := judgetest.NewServer(judgetest.WithAPIKey(key))
	defer server.Close()
	arrived, hold := make(chan struct{}, 1024), make(chan struct{})
	release := sync.OnceFunc(func() { close(hold) })
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-hold
		server.ServeHTTP(w, r)
	}))
	defer front.Close()
	defer release()
	apply(t, "production", judgeAt(front.URL+"/v1")...)
	a := start(t, noop.NewTracerProvider())

	const workers, queue, surplus = 4, 100, 50
	for i := range workers {
		a.answer(fmt.Sprint("first-", i))
	}
	for range workers * len(metrics) {
		<-arrived
	}
	for i := range queue + surplus {
		a.answer(fmt.Sprint("more-", i)) // the judge answers nobody, and this does not block
	}
	lane := a.lane()
	if lane.InFlight != workers || lane.Queued != queue || lane.Dropped["queue_full"] != surplus {
		t.Errorf("%d in flight, %d queued, dropped %v; want %d, %d and %d", lane.InFlight, lane.Queued, lane.Dropped, workers, queue, surplus)
	}
	if n := len(arrived); n > 0 {
		t.Errorf("%d calls more than %d at once", n, workers*len(metrics))
	}
	release()
	if err := a.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	scored, other, dropped, complaints := a.said()
	if want := (workers + queue) * len(metrics); len(scored) != want || server.Count() != want {
		t.Errorf("%d scores of %d calls, want %d", len(scored), server.Count(), want)
	}
	if len(other) > 0 || dropped["queue_full"] != surplus || len(complaints) > 0 {
		t.Errorf("not scored %v, dropped %v, warned of %q", other, dropped, complaints)
	}
	if lane := a.lane(); lane.Done != workers+queue {
		t.Errorf("%d done, want %d", lane.Done, workers+queue)
	}
}

// Rate-limited, over HTTP: the server, which refuses what is too much, refuses
// nothing; the queue is bounded; what a shutdown cuts short is accounted for.
func TestRateLimited(t *testing.T) {
	const offered, most = 61, 2 + 50 // in hand and waiting
	// One call more than the preset makes in a second, so that a busy machine
	// does not fail the test; the next test measures exactly.
	server := judgetest.NewServer(judgetest.WithAPIKey(key), judgetest.WithRateLimit(3, time.Second))
	defer server.Close()
	apply(t, "rate_limited", judgeAt(server.URL)...)
	a := start(t, noop.NewTracerProvider())

	began := time.Now()
	for i := range offered {
		a.answer(fmt.Sprint(i))
	}
	if lane := a.lane(); lane.Queued > 50 || lane.Dropped["queue_full"] < offered-most {
		t.Errorf("%d queued, dropped %v; want at most 50 and at least %d", lane.Queued, lane.Dropped, offered-most)
	}
	const scores = 4
	for range scores {
		<-a.onScore
	}
	if took := time.Since(began); took < (scores-1)*500*time.Millisecond {
		t.Errorf("%d scores took %v, too fast for 2 calls a second", scores, took)
	}
	a.shutdown(ended())

	if server.RateLimited() > 0 {
		t.Errorf("the server refused %d of %d calls", server.RateLimited(), server.Count())
	}
	scored, other, dropped, complaints := a.said()
	lane := a.lane()
	if len(scored) < scores || len(scored) > server.Count() || len(complaints) > 0 {
		t.Errorf("%d scores of %d calls, warned of %q", len(scored), server.Count(), complaints)
	}
	for _, r := range other {
		if r.ErrorType != "shutdown" {
			t.Errorf("%+v", r)
		}
	}
	if lane.Tasks != offered || lane.Queued+lane.InFlight != 0 || dropped["shutdown"] != int(lane.Dropped["shutdown"]) {
		t.Errorf("after shutdown: %+v, told of %v", lane, dropped)
	}
}

// Rate-limited, to the end: of 61 answers at once one is in hand, 50 wait and
// 10 are dropped; a judge that takes two seconds for a call gets two calls a
// second, nearly all that the rate allows, and never one sooner; nothing waits longer
// than two minutes.
func TestRateLimitedToTheEnd(t *testing.T) {
	apply(t, "rate_limited")
	synctest.Test(t, func(t *testing.T) {
		const apart = 500 * time.Millisecond
		judge := judgetest.NewJudge(judgetest.WithDelay(2 * time.Second))
		a := start(t, noop.NewTracerProvider(), genaievals.WithJudgeClient(judge))
		began := time.Now()
		a.answer("first")
		synctest.Wait()
		for i := range 60 {
			a.answer(fmt.Sprint(i))
		}
		if lane := a.lane(); lane.Queued != 50 || lane.Dropped["queue_full"] != 10 {
			t.Errorf("%d queued, dropped %v; want 50 and 10", lane.Queued, lane.Dropped)
		}
		if err := a.Flush(context.Background()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > 2*time.Minute {
			t.Errorf("what waited took %v", took)
		}
		scored, other, _, _ := a.said()
		calls := judge.Calls()
		if len(scored) != 51*len(metrics) || len(other) > 0 || len(calls) != len(scored) {
			t.Errorf("%d scores and %d others of %d calls", len(scored), len(other), len(calls))
		}
		for i := 1; i < len(calls); i++ {
			if gap := calls[i].Started.Sub(calls[i-1].Started); gap < apart {
				t.Errorf("calls %d and %d are %v apart, want at least %v", i-1, i, gap, apart)
			}
		}
		ideal := time.Duration(len(calls)-1) * apart
		if took := calls[len(calls)-1].Started.Sub(calls[0].Started); took > ideal*105/100 {
			t.Errorf("%d calls took %v, want at most 5 %% over %v", len(calls), took, ideal)
		}
	})
}
