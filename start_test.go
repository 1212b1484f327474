package genaievals_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/instrumentation/genaihttp"
	"github.com/genaievals/genaievals/manager"
)

// logged is a logger that remembers.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) option() genaievals.Option {
	return genaievals.WithLogger(slog.New(slog.NewTextHandler(l, nil)))
}

// lines returns those of that level.
func (l *logged) lines(level string) (lines []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.text.String()) {
		if strings.Contains(line, "level="+level) {
			lines = append(lines, line)
		}
	}
	return lines
}

// What cannot run disables itself with one clear warning, and the application
// goes on.
func TestStartSurvivesWhatIsWrongInTheEnvironment(t *testing.T) {
	for name, tt := range map[string]struct {
		env   map[string]string
		off   string   // part of why nothing is evaluated; empty: something is
		warns []string // parts that the only warning, or error, must have
		quiet bool     // no warning
	}{
		"nothing set": {quiet: true},
		"switched off by the SDK's variable": {
			env: map[string]string{"OTEL_SDK_DISABLED": "true"}, off: "OTEL_SDK_DISABLED", quiet: true,
		},
		"evaluators none": {env: map[string]string{"EVALUATORS": "none"}, off: "EVALUATORS", quiet: true},
		"evaluators off":  {env: map[string]string{"EVALUATORS": " OFF "}, off: "EVALUATORS", quiet: true},
		"a bad variable": {
			env: map[string]string{"WORKERS": "many"}, warns: []string{"WORKERS", "many", "4"},
		},
		"an unknown variable": {
			env: map[string]string{"WROKERS": "8"}, warns: []string{"WROKERS", "WORKERS"},
		},
		"a judge without a key": {
			env: map[string]string{"JUDGE_MODEL": "gpt-4o-mini"}, off: "JUDGE_API_KEY", warns: []string{"JUDGE_API_KEY"},
		},
		"a judge without a model": {
			env: map[string]string{"JUDGE_BASE_URL": "http://127.0.0.1:1"}, off: "JUDGE_MODEL", warns: []string{"JUDGE_MODEL"},
		},
		"a judge beside builtin": {
			env: map[string]string{"EVALUATORS": "builtin,judge"}, warns: []string{"the judge is off", "JUDGE_MODEL"},
		},
		"an unknown evaluator beside builtin": {
			env: map[string]string{"EVALUATORS": "ragas,builtin"}, warns: []string{"ragas", "builtin"},
		},
		"only an unknown evaluator": {env: map[string]string{"EVALUATORS": "builtin(colour)"}, off: "no metric"},
		"a judge that is not there": {
			env:   map[string]string{"EVALUATORS": "builtin(sentiment,toxicity(judge=fast))"},
			warns: []string{"toxicity", "fast"},
		},
		"a rate for nobody": {env: map[string]string{"RATE_LIMIT": "mine=5/sec"}, warns: []string{"RATE_LIMIT", "mine"}},
	} {
		t.Run(name, func(t *testing.T) {
			setenv(t, tt.env)
			var log logged
			evals, err := genaievals.Start(context.Background(), genaievals.WithHandler(instrumentation.NewHandler()), log.option())
			if err != nil {
				t.Fatal(err)
			}
			defer evals.Shutdown(context.Background())
			if tt.off == "" && evals.Off() != "" || !strings.Contains(evals.Off(), tt.off) {
				t.Errorf("off because %q, want %q", evals.Off(), tt.off)
			}
			said := append(log.lines("WARN"), log.lines("ERROR")...)
			if tt.quiet && len(said) > 0 {
				t.Errorf("said %q", said)
			}
			if len(tt.warns) > 0 {
				if len(said) != 1 {
					t.Fatalf("said %q, want one line", said)
				}
				for _, part := range tt.warns {
					if !strings.Contains(said[0], part) {
						t.Errorf("said %q, which lacks %q", said[0], part)
					}
				}
			}
			// The application goes on either way.
			_, inv := evals.Handler().StartInference(context.Background(), instrumentation.Inference{})
			inv.SetOutput(instrumentation.AssistantMessage("Thank you!"))
			inv.End()
			flush(t, evals)
		})
	}
}

func TestABadPlanIsOneErrorWithItsPosition(t *testing.T) {
	for plan, position := range map[string]string{
		"builtin(sentiment":                      "column 8",
		"builtin(sentiment(colour=red))":         "column 19",
		"builtin(inference(toxicity(strict=2)))": "column 28",
	} {
		t.Run(plan, func(t *testing.T) {
			setenv(t, map[string]string{"EVALUATORS": plan})
			var log logged
			evals, err := genaievals.Start(context.Background(), log.option())
			if err != nil || evals.Off() == "" {
				t.Errorf("Start gave %v, off %q", err, evals.Off())
			}
			said := append(log.lines("ERROR"), log.lines("WARN")...)
			if len(said) != 1 || !strings.Contains(said[0], position) {
				t.Errorf("the errors are %q, want one with %s", said, position)
			}
		})
	}
}

