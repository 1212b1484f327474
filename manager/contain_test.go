package manager_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/emit"
	"github.com/genaievals/genaievals/manager"
	sdklog "go.opentelemetry.io/otel/sdk/log"
)

// typedError has a method that a nil of it cannot answer.
type typedError struct{ text string }

func (e *typedError) Error() string { return e.text }

// fickleError panics from the second time on.
type fickleError struct{ asked *int }

func (e fickleError) Error() string {
	if *e.asked++; *e.asked > 1 {
		panic("asked again")
	}
	return "once"
}

// nested panics with something that panics when it is printed.
type nested struct{ error }

func (nested) RuntimeError() {}

// The errors of evaluators are asked for their text once, where that can do no
// harm, in a lane and for EvaluateNow.
func TestErrorsThatPanicFailTheirMetricOnly(t *testing.T) {
	for name, tt := range map[string]struct {
		err  func() error
		text string
	}{
		"none":       {func() error { return nil }, ""},
		"sound":      {func() error { return &typedError{"no route"} }, "no route"},
		"typed nil":  {func() error { return (*typedError)(nil) }, "an error that panicked when asked for its text: runtime error: invalid memory address or nil pointer dereference"},
		"wrapped":    {func() error { return fmt.Errorf("asking: %w", &typedError{"no route"}) }, "asking: no route"},
		"joined nil": {func() error { return errors.Join(errors.New("a"), (*typedError)(nil)) }, "an error that panicked when asked for its text: runtime error: invalid memory address or nil pointer dereference"},
		"fickle":     {func() error { return fickleError{new(int)} }, "once"},
		"nested":     {func() error { return nested{} }, "an error that panicked when asked for its text: runtime error: invalid memory address or nil pointer dereference"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDouble(func(_ context.Context, _ *evaluators.Case, m evaluators.Metric) evaluators.Result {
				return evaluators.Failed(m.Name, "own", tt.err())
			}, "quality")
			emitter, err := emit.New(emit.Config{Explanation: true, LoggerProvider: sdklog.NewLoggerProvider()})
			if err != nil {
				t.Fatal(err)
			}
			b := newBundle(t, manager.Config{Emitter: emitter}, d).start(t)
			inv := b.invoke("x")
			_ = b.Flush(context.Background())
			if _, err := b.EvaluateNow(context.Background(), inv); err != nil {
				t.Error(err)
			}
			for _, r := range b.results() {
				if r.ErrorType != "own" || tt.text == "" && r.Err != nil || tt.text != "" && r.Err.Error() != tt.text {
					t.Errorf("failed as %s: %v", r.ErrorType, r.Err)
				}
			}
			if len(b.results()) != 2 {
				t.Errorf("%d results, want 2", len(b.results()))
			}
			if got := b.Status().Lanes[0].Evaluators[0].Metrics[0].LastError; tt.text != "" && got != tt.text {
				t.Errorf("the last error is %q", got)
			}
			checkLaws(t, b.Status())
		})
	}
}

func TestWhatIsBehindAPlainErrorCanBeFound(t *testing.T) {
	d := newDouble(func(_ context.Context, _ *evaluators.Case, m evaluators.Metric) evaluators.Result {
		return evaluators.Failed(m.Name, "own", fmt.Errorf("asking: %w", &typedError{"no route"}))
	}, "quality")
	b := newBundle(t, manager.Config{}, d).start(t)
	b.invoke("x")
	_ = b.Flush(context.Background())
	if own := new(typedError); !errors.As(b.results()[0].Err, &own) || own.text != "no route" {
		t.Errorf("the error is %#v", b.results()[0].Err)
	}
}

// The cause for which a caller gives up is an error of the application's too.
func TestCausesThatPanicHarmNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBundle(t, manager.Config{}, newDouble(good(time.Hour), "quality")).start(t)
		for _, cause := range []error{(*typedError)(nil), &typedError{"enough"}} {
			ctx, cancel := context.WithCancelCause(context.Background())
			time.AfterFunc(time.Second, func() { cancel(cause) })
			results, err := b.EvaluateNow(ctx, b.invokeIn(inTrace(1, false), "x")) // not in the queue
			if err != nil || len(results) != 1 || results[0].Outcome != evaluators.OutcomeFailed {
				t.Errorf("got %v, %v", results, err)
			}
		}
	})
}

// faultyLog is a log handler that panics, or ends its goroutine, at every
// record.
type faultyLog struct {
	slog.Handler
	fail func()
}

func (f faultyLog) Handle(context.Context, slog.Record) error { f.fail(); return nil }
func (f faultyLog) WithAttrs([]slog.Attr) slog.Handler        { return f }

// Whatever is logged: drops by the reporter, panics by whoever contains them.
func TestALogHandlerThatFailsHarmsNobody(t *testing.T) {
	for name, fail := range map[string]func(){"panics": func() { panic("the log") }, "ends its goroutine": runtime.Goexit} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newLoggedBundle(t, slog.New(faultyLog{slog.NewTextHandler(&bytes.Buffer{}, nil), fail}), manager.Config{
					QueueSize: 1, Redactor: func(c *evaluators.Case) {
						if c.Output == "b" {
							panic("x")
						}
					},
					ResultHandlers: []manager.ResultHandler{func(*instrumentation.Invocation, []evaluators.Result) { panic("x") }},
				}, newDouble(good(time.Second), "quality"))
				b.start(t)
				for range 3 {
					for _, output := range []string{"a", "b", "c"} {
						b.invoke(output)
						synctest.Wait()
					}
					_ = b.Flush(context.Background())
					time.Sleep(2 * time.Minute)
				}
				if got := len(b.results()); got != 6 {
					t.Errorf("%d results, want 6", got)
				}
				ctx, cancel := context.WithTimeout(context.Background(), time.Second)
				defer cancel()
				if err := b.Shutdown(ctx); err != nil {
					t.Error(err)
				}
				checkLaws(t, b.Status())
			})
		})
	}
}

