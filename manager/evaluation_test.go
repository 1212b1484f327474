package manager_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/manager"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/trace"
)

func TestEvaluatorsAreHeldToTheirContract(t *testing.T) {
	scored := func(score float64, label string) evaluators.Result {
		return evaluators.Scored("quality", score, label, "")
	}
	for name, tt := range map[string]struct {
		results []evaluators.Result
		want    string
	}{
		"scored":          {[]evaluators.Result{scored(0.25, "Good")}, "x quality scored Good"},
		"without a label": {[]evaluators.Result{scored(1, "")}, "x quality scored"},
		"nothing":         {nil, "x quality skipped not_reported"},
		"twice":           {[]evaluators.Result{scored(1, ""), scored(1, "")}, "x quality failed evaluator_bad_result"},
		"unannounced":     {[]evaluators.Result{evaluators.Scored("other", 1, "", "")}, "x quality failed evaluator_bad_result"},
		"beside another":  {[]evaluators.Result{evaluators.Scored("other", 1, "", ""), scored(1, "Good")}, "x quality scored Good"},
		"not a number":    {[]evaluators.Result{scored(math.NaN(), "")}, "x quality failed evaluator_bad_result"},
		"infinite":        {[]evaluators.Result{scored(math.Inf(1), "")}, "x quality failed evaluator_bad_result"},
		"above 1":         {[]evaluators.Result{scored(8, "")}, "x quality failed evaluator_bad_result"},
		"below 0":         {[]evaluators.Result{scored(-0.1, "")}, "x quality failed evaluator_bad_result"},
		"unknown label":   {[]evaluators.Result{scored(1, "gut")}, "x quality failed evaluator_bad_result"},
		"no outcome":      {[]evaluators.Result{{Metric: "quality", Score: 1}}, "x quality failed evaluator_bad_result"},
		"failed untyped":  {[]evaluators.Result{evaluators.Failed("quality", "", nil)}, "x quality failed evaluator_bad_result"},
		"skipped untold":  {[]evaluators.Result{evaluators.Skipped("quality", "", "")}, "x quality skipped not_reported"},
		"failed, scored too": {[]evaluators.Result{{
			Metric: "quality", Outcome: evaluators.OutcomeFailed, ErrorType: "own", Score: 1, Label: "Good",
		}}, "x quality failed own"},
	} {
		t.Run(name, func(t *testing.T) {
			d := &fixed{double: newDouble(nil, "quality"), results: tt.results}
			cfg := manager.Config{Assignments: []evaluators.Assignment{{Evaluator: d, Metrics: d.assignment().Metrics}}}
			b := newBundle(t, cfg).start(t)
			b.invoke("x")
			if err := b.Flush(context.Background()); err != nil {
				t.Fatal(err)
			}
			if got := b.outcomes(); !slices.Equal(got, []string{tt.want}) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if r := b.results()[0]; r.Outcome != evaluators.OutcomeScored && (r.Score != 0 || r.Label != "" || r.Passed) {
				t.Errorf("%s, and still carries score %v, label %q, passed %t", r.Outcome, r.Score, r.Label, r.Passed)
			}
			checkLaws(t, b.Status())
		})
	}
}

type fixed struct {
	*double
	results []evaluators.Result
}

func (f *fixed) Evaluate(context.Context, *evaluators.Case, []evaluators.Metric) []evaluators.Result {
	return f.results
}

func TestResultsSayWhoEvaluatedOnWhatTerms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDouble(func(_ context.Context, _ *evaluators.Case, m evaluators.Metric) evaluators.Result {
			time.Sleep(time.Second)
			r := evaluators.Scored(m.Name, 0.25, "Bad", "")
			r.LimitWait = 400 * time.Millisecond
			return r
		}, "quality")
		d.metrics[0].Direction = evaluators.LowerIsBetter
		b := newBundle(t, manager.Config{}, d).start(t)
		b.invoke("x")
		_ = b.Flush(context.Background())
		r := b.results()[0]
		if r.Evaluator != "double" || r.EvaluatorVersion != "v1" || r.EvaluatorType != evaluators.TypeDeterministic ||
			r.Threshold != 0.5 || r.Direction != evaluators.LowerIsBetter || !r.Passed {
			t.Errorf("result is %+v", r)
		}
		if r.Duration != 600*time.Millisecond {
			t.Errorf("duration is %v, want that without the wait", r.Duration)
		}
	})
}

func TestAMetricFailsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		d := newDouble(func(ctx context.Context, _ *evaluators.Case, m evaluators.Metric) evaluators.Result {
			switch m.Name {
			case "panics":
				panic("secret content")
			case "hangs":
				<-release
			case "late":
				<-ctx.Done()
				return evaluators.Failed(m.Name, "own_timeout", context.Cause(ctx))
			case "runtime_error":
				var none []int
				_ = none[len(m.Name)]
			}
			return evaluators.Scored(m.Name, 1, "Good", "")
		}, "panics", "hangs", "late", "runtime_error", "works")
		for _, concurrent := range []bool{false, true} {
			b := newBundle(t, manager.Config{Concurrent: concurrent, Timeout: time.Second}, d)
			_ = b.Start()
			b.invoke("x")
			_ = b.Flush(context.Background())
			want := []string{
				"x hangs failed evaluator_timeout", "x late failed own_timeout", "x panics failed evaluator_panic",
				"x runtime_error failed evaluator_panic", "x works scored Good",
			}
			if got := b.outcomes(); !slices.Equal(got, want) {
				t.Errorf("concurrent %t: results are %q, want %q", concurrent, got, want)
			}
			s := b.Status()
			checkLaws(t, s)
			if s.Panics != 2 || s.Lanes[0].Stuck != 1 {
				t.Errorf("%d panics and %d stuck counted, want 2 and 1", s.Panics, s.Lanes[0].Stuck)
			}
			for _, m := range s.Lanes[0].Evaluators[0].Metrics {
				if m.Name == "panics" && (m.LastError != "panic: string" || m.LastErrorAt.IsZero()) {
					t.Errorf("the last error is %q at %v; it must not quote the panic", m.LastError, m.LastErrorAt)
				}
			}
			_ = b.Shutdown(context.Background())
		}
	})
}

// An evaluator that ignores its deadline costs the lane a goroutine; when it
// has cost enough, the lane waits for one to come back.
func TestALaneStopsTakingWhenTooManyAreStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		d := newDouble(func(_ context.Context, _ *evaluators.Case, m evaluators.Metric) evaluators.Result {
			<-release
			return evaluators.Scored(m.Name, 1, "Good", "")
		}, "quality")
		b := newBundle(t, manager.Config{Concurrent: true, Workers: 2, MaxConcurrent: 1, Timeout: time.Second}, d).start(t)
		for i := range 30 {
			b.invoke(fmt.Sprintf("%02d", i))
		}
		time.Sleep(time.Minute)
		s := b.Status().Lanes[0]
		// The other worker may have been on its way when the limit was reached.
		if s.Stuck < s.StuckLimit || s.Stuck > s.StuckLimit+1 || s.Done != uint64(s.Stuck) || s.Queued != 30-s.Stuck {
			t.Errorf("after a minute: %+v, want as many done and stuck as the limit", s)
		}
		givenUp := s.Stuck
		close(release)
		_ = b.Flush(context.Background())
		synctest.Wait()
		s = b.Status().Lanes[0]
		if s.Stuck != 0 || s.Done != 30 {
			t.Errorf("after they came back: %+v", s)
		}
		scored := 0
		for _, r := range b.results() {
			if r.Outcome == evaluators.OutcomeScored {
				scored++
			}
		}
		if scored != 30-givenUp {
			t.Errorf("%d scored, want those not given up: %d", scored, 30-givenUp)
		}
	})
}

func TestTheShortestTimeoutOfAGroupCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDouble(good(time.Hour), "quality")
		d.metrics[0].Timeout = 3 * time.Second
		d.typ = evaluators.TypeLLMJudge
		d.answer = func(ctx context.Context, _ *evaluators.Case, m evaluators.Metric) evaluators.Result {
			time.Sleep(time.Hour)
			return evaluators.Scored(m.Name, 1, "Good", "")
		}
		b := newBundle(t, manager.Config{Timeout: time.Minute}, d).start(t)
		began := time.Now()
		b.invoke("x")
		_ = b.Flush(context.Background())
		if took := time.Since(began); took < 3*time.Second || took > 3*time.Second+100*time.Millisecond {
			t.Errorf("the worker was released after %v, want 3 s", took)
		}
		if got := b.outcomes(); !slices.Equal(got, []string{"x quality failed judge_timeout"}) {
			t.Errorf("got %q", got)
		}
		time.Sleep(time.Hour)
	})
}

func TestTheApplicationsFunctionsCannotHarmEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := manager.Config{
			QueueSize:      1,
			ResultHandlers: []manager.ResultHandler{func(*instrumentation.Invocation, []evaluators.Result) { panic("x") }},
			DropHandlers:   []manager.DropHandler{func(manager.Drop) { panic("x") }},
		}
		b := newBundle(t, cfg, newDouble(good(0), "quality"))
		b.invoke("a")
		b.invoke("b") // dropped
		b.start(t)
		_ = b.Flush(context.Background())
		if len(b.results()) != 1 || len(b.drops()) != 1 {
			t.Errorf("the other handlers got %d results and %d drops, want 1 of each", len(b.results()), len(b.drops()))
		}
		if s := b.Status(); s.Panics != 2 {
			t.Errorf("%d panics counted, want 2", s.Panics)
		}
		if n := b.log.matching("panicked"); n != 2 {
			t.Errorf("%d places were named, want 2: %q", n, b.log.lines)
		}
	})
}

func TestRedactorSeesACaseOnceBeforeAnybodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		redacted := 0
		first, second := newDouble(nil, "a"), newDouble(nil, "b")
		second.name = "second"
		echo := func(_ context.Context, c *evaluators.Case, m evaluators.Metric) evaluators.Result {
			return evaluators.Scored(m.Name, 1, "Good", c.Output)
		}
		first.answer, second.answer = echo, echo
		cfg := manager.Config{Concurrent: true, Redactor: func(c *evaluators.Case) {
			redacted++
			if c.Output == "panic" {
				panic("x")
			}
			c.Output = "[redacted]"
		}}
		b := newBundle(t, cfg, first, second).start(t)
		b.invoke("secret")
		_ = b.Flush(context.Background())
		for _, r := range b.results() {
			if r.Explanation != "[redacted]" {
				t.Errorf("%s saw %q", r.Metric, r.Explanation)
			}
		}
		if redacted != 1 {
			t.Errorf("the redactor ran %d times for one case", redacted)
		}
		b.invoke("panic")
		_ = b.Flush(context.Background())
		want := []string{"panic a failed evaluator_panic", "panic b failed evaluator_panic", "secret a scored Good", "secret b scored Good"}
		if got := b.outcomes(); !slices.Equal(got, want) {
			t.Errorf("results are %q, want %q: nothing may leave unredacted", got, want)
		}
	})
}

func TestEvaluationsRunSuppressedInTheInvocationsTraceWithItsBaggageButNotItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got context.Context
		d := newDouble(func(ctx context.Context, _ *evaluators.Case, m evaluators.Metric) evaluators.Result {
			got = ctx
			return evaluators.Scored(m.Name, 1, "Good", "")
		}, "quality")
		b := newBundle(t, manager.Config{}, d).start(t)
		member, _ := baggage.NewMember("tenant", "blue")
		bag, _ := baggage.New(member)
		ctx, cancel := context.WithCancel(baggage.ContextWithBaggage(inTrace(7, true), bag))
		b.invokeIn(ctx, "x")
		cancel()
		_ = b.Flush(context.Background())
		if len(b.results()) != 1 || b.results()[0].Outcome != evaluators.OutcomeScored {
			t.Fatalf("a cancelled request lost its result: %v", b.outcomes())
		}
		if !instrumentation.Suppressed(got) {
			t.Error("the evaluation's context is not suppressed")
		}
		if trace.SpanContextFromContext(got).TraceID() != trace.SpanContextFromContext(ctx).TraceID() {
			t.Error("the evaluation's context is not in the invocation's trace")
		}
		if baggage.FromContext(got).Member("tenant").Value() != "blue" {
			t.Error("the evaluation's context lacks the baggage")
		}
		if _, ok := got.Deadline(); !ok {
			t.Error("the evaluation's context has no deadline")
		}
	})
}