// A limit that cannot be read, or not be kept, turns the judge off: unlimited
// is never a fallback.
func TestALimitThatCannotBeKeptTurnsTheJudgeOff(t *testing.T) {
	for _, tt := range []struct{ variable, value, why string }{
		{"RATE_LIMIT", "60 per minute", "RATE_LIMIT"},
		{"TOKEN_LIMIT", "90000", "TOKEN_LIMIT"},
		{"TOKEN_LIMIT", "strict:90000/min", "TOKEN_LIMIT"},
		{"BUDGET", "5/day", "BUDGET"},
		{"BUDGET", "5usd/day", "JUDGE_PRICE"},
		{"JUDGE_RATE_LIMIT", "60", "JUDGE_RATE_LIMIT"},
		{"JUDGE_TOKEN_LIMIT", "60", "JUDGE_TOKEN_LIMIT"},
		{"JUDGE_BUDGET", "none at all", "JUDGE_BUDGET"},
	} {
		t.Run(tt.variable+"="+tt.value, func(t *testing.T) {
			judge := judgetest.NewServer()
			t.Cleanup(judge.Close)
			setenv(t, map[string]string{"JUDGE_BASE_URL": judge.URL, "JUDGE_MODEL": "m", tt.variable: tt.value})
			var log logged
			handler := instrumentation.NewHandler()
			evals, err := genaievals.Start(context.Background(), genaievals.WithHandler(handler), log.option())
			if err != nil {
				t.Fatal(err)
			}
			defer evals.Shutdown(context.Background())
			client := &http.Client{Transport: genaihttp.NewTransport(nil, genaihttp.WithHandler(handler))}
			chat(context.Background(), t, client, modelServer(t, "Within 30 days."), false)
			flush(t, evals)
			if judge.Count() != 0 || !strings.Contains(evals.Off(), tt.why) {
				t.Errorf("the judge was asked %d times; off because %q", judge.Count(), evals.Off())
			}
		})
	}
}

func TestARateThatCannotBeReadTurnsOwnEvaluatorsOff(t *testing.T) {
	setenv(t, map[string]string{"RATE_LIMIT": "mine=rubbish"})
	asked := 0
	mine := evaluators.Func("mine", evaluators.Metric{Name: "m"}, func(context.Context, *evaluators.Case) evaluators.Result {
		asked++
		return evaluators.Scored("m", 1, "", "")
	})
	var log logged
	evals, err := genaievals.Start(context.Background(), genaievals.WithEvaluator(mine), log.option(),
		genaievals.WithHandler(instrumentation.NewHandler()))
	if err != nil {
		t.Fatal(err)
	}
	defer evals.Shutdown(context.Background())
	_, inv := evals.Handler().StartInference(context.Background(), instrumentation.Inference{})
	inv.SetOutput(instrumentation.AssistantMessage("Thank you!"))
	inv.End()
	flush(t, evals)
	if asked != 0 || len(evals.Status().Lanes[0].Evaluators) != 1 {
		t.Errorf("asked %d times; running: %+v", asked, evals.Status().Lanes[0].Evaluators)
	}
	if said := strings.Join(log.lines("WARN"), ""); !strings.Contains(said, "RATE_LIMIT") || !strings.Contains(said, "own evaluators are off") {
		t.Errorf("said %q", said)
	}
}

// A judge that the application passes itself, without a gate, is limited like
// the one that Start makes.
func TestAnOwnJudgeIsLimitedByTheJudgesRate(t *testing.T) {
	for _, rate := range []string{"2/sec", "judge=2/sec", "deepeval=2/sec"} {
		own, err := judge.New(judgetest.NewJudge())
		if err != nil {
			t.Fatal(err)
		}
		evals := startWith(t, genaievals.WithEvaluator(own), genaievals.WithEvaluators("judge"), genaievals.WithRateLimit(rate))
		if gate := evals.Status().Lanes[0].Evaluators[0].Gate; gate == nil || gate.Rate.PerSecond != 2 {
			t.Errorf("with %s the gate is %+v", rate, gate)
		}
		_ = evals.Shutdown(context.Background())
	}
}

func TestASecondStartReturnsTheRunningOneAndAfterShutdownANewOne(t *testing.T) {
	first := startWith(t, genaievals.WithEvaluators("builtin"))
	var log logged
	second, err := genaievals.Start(context.Background(), log.option())
	if err != nil || second != first {
		t.Errorf("the second Start gave %p, %v, want the running %p", second, err, first)
	}
	if n := len(log.lines("WARN")); n != 1 {
		t.Errorf("%d warnings, want 1", n)
	}
	if err := first.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := first.Shutdown(context.Background()); err != nil {
		t.Errorf("a second Shutdown: %v", err)
	}
	third := startWith(t, genaievals.WithEvaluators("builtin"))
	if third == first || third.Off() != "" {
		t.Error("Start after Shutdown did not begin anew")
	}
	_, inv := third.Handler().StartInference(context.Background(), instrumentation.Inference{})
	inv.SetOutput(instrumentation.AssistantMessage("Thank you!"))
	inv.End()
	if third.Status().Door.Offered != 1 || first.Status().Door.Offered != 0 {
		t.Errorf("offered %d to the new and %d to the old one", third.Status().Door.Offered, first.Status().Door.Offered)
	}
}

