package manager_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/manager"
)

// shut are gates that a call has just shut, by how.
var shut = map[string]func(t *testing.T) *limit.Gate{
	"open breaker": func(t *testing.T) *limit.Gate {
		return after(t, limit.NewGate(limit.WithBreaker(limit.Breaker{OpenFor: time.Minute})), limit.Outcome{Result: limit.ResultFatal})
	},
	"long pause":  func(t *testing.T) *limit.Gate { return paused(t, "600") },
	"short pause": func(t *testing.T) *limit.Gate { return paused(t, "20") },
}

func after(t *testing.T, gate *limit.Gate, o limit.Outcome) *limit.Gate {
	t.Helper()
	permit, err := gate.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	permit.Done(o)
	return gate
}

func paused(t *testing.T, seconds string) *limit.Gate {
	return after(t, limit.NewGate(limit.WithBreaker(limit.Breaker{})), limit.Outcome{
		Result: limit.ResultRateLimited, Header: http.Header{"Retry-After": {seconds}},
	})
}

// judged are a judge, asked through a gate, and another evaluator without one.
func judged() (judge, other *double) {
	judge, other = newDouble(good(0), "quality"), newDouble(good(0), "length")
	judge.name, other.name = "judge", "other"
	return judge, other
}

// One of several evaluators that cannot be asked does not hold up the others.
func TestAShutGateDoesNotHoldUpTheOtherEvaluatorsOfItsLane(t *testing.T) {
	const n = 51
	for name, tt := range map[string]struct {
		shut     string
		took     time.Duration
		ofJudge  string
		pastOnes int // that the others scored before the gate opened
	}{
		"open breaker":                     {"open breaker", 0, "failed judge_circuit_open", n},
		"pause longer than the deadline":   {"long pause", 0, "failed judge_rate_limited", n},
		"pause that the deadline outlasts": {"short pause", 20 * time.Second, "scored Good", 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				judge, other := judged()
				gate := shut[tt.shut](t)
				b := newBundle(t, manager.Config{Timeout: time.Minute, Gates: map[string]*limit.Gate{"judge": gate}}, judge, other).start(t)
				began := time.Now()
				for i := range n {
					b.invoke(fmt.Sprint(i))
				}
				synctest.Wait()
				other.mu.Lock()
				if got := len(other.asked); got != tt.pastOnes {
					t.Errorf("the other was asked %d times while the gate was shut, want %d", got, tt.pastOnes)
				}
				other.mu.Unlock()
				_ = b.Flush(context.Background())
				if took := time.Since(began); took < tt.took || took > tt.took+2*time.Second {
					t.Errorf("all took %v, want %v", took, tt.took)
				}
				outcomes := b.outcomes()
				for i := range n {
					for _, want := range []string{fmt.Sprint(i, " length scored Good"), fmt.Sprint(i, " quality ", tt.ofJudge)} {
						if !slices.Contains(outcomes, want) {
							t.Errorf("no %q", want)
						}
					}
				}
				checkLaws(t, b.Status())
			})
		})
	}
}

// Where all are shut, or there is only one, nothing is taken before a gate opens.
func TestALaneWaitsWhileAllItsGatesAreShut(t *testing.T) {
	for name, evaluators := range map[string]int{"one": 1, "two": 2} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				first, second := judged()
				gates := map[string]*limit.Gate{"judge": shut["short pause"](t), "other": shut["open breaker"](t)}
				b := newBundle(t, manager.Config{Gates: gates}, []*double{first, second}[:evaluators]...).start(t)
				b.invoke("x")
				time.Sleep(15 * time.Second)
				if l := b.Status().Lanes[0]; l.Queued != 1 || l.InFlight != 0 {
					t.Errorf("the lane is %+v", l)
				}
				_ = b.Flush(context.Background())
				want := []string{"x length failed judge_circuit_open", "x quality scored Good"}[2-evaluators:]
				if got := b.outcomes(); !slices.Equal(got, want) {
					t.Errorf("results are %q, want %q", got, want)
				}
				checkLaws(t, b.Status())
			})
		})
	}
}

