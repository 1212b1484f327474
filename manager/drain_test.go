package manager_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/manager"
)

// A call of EvaluateNow is work like what waits: it has the drain time.
func TestShutdownWaitsForEvaluateNow(t *testing.T) {
	for name, tt := range map[string]struct {
		started       bool
		takes         time.Duration
		drain         time.Duration
		want          evaluators.Outcome
		returns       time.Duration
		cutShort      bool
		wantErrorType string
	}{
		"that ends in time":                      {true, 2 * time.Second, 5 * time.Second, evaluators.OutcomeScored, 2 * time.Second, false, ""},
		"before Start":                           {false, 2 * time.Second, 5 * time.Second, evaluators.OutcomeScored, 2 * time.Second, false, ""},
		"and cancels what does not":              {true, time.Minute, 5 * time.Second, evaluators.OutcomeFailed, 5 * time.Second, true, evaluators.ErrorEvaluatorTimeout},
		"and cancels what does not, at once too": {true, time.Minute, time.Nanosecond, evaluators.OutcomeFailed, 0, true, evaluators.ErrorEvaluatorTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBundle(t, manager.Config{}, newDouble(good(tt.takes), "quality"))
				if tt.started {
					_ = b.Start()
				}
				inv := b.invokeIn(inTrace(1, false), "x") // not in the queue
				began := time.Now()
				var results []evaluators.Result
				var err error
				done := make(chan struct{})
				go func() {
					results, err = b.EvaluateNow(context.Background(), inv)
					close(done)
				}()
				synctest.Wait()
				ctx, cancel := context.WithTimeout(context.Background(), tt.drain)
				defer cancel()
				shut := b.Shutdown(ctx)
				if took := time.Since(began); took < tt.returns || took > tt.returns+100*time.Millisecond {
					t.Errorf("returned after %v, want %v", took, tt.returns)
				}
				if errors.Is(shut, context.DeadlineExceeded) != tt.cutShort {
					t.Errorf("the error is %v", shut)
				}
				<-done
				if err != nil || len(results) != 1 || results[0].Outcome != tt.want || results[0].ErrorType != tt.wantErrorType {
					t.Errorf("got %v, %v", results, err)
				}
				if _, err := b.EvaluateNow(context.Background(), inv); !errors.Is(err, manager.ErrShutdown) {
					t.Errorf("after shutdown the error is %v", err)
				}
				checkLaws(t, b.Status())
			})
		})
	}
}
