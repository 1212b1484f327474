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

// 32 workers with 4 metrics each share 60 calls a minute: every permit is
// used, nobody fails for waiting, and the surplus waits in the queue.
func TestTheSurplusWaitsInTheQueueAndNotAtTheGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rate, err := limit.ParseRate("60/min")
		if err != nil {
			t.Fatal(err)
		}
		gate := limit.NewGate(limit.WithRate(rate))
		d := newDouble(good(2*time.Second), "a", "b", "c", "d")
		cfg := manager.Config{Concurrent: true, Workers: 32, Gates: map[string]*limit.Gate{"double": gate}, Timeout: 10 * time.Second, MaxAge: time.Hour}
		b := newBundle(t, cfg, d).start(t)
		for i := range 300 {
			b.invoke(fmt.Sprint(i))
		}
		const minutes = 10
		time.Sleep(minutes*time.Minute + 500*time.Millisecond)
		synctest.Wait()
		s := b.Status()
		checkLaws(t, s)
		if sends := gate.Status().Sends; sends < 60*minutes || sends > 60*minutes+2 {
			t.Errorf("%d calls were made in %d minutes at 60 a minute", sends, minutes)
		}
		for _, r := range b.results() {
			if r.Outcome != evaluators.OutcomeScored {
				t.Fatalf("%s failed for waiting: %s", r.Metric, r.ErrorType)
			}
			if r.LimitWait > 2*time.Second {
				t.Fatalf("%s waited %v at the gate", r.Metric, r.LimitWait)
			}
		}
		if l := s.Lanes[0]; l.InFlight > 32 || l.Queued < 300-60*minutes/4-40 {
			t.Errorf("the lane is %+v", l)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = b.Shutdown(ctx)
	})
}

// The manager passes the gate of an evaluator that does not do so itself.
func TestWhatAGateTurnsAwayIsAResult(t *testing.T) {
	budget, err := limit.ParseBudget("1usd/day")
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		gate   *limit.Gate
		before limit.Outcome
		want   string
	}{
		"spent":             {limit.NewGate(limit.WithBudget(budget)), limit.Outcome{Result: limit.ResultOK, Cost: 1, HasCost: true}, "x quality skipped budget"},
		"a rate of nothing": {limit.NewGate(limit.WithRate(limit.Rate{PerSecond: -1})), limit.Outcome{}, "x quality failed judge_rate_limited"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if permit, err := tt.gate.Acquire(context.Background()); err == nil {
					permit.Done(tt.before)
				}
				b := newBundle(t, manager.Config{Gates: map[string]*limit.Gate{"double": tt.gate}}, newDouble(good(0), "quality")).start(t)
				b.invoke("x")
				_ = b.Flush(context.Background())
				if got := b.outcomes(); !slices.Equal(got, []string{tt.want}) {
					t.Errorf("got %q, want %q", got, tt.want)
				}
				checkLaws(t, b.Status())
			})
		})
	}
}

// The backlog waits in the queue while the breaker is open, and nothing fails
// for it.
func TestALaneTakesNothingWhileTheBreakerIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := limit.NewGate(limit.WithBreaker(limit.Breaker{OpenFor: 10 * time.Second}))
		cfg := manager.Config{Concurrent: true, Workers: 4, WorkersMax: 16, Gates: map[string]*limit.Gate{"double": gate}}
		b := newBundle(t, cfg, newDouble(good(time.Second), "quality")).start(t)
		permit, err := gate.Acquire(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		permit.Done(limit.Outcome{Result: limit.ResultFatal})
		for i := range 20 {
			b.invoke(fmt.Sprint(i))
		}
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if l := b.Status().Lanes[0]; l.Queued != 20 || l.InFlight != 0 || l.Workers != 4 {
			t.Errorf("the lane is %+v", l)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = b.Shutdown(ctx)
		checkLaws(t, b.Status())
	})
}

// What is in hand when the breaker opens fails at once; it does not hold its
// worker until the judge is back.
func TestWhatIsInHandFailsWhenTheBreakerOpens(t *testing.T) {
	for _, others := range []int{0, 1} { // a lane of one gate, and one of several evaluators
		synctest.Test(t, func(t *testing.T) {
			gate := limit.NewGate(limit.WithBreaker(limit.Breaker{}))
			d := newDouble(func(_ context.Context, _ *evaluators.Case, m evaluators.Metric) evaluators.Result {
				if m.Name == "a" && gate.Status().Breaker.State == limit.BreakerClosed {
					gate.Trip()
				}
				return evaluators.Scored(m.Name, 1, "Good", "")
			}, "a", "b", "c")
			doubles := []*double{d}
			for range others {
				other := newDouble(good(0), "z")
				other.name = "other"
				doubles = append(doubles, other)
			}
			b := newBundle(t, manager.Config{Gates: map[string]*limit.Gate{"double": gate}}, doubles...).start(t)
			began := time.Now()
			b.invoke("x")
			_ = b.Flush(context.Background())
			if took := time.Since(began); took != 0 {
				t.Errorf("the invocation in hand took %v", took)
			}
			if got := strings.Join(b.outcomes(), ", "); !strings.Contains(got, "x a scored") || strings.Contains(got, "x b scored") || strings.Contains(got, "x c scored") {
				t.Errorf("results are %s", got)
			}
			b.invoke("y") // waits in the queue until a probe may go, unless another can be asked
			_ = b.Flush(context.Background())
			if at := time.Since(began); at == 0 != (others > 0) {
				t.Errorf("beside %d others the next one was taken after %v", others, at)
			}
			checkLaws(t, b.Status())
		})
	}
}

// An evaluator that ignores its deadlines is out of order for everybody who
// shares its gate.
func TestTheBreakerOpensWhenTooManyAreStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := limit.NewGate(limit.WithBreaker(limit.Breaker{}))
		release := make(chan struct{})
		d := newDouble(func(_ context.Context, _ *evaluators.Case, m evaluators.Metric) evaluators.Result {
			<-release
			return evaluators.Scored(m.Name, 1, "Good", "")
		}, "quality")
		cfg := manager.Config{Concurrent: true, Workers: 8, MaxConcurrent: 1, Timeout: time.Second, Gates: map[string]*limit.Gate{"double": gate}}
		b := newBundle(t, cfg, d).start(t)
		for i := range 20 {
			b.invoke(fmt.Sprint(i))
		}
		time.Sleep(900 * time.Millisecond)
		if state := gate.Status().Breaker.State; state != limit.BreakerClosed {
			t.Errorf("before the deadline the breaker is %v", state)
		}
		time.Sleep(time.Second)
		if l := b.Status().Lanes[0]; !l.Halted || l.Evaluators[0].Gate.Breaker.State != limit.BreakerOpen {
			t.Errorf("the lane is %+v, its gate %+v", l, l.Evaluators[0].Gate.Breaker)
		}
		close(release)
		_ = b.Flush(context.Background())
		synctest.Wait()
		s := b.Status()
		checkLaws(t, s)
		if l := s.Lanes[0]; l.Halted || l.Done != 20 {
			t.Errorf("after they came back the lane is %+v", l)
		}
	})
}
