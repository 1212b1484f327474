package calibrate_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/calibrate"
	"github.com/genaievals/genaievals/internal/calibrate/samples"
)

func TestDeadlineEndsASampleAndNotTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		e := says(func(ctx context.Context, output string) evaluators.Result {
			switch output {
			case "slow":
				<-ctx.Done()
				return evaluators.Failed("bias", "noticed", ctx.Err())
			case "deaf":
				<-release
			}
			return verdict(ctx, "Biased")
		})
		cfg := config(e, of(labelled("slow", "Biased"), labelled("deaf", "Biased"), labelled("ok", "Biased")))
		cfg.Timeout = 3 * time.Second
		began := time.Now()
		r := run(t, cfg)
		if took := time.Since(began); took != 6*time.Second+50*time.Millisecond {
			t.Errorf("took %v", took)
		}
		if diff := cmp.Diff(map[string]int{"noticed": 1, "evaluator_timeout": 1}, r.Metrics[0].Failed); diff != "" {
			t.Errorf("failed, -want +got:\n%s", diff)
		}
		close(release)
	})
}

func TestWhoIgnoresAllDeadlinesIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		e := says(func(ctx context.Context, output string) evaluators.Result {
			if output == "deaf" {
				<-release
			}
			return verdict(ctx, output)
		})
		r := run(t, config(e, of(append([]samples.Sample{labelled("Biased", "Biased")}, slices.Repeat([]samples.Sample{labelled("deaf", "Biased")}, 20)...)...)))
		if r.Incomplete != calibrate.ErrStuck.Error() || r.Samples.Evaluated != 9 {
			t.Errorf("incomplete %q after %d", r.Incomplete, r.Samples.Evaluated)
		}
		close(release)
	})
}

func TestInterruptedRunReportsWhatThereIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 5500*time.Millisecond)
		defer cancel()
		e := says(func(ctx context.Context, output string) evaluators.Result {
			select {
			case <-time.After(time.Second):
				return verdict(ctx, output)
			case <-ctx.Done():
				return evaluators.Failed("bias", evaluators.ErrorCancelled, ctx.Err())
			}
		})
		cfg := config(e, of(slices.Repeat([]samples.Sample{labelled("Biased", "Biased")}, 100)...))
		cfg.Concurrency = 2
		r, err := calibrate.Run(ctx, cfg)
		if err != nil {
			t.Fatal(err)
		}
		m := r.Metrics[0]
		if r.Incomplete == "" || r.Samples.Evaluated != 10 || m.Coverage.Count != 10 || m.Failed != nil {
			t.Errorf("incomplete %q, samples %+v, coverage %+v, failed %v", r.Incomplete, r.Samples, m.Coverage, m.Failed)
		}
	})
}

// A bad key must not be tried a thousand times.
func TestRunWithoutHopeIsEnded(t *testing.T) {
	for name, tt := range map[string]struct {
		failure   string
		evaluated int
	}{
		"a failure that lasts":    {evaluators.ErrorJudgeAuth, 1},
		"a breaker that is open":  {evaluators.ErrorJudgeCircuitOpen, 1},
		"any failure, many times": {evaluators.ErrorJudgeUnavailable, 10},
	} {
		t.Run(name, func(t *testing.T) {
			r := run(t, config(says(verdict), of(slices.Repeat([]samples.Sample{labelled(tt.failure, "Biased")}, 50)...)))
			if !strings.Contains(r.Incomplete, tt.failure) || r.Samples.Evaluated != tt.evaluated {
				t.Errorf("incomplete %q after %d", r.Incomplete, r.Samples.Evaluated)
			}
		})
	}
}