// An EvaluateNow that needs no judge does not wait for one.
func TestEvaluateNowDoesNotWaitBehindAShutGate(t *testing.T) {
	for name := range shut {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				judge, other := judged()
				judge.metrics[0].Needs = evaluators.NeedDocuments
				b := newBundle(t, manager.Config{Timeout: time.Minute, Gates: map[string]*limit.Gate{"judge": shut[name](t)}}, judge, other).start(t)
				needsJudge := b.invokeIn(instrumentation.WithDocuments(context.Background(), instrumentation.Document{Text: "d"}), "y")
				judged := make(chan struct{})
				go func() { // needs the judge and waits for it, or fails
					defer close(judged)
					_, _ = b.EvaluateNow(context.Background(), needsJudge)
				}()
				synctest.Wait()
				inv := b.invokeIn(inTrace(1, false), "x")
				began := time.Now()
				results, err := b.EvaluateNow(context.Background(), inv)
				if took := time.Since(began); err != nil || took != 0 {
					t.Errorf("took %v, %v", took, err)
				}
				for _, r := range results {
					if r.Metric == "length" && r.Outcome != evaluators.OutcomeScored {
						t.Errorf("%s %s", r.Metric, r.Outcome)
					}
				}
				<-judged
				checkLaws(t, b.Status())
			})
		})
	}
}

// What waits expires on time, whatever the workers wait for, and Flush is told.
func TestWhatWaitsExpiresWhileNobodyTakesAnything(t *testing.T) {
	for name, tt := range map[string]struct {
		gate       string
		concurrent bool
		evaluators int
	}{
		"open breaker, sequential": {"open breaker", false, 1},
		"open breaker, concurrent": {"open breaker", true, 1},
		"pause":                    {"long pause", true, 1},
		"all of several":           {"long pause", false, 2},
		"stuck":                    {"", true, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const maxAge = 10 * time.Second
				first, second := judged()
				gates := map[string]*limit.Gate{}
				cfg := manager.Config{Concurrent: tt.concurrent, Workers: 4, MaxAge: maxAge, Gates: gates, Timeout: time.Millisecond}
				release := make(chan struct{})
				defer close(release)
				done := 0
				if tt.gate != "" {
					gates["judge"], gates["other"] = shut[tt.gate](t), shut[tt.gate](t)
				} else {
					first.answer = func(_ context.Context, _ *evaluators.Case, m evaluators.Metric) evaluators.Result {
						<-release
						return evaluators.Scored(m.Name, 1, "Good", "")
					}
				}
				b := newBundle(t, cfg, []*double{first, second}[:tt.evaluators]...)
				_ = b.Start()
				defer func() { _ = b.Shutdown(context.Background()) }()
				if tt.gate == "" {
					for !b.Status().Lanes[0].Halted {
						b.invoke("halts")
						done++
						time.Sleep(100 * time.Millisecond)
					}
				}
				began := time.Now()
				b.invoke("a")
				b.invoke("b")
				time.Sleep(3 * time.Second)
				b.as("h")
				time.Sleep(maxAge - 3*time.Second)
				if l := b.Status().Lanes[0]; l.Queued != 3 {
					t.Errorf("%d wait when the oldest is as old as may be, want 3", l.Queued)
				}
				if err := b.Flush(context.Background()); err != nil {
					t.Error(err)
				}
				if took := time.Since(began) - (maxAge + 3*time.Second); took < 0 || took > 20*time.Millisecond {
					t.Errorf("Flush returned %v after the last expired", took)
				}
				// The timer may rest in between; it comes back.
				time.Sleep(3 * maxAge / 2)
				b.invoke("c")
				began = time.Now()
				_ = b.Flush(context.Background())
				if took := time.Since(began) - maxAge; took < 0 || took > 20*time.Millisecond {
					t.Errorf("the next one expired %v late", took)
				}
				s := b.Status()
				checkLaws(t, s)
				if l := s.Lanes[0]; l.Dropped["expired"] != 4 || int(l.Done) != done {
					t.Errorf("the lane is %+v", l)
				}
				if got := b.drops(); !slices.Equal(got, slices.Repeat([]string{"expired"}, 4)) {
					t.Errorf("drops are %q", got)
				}
			})
		})
	}
}