func TestResultsOfAnOutputThatWasCutShortSaySo(t *testing.T) {
	t.Run("E09_cut_short", func(t *testing.T) {
		b := newBundle(t, manager.Config{}, newDouble(good(0), "quality")).start(t)
		for _, finish := range []string{"stop", "length"} {
			_, inv := b.handler.StartInference(context.Background(), instrumentation.Inference{})
			inv.SetOutput(instrumentation.Message{Parts: []instrumentation.Part{instrumentation.Text(finish)}, FinishReason: finish})
			inv.End()
		}
		_ = b.Flush(context.Background())
		for i, r := range b.results() {
			said := fmt.Sprint(r.Attributes)
			if want := i == 1; strings.Contains(said, "genaievals.output.truncated") != want {
				t.Errorf("result %d has attributes %s; truncated: %t", i, said, want)
			}
		}
	})
}

func TestMissingFieldsSkipWithoutAsking(t *testing.T) {
	d := newDouble(good(0), "output", "documents")
	d.metrics[1].Needs = evaluators.NeedOutput | evaluators.NeedDocuments
	b := newBundle(t, manager.Config{}, d).start(t)
	b.invoke("\u00a0\u200b")
	b.invoke("x")
	_ = b.Flush(context.Background())
	want := []string{
		"\u00a0\u200b documents skipped empty_output", "\u00a0\u200b output skipped empty_output",
		"x documents skipped no_documents", "x output scored Good",
	}
	got := b.outcomes()
	slices.Sort(want)
	for i := range got {
		if i >= len(want) || len(got) != len(want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
	if !slices.Equal(d.asked, []string{"x/output"}) {
		t.Errorf("asked %q, want x/output only", d.asked)
	}
}

func TestEvaluateNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		none := 0.0
		d := newDouble(good(time.Second), "a", "b")
		b := newBundle(t, manager.Config{SampleRate: &none}, d).start(t)
		inv := b.invoke("x")
		results, err := b.EvaluateNow(context.Background(), inv)
		if err != nil || len(results) != 2 || results[0].Outcome != evaluators.OutcomeScored {
			t.Errorf("got %v, %v", results, err)
		}
		if b.batches() != 2 {
			t.Errorf("%d batches were published, want 2", b.batches())
		}
		ctx, cancel := context.WithTimeout(context.Background(), 1500*time.Millisecond)
		defer cancel()
		results, err = b.EvaluateNow(ctx, inv)
		if err != nil || len(results) != 2 || results[0].Outcome != evaluators.OutcomeScored || results[1].Outcome != evaluators.OutcomeFailed {
			t.Errorf("with 1.5 s for 2 s of work got %v, %v", results, err)
		}
		gone, cancel := context.WithCancel(context.Background())
		cancel()
		results, err = b.EvaluateNow(gone, inv)
		if err != nil || len(results) != 2 || results[1].ErrorType != evaluators.ErrorCancelled {
			t.Errorf("for a caller that is gone: %v, %v", results, err)
		}
		_, running := b.handler.StartInference(context.Background(), instrumentation.Inference{})
		if _, err := b.EvaluateNow(context.Background(), running); err == nil {
			t.Error("an invocation that has not ended was evaluated")
		}
		if _, err := b.EvaluateNow(context.Background(), nil); err == nil {
			t.Error("nil was evaluated")
		}
		suppressed := b.invokeIn(instrumentation.WithoutEvaluation(context.Background()), "x")
		if results, err := b.EvaluateNow(context.Background(), suppressed); err != nil || len(results) != 0 {
			t.Errorf("a suppressed invocation gave %v, %v", results, err)
		}
		checkLaws(t, b.Status())
		_ = b.Shutdown(context.Background())
		if _, err := b.EvaluateNow(context.Background(), inv); !errors.Is(err, manager.ErrShutdown) {
			t.Errorf("after shutdown the error is %v", err)
		}
	})
}
