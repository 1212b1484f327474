package manager_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/manager"
)

// hanging is an evaluator that ignores its context until it is released.
func hanging(release <-chan struct{}) func(context.Context, *evaluators.Case, evaluators.Metric) evaluators.Result {
	return func(_ context.Context, _ *evaluators.Case, m evaluators.Metric) evaluators.Result {
		<-release
		return evaluators.Scored(m.Name, 1, "Good", "")
	}
}

// One evaluator that hangs does not stop those that share its lane.
func TestTheStuckOfOneEvaluatorDoNotStopTheOthers(t *testing.T) {
	for name, tt := range map[string]struct {
		typ  string
		gate *limit.Gate
		want string // what its metrics are when it is not asked
	}{
		"deterministic":        {evaluators.TypeDeterministic, nil, evaluators.ErrorEvaluatorTimeout},
		"a judge":              {evaluators.TypeLLMJudge, nil, evaluators.ErrorJudgeCircuitOpen},
		"a judge with breaker": {evaluators.TypeLLMJudge, limit.NewGate(limit.WithBreaker(limit.Breaker{})), evaluators.ErrorJudgeCircuitOpen},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				hangs, works := newDouble(hanging(release), "hangs"), newDouble(good(0), "works")
				hangs.name, hangs.typ = "hanging", tt.typ
				cfg := manager.Config{Timeout: time.Second, MaxAge: time.Hour}
				if tt.gate != nil {
					cfg.Gates = map[string]*limit.Gate{"hanging": tt.gate}
				}
				b := newBundle(t, cfg, hangs, works).start(t)
				for i := range 20 {
					b.invoke(fmt.Sprintf("%02d", i))
				}
				began := time.Now()
				_ = b.Flush(context.Background())
				if took := time.Since(began); took > 9*time.Second {
					t.Errorf("took %v", took)
				}
				s := b.Status()
				checkLaws(t, s)
				l := s.Lanes[0]
				if l.Halted || l.Stuck != l.StuckLimit || l.Evaluators[0].Stuck != l.StuckLimit || l.Evaluators[1].Stuck != 0 {
					t.Errorf("the lane is %+v", l)
				}
				if scored := l.Evaluators[1].Metrics[0].Scored; scored != 20 {
					t.Errorf("%d were scored by the one that works, want 20", scored)
				}
				refused := 0
				for _, r := range b.results() {
					if r.Metric == "hangs" && r.ErrorType == tt.want && strings.Contains(r.Err.Error(), "not asked") {
						refused++
					}
				}
				if refused != 20-l.StuckLimit {
					t.Errorf("%d failed without being asked, want %d: %q", refused, 20-l.StuckLimit, b.outcomes())
				}
				close(release)
				synctest.Wait()
				time.Sleep(time.Minute) // and for the breaker
				b.invoke("again")
				_ = b.Flush(context.Background())
				if got := b.outcomes(); !slices.Contains(got, "again hangs scored Good") {
					t.Errorf("after they came back: %q", got)
				}
			})
		})
	}
}

func TestEvaluateNowAddsNoStuckBeyondTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		b := newBundle(t, manager.Config{Concurrent: true, Workers: 1, MaxConcurrent: 1, Timeout: time.Second}, newDouble(hanging(release), "quality"))
		inv := b.invoke("x")
		for range 12 {
			_, _ = b.EvaluateNow(context.Background(), inv)
		}
		if l := b.Status().Lanes[0]; l.Stuck != l.StuckLimit {
			t.Errorf("the lane is %+v", l)
		}
	})
}

// The first that hangs is said at once, then how many have come since at most
// once a minute, and once when the evaluator is not asked any more.
func TestWhatHangsIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		d := newDouble(hanging(release), "quality")
		b := newBundle(t, manager.Config{Concurrent: true, Workers: 1, MaxConcurrent: 1, Timeout: time.Second, MaxAge: time.Hour}, d).start(t)
		b.invoke("first")
		time.Sleep(1500 * time.Millisecond)
		synctest.Wait()
		if n := b.log.matching("ignored their deadline", "lane=double", "evaluator=double", "stuck=1 ", "stuck_limit=8", "left=1 ", "left_total=1\n"); n != 1 {
			t.Errorf("the first was said %d times: %q", n, b.log.lines)
		}
		for i := range 20 {
			b.invoke(fmt.Sprint(i))
		}
		time.Sleep(30 * time.Second)
		if n := b.log.matching("is not asked until one returns", "lane=double", "evaluator=double", "stuck=8 "); n != 1 {
			t.Errorf("the limit was said %d times: %q", n, b.log.lines)
		}
		if b.log.matching() != 2 {
			t.Errorf("said %q", b.log.lines)
		}
		time.Sleep(10 * time.Minute)
		if n := b.log.matching("ignored their deadline", "left=7 ", "left_total=8"); n != 1 || b.log.matching() != 3 {
			t.Errorf("said %q", b.log.lines)
		}
	})
}

// A redactor that hangs is left like an evaluator; nothing leaves unredacted.
func TestARedactorThatHangsHoldsNoWorkerForever(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		first := newDouble(good(0), "a", "b") // one lane: those of a bubble must not wait for a lock
		for _, concurrent := range []bool{false, true} {
			b := newBundle(t, manager.Config{
				Concurrent: concurrent, Workers: 1, Timeout: time.Second, MaxAge: time.Hour,
				Redactor: func(c *evaluators.Case) {
					if strings.HasPrefix(c.Output, "hangs") {
						<-release
					}
				},
			}, first).start(t)
			began := time.Now()
			for i := range 20 {
				b.invoke(fmt.Sprintf("hangs%02d", i))
			}
			_ = b.Flush(context.Background())
			if took := time.Since(began); took > 16*time.Second {
				t.Errorf("concurrent=%t: took %v", concurrent, took)
			}
			for _, line := range b.outcomes() {
				if !strings.HasSuffix(line, "failed evaluator_timeout") {
					t.Errorf("concurrent=%t: %s", concurrent, line)
				}
			}
			if got := len(b.outcomes()); got != 40 {
				t.Errorf("concurrent=%t: %d results, want 40", concurrent, got)
			}
			if len(first.asked) != 0 {
				t.Errorf("concurrent=%t: something left unredacted", concurrent)
			}
			if n := b.log.matching("redactor hangs", "stuck=1 "); n != 1 {
				t.Errorf("concurrent=%t: said %q", concurrent, b.log.lines)
			}
			checkLaws(t, b.Status())
			close(release)
			synctest.Wait()
			b.invoke("well")
			_ = b.Flush(context.Background())
			if !slices.Contains(b.outcomes(), "well a scored Good") {
				t.Errorf("concurrent=%t: after it came back: %q", concurrent, b.outcomes())
			}
			release = make(chan struct{})
			first.asked = nil
		}
	})
}
