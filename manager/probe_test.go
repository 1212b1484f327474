package manager_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/manager"
)

// outage is a manager whose judge is down for a while after the breaker has
// opened, and how many of the tasks that came then were scored.
func outage(t *testing.T, cfg manager.Config, down time.Duration, answer judgetest.Answer) (b *bundle, j *judgetest.Judge) {
	t.Helper()
	j = judgetest.NewJudge(judgetest.WithDelay(100 * time.Millisecond))
	gate := limit.NewGate(limit.WithBreaker(limit.Breaker{}), limit.WithAdaptive(16))
	e, err := judge.New(j, judge.WithGate(gate))
	if err != nil {
		t.Fatal(err)
	}
	cfg.Assignments = []evaluators.Assignment{{Evaluator: e, Metrics: map[instrumentation.Kind][]evaluators.Metric{
		instrumentation.KindInference: e.Metrics()[:3], // bias, toxicity, answer_relevancy
	}}}
	b = newBundle(t, cfg).start(t)
	j.Override(answer, down)
	b.invoke("lost") // opens the breaker
	for gate.Status().Breaker.State == limit.BreakerClosed {
		time.Sleep(time.Second)
		b.invoke("lost")
		synctest.Wait()
	}
	for b.Status().Lanes[0].InFlight > 0 {
		time.Sleep(100 * time.Millisecond)
		synctest.Wait()
	}
	return b, j
}

// What waits while a judge is down is scored when it is back, those too that
// were taken to find that out.
func TestNoTaskIsLostToAProbe(t *testing.T) {
	for name, cfg := range map[string]manager.Config{
		"sequential": {MaxAge: time.Hour}, "concurrent": {MaxAge: time.Hour, Concurrent: true},
		"aggregated": {MaxAge: time.Hour, Concurrent: true, Aggregate: true}, "one slot": {MaxAge: time.Hour, Concurrent: true, MaxInFlight: 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, _ := outage(t, cfg, 5*time.Minute, judgetest.HTTP(503, nil, "down"))
				const waiting = 20
				for i := range waiting {
					b.invoke(fmt.Sprintf("waits %d", i))
				}
				if err := b.Flush(context.Background()); err != nil {
					t.Fatal(err)
				}
				scored := 0
				for _, line := range b.outcomes() {
					var n int
					if _, err := fmt.Sscanf(line, "waits %d", &n); err != nil {
						continue
					}
					if !strings.Contains(line, "scored") {
						t.Errorf("%s", line)
					}
					scored++
				}
				if scored != 3*waiting {
					t.Errorf("%d results of %d", scored, 3*waiting)
				}
				checkLaws(t, b.Status())
			})
		})
	}
}

// A judge that stays away costs a probing task its MaxAge and no more, and a
// shutdown does not wait for it.
func TestAProbingTaskEndsWithItsAgeAndWithAShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := outage(t, manager.Config{MaxAge: 10 * time.Minute}, 10*time.Hour, judgetest.HTTP(401, nil, "no"))
		b.invoke("waits")
		if err := b.Flush(context.Background()); err != nil {
			t.Fatal(err)
		}
		if b.Status().Lanes[0].InFlight != 0 {
			t.Error("the probing task is still in hand")
		}
		b.invoke("again")
		time.Sleep(5 * time.Minute)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		began := time.Now()
		_ = b.Shutdown(ctx)
		if took := time.Since(began); took > 1100*time.Millisecond {
			t.Errorf("the shutdown took %v", took)
		}
		checkLaws(t, b.Status())
		if s := b.Status().Lanes[0]; s.InFlight != 0 || s.Queued != 0 {
			t.Errorf("the lane is %+v", s)
		}
	})
}