// An instance that is shutting down is not running any more.
func TestStartDuringAShutdownBeginsAnew(t *testing.T) {
	judge := judgetest.NewServer(judgetest.WithAnswers("", judgetest.Hang()))
	t.Cleanup(judge.Close)
	handler := instrumentation.NewHandler()
	first := startWith(t, genaievals.WithHandler(handler), genaievals.WithEvaluators("judge(bias)"),
		genaievals.WithJudge(func(j *envconfig.Judge) { j.BaseURL, j.Model = judge.URL, "judge-1" }))
	invoke := func(h *instrumentation.Handler) {
		_, inv := h.StartInference(context.Background(), instrumentation.Inference{})
		inv.SetOutput(instrumentation.AssistantMessage("Thank you!"))
		inv.End()
	}
	invoke(handler)
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() {
		defer close(over)
		_ = first.Shutdown(ctx) // hangs until cancelled
	}()
	var second *genaievals.Evals
	for second = first; second == first; {
		var err error
		if second, err = genaievals.Start(context.Background(), genaievals.WithHandler(handler), genaievals.WithEvaluators("builtin"),
			genaievals.WithLogger(slog.New(slog.DiscardHandler))); err != nil {
			t.Fatal(err)
		}
	}
	invoke(handler)
	if offered := second.Status().Door.Offered; offered != 1 {
		t.Errorf("%d offered to the new instance, want 1", offered)
	}
	cancel()
	<-over
	if err := second.Shutdown(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestEvalsThatAreOffOrNilDoNothing(t *testing.T) {
	off, err := genaievals.Start(context.Background(), genaievals.WithEvaluators("none"))
	if err != nil {
		t.Fatal(err)
	}
	for name, e := range map[string]*genaievals.Evals{"off": off, "nil": nil} {
		if e.Off() == "" || e.Handler() == nil || e.Flush(context.Background()) != nil || e.Shutdown(context.Background()) != nil {
			t.Errorf("%s: a method did something", name)
		}
		if results, err := e.EvaluateNow(context.Background(), nil); results != nil || err != nil {
			t.Errorf("%s: EvaluateNow gave %v, %v", name, results, err)
		}
		if s := e.Status(); len(s.Lanes) != 0 || s.Door.Offered != 0 {
			t.Errorf("%s: status %+v", name, s)
		}
	}
}

func TestEvaluateNowAfterShutdownSaysSo(t *testing.T) {
	evals := startWith(t, genaievals.WithEvaluators("builtin"))
	_, inv := evals.Handler().StartInference(context.Background(), instrumentation.Inference{})
	inv.End()
	_ = evals.Shutdown(context.Background())
	if _, err := evals.EvaluateNow(context.Background(), inv); !errors.Is(err, manager.ErrShutdown) {
		t.Errorf("the error is %v", err)
	}
}

// An evaluator of the application's own runs beside the plan's, under its own
// rate, and with the plan's options where the plan names it.
func TestOwnEvaluatorsRun(t *testing.T) {
	short := evaluators.Func("house_rules", evaluators.Metric{Name: "short", Threshold: 0.5, Needs: evaluators.NeedOutput},
		func(_ context.Context, c *evaluators.Case) evaluators.Result {
			return evaluators.Scored("short", 1/float64(len(c.Output)), "", "")
		})
	for plan, want := range map[string]string{
		"":                   "short scored",
		"builtin(bias)":      "bias skipped needs_judge short scored",
		"house-rules(short)": "short scored",
		"House_Rules(inference(SHORT(threshold=0.01)))": "short scored",
	} {
		t.Run(plan, func(t *testing.T) {
			var got results
			options := []genaievals.Option{genaievals.WithEvaluator(short), got.option(), genaievals.WithRateLimit("house_rules=100/sec")}
			if plan != "" {
				options = append(options, genaievals.WithEvaluators(plan))
			}
			evals := startWith(t, options...)
			_, inv := evals.Handler().StartInference(context.Background(), instrumentation.Inference{})
			inv.SetOutput(instrumentation.AssistantMessage("Thank you!"))
			inv.End()
			flush(t, evals)
			outcomes := strings.Join(got.outcomes(), " ")
			if plan != "" && outcomes != want || plan == "" && !strings.Contains(outcomes, want) {
				t.Errorf("results are %q, want %q", outcomes, want)
			}
			if got.list[len(got.list)-1].Passed != strings.Contains(plan, "threshold") {
				t.Errorf("with plan %q passed is %t", plan, got.list[len(got.list)-1].Passed)
			}
		})
	}
}