// runtime.Goexit, which t.FailNow calls, cannot be stopped. Whoever is ended by
// it takes nothing along.
func TestCodeThatEndsItsGoroutineTakesNothingAlong(t *testing.T) {
	exit := func(when string) func(string) {
		return func(output string) {
			if output == when {
				runtime.Goexit()
			}
		}
	}
	never := exit("never")
	for name, tt := range map[string]struct {
		evaluator, redactor, handler, drops func(output string)
		want                                []string
	}{
		"the evaluator": {evaluator: exit("b"), want: []string{"a quality scored Good", "b quality failed evaluator_panic", "c quality scored Good"}},
		"the redactor":  {redactor: exit("b"), want: []string{"a quality scored Good", "b quality failed evaluator_panic", "c quality scored Good"}},
		"a handler":     {handler: exit("b"), want: []string{"a quality scored Good", "b quality scored Good", "c quality scored Good"}},
		// An expired one is dropped by a worker.
		"a drop handler": {drops: exit("old"), want: []string{"a quality scored Good", "b quality scored Good", "c quality scored Good"}},
	} {
		for _, concurrent := range []bool{false, true} {
			for _, aggregate := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s concurrent=%t aggregate=%t", name, concurrent, aggregate), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						or := func(f func(string)) func(string) {
							if f == nil {
								return never
							}
							return f
						}
						d := newDouble(func(_ context.Context, c *evaluators.Case, m evaluators.Metric) evaluators.Result {
							or(tt.evaluator)(c.Output)
							return evaluators.Scored(m.Name, 1, "Good", "")
						}, "quality")
						output := func(inv *instrumentation.Invocation) string { return inv.Output()[0].Parts[0].Content }
						b := newBundle(t, manager.Config{
							Concurrent: concurrent, Workers: 2, MaxAge: time.Hour, Aggregate: aggregate, MaxInFlight: 2,
							Redactor:       func(c *evaluators.Case) { or(tt.redactor)(c.Output) },
							ResultHandlers: []manager.ResultHandler{func(inv *instrumentation.Invocation, _ []evaluators.Result) { or(tt.handler)(output(inv)) }},
							DropHandlers:   []manager.DropHandler{func(d manager.Drop) { or(tt.drops)(output(d.Invocation)) }},
						}, d)
						b.invoke("old")
						time.Sleep(2 * time.Hour)
						for _, output := range []string{"a", "b", "c"} {
							b.invoke(output)
						}
						b.start(t)
						ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
						defer cancel()
						if err := b.Flush(ctx); err != nil {
							t.Fatal(err)
						}
						if got := b.outcomes(); !slices.Equal(got, tt.want) {
							t.Errorf("results are %q, want %q", got, tt.want)
						}
						if got := b.drops(); !slices.Equal(got, []string{"expired"}) {
							t.Errorf("drops are %q", got)
						}
						synctest.Wait() // a worker that found nothing to take gives its slot back
						s := b.Status()
						checkLaws(t, s)
						want := map[bool]int{false: 1, true: 2}[concurrent]
						if l := s.Lanes[0]; l.Workers != want || l.InFlight != 0 || l.Stuck != 0 || s.Slots.Taken != 0 {
							t.Errorf("the lane is %+v with slots %+v", l, s.Slots)
						}
						if s.Panics != 1 {
							t.Errorf("%d counted, want 1", s.Panics)
						}
						if err := b.Shutdown(ctx); err != nil {
							t.Error(err)
						}
					})
				})
			}
		}
	}
}

// A handler holds nothing that an evaluation needs.
func TestAResultHandlerMayEvaluateNow(t *testing.T) {
	for name, cfg := range map[string]manager.Config{
		"sequential":                       {MaxInFlight: 1},
		"sequential, aggregated":           {MaxInFlight: 1, Aggregate: true},
		"concurrent with one slot":         {Concurrent: true, Workers: 1, MaxConcurrent: 1, MaxInFlight: 1},
		"concurrent, one slot, aggregated": {Concurrent: true, Workers: 1, MaxConcurrent: 1, MaxInFlight: 1, Aggregate: true},
		"concurrent with one slot for two": {Concurrent: true, Workers: 2, MaxConcurrent: 2, MaxInFlight: 1},
	} {
		for _, output := range []string{"x", "\u00a0"} { // evaluated, and skipped without being asked
			t.Run(name+" "+strings.TrimSpace(output), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var b *bundle
					var again atomic.Int64
					cfg.ResultHandlers = []manager.ResultHandler{func(inv *instrumentation.Invocation, _ []evaluators.Result) {
						if again.Add(1) > 1 {
							return
						}
						results, err := b.EvaluateNow(context.Background(), inv)
						if err != nil || len(results) != 2 {
							t.Errorf("evaluating now: %v, %v", results, err)
						}
					}}
					b = newBundle(t, cfg, newDouble(good(time.Second), "a", "b"))
					b.start(t)
					b.invoke(output)
					ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
					defer cancel()
					if err := b.Flush(ctx); err != nil {
						t.Fatal(err)
					}
					if len(b.results()) != 4 {
						t.Errorf("%d results, want 4", len(b.results()))
					}
				})
			})
		}
	}
}
