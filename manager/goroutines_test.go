package manager_test

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/manager"
)

// What is offered waits in the queue, as data: it has no goroutine.
func TestGoroutinesAreThoseOfTheWorkersWhateverIsOffered(t *testing.T) {
	t.Run("R18_ten_thousand_offered", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			const workers, atOnce, offered = 4, 2, 10_000
			free := make(chan struct{})
			slow := newDouble(func(_ context.Context, _ *evaluators.Case, m evaluators.Metric) evaluators.Result {
				<-free
				return evaluators.Scored(m.Name, 1, "Good", "")
			}, "a", "b")
			b := newBundle(t, manager.Config{Concurrent: true, Workers: workers, MaxConcurrent: atOnce}, slow).start(t)
			before := runtime.NumGoroutine()
			for range offered {
				b.invoke("x")
			}
			synctest.Wait()
			if n, most := runtime.NumGoroutine()-before, workers*atOnce+8; n > most {
				t.Errorf("%d goroutines more for %d invocations, want at most %d", n, offered, most)
			}
			if status := b.Status(); status.Lanes[0].Queued < offered-workers {
				t.Errorf("%d are queued of %d offered", status.Lanes[0].Queued, offered)
			}
			close(free)
			if err := b.Shutdown(context.Background()); err != nil {
				t.Error(err)
			}
		})
	})
}
