package genaievals_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
)

// judgeServer is a judge that is asked at env's address.
func judgeServer(t *testing.T) *judgetest.Server {
	t.Helper()
	server := judgetest.NewServer()
	t.Cleanup(server.Close)
	return server
}

// evaluateOne evaluates one answer, after Start with these options.
func evaluateOne(t *testing.T, options ...genaievals.Option) (evals *genaievals.Evals, lines []string) {
	t.Helper()
	var got results
	evals = startWith(t, append(options, got.option())...)
	_, inv := evals.Handler().StartInference(context.Background(), instrumentation.Inference{
		Input: []instrumentation.Message{instrumentation.UserMessage("How long can I return shoes?")},
	})
	inv.SetOutput(instrumentation.AssistantMessage("Within 30 days."))
	inv.End()
	flush(t, evals)
	for _, r := range got.list {
		lines = append(lines, fmt.Sprint(r.Evaluator, " ", r.Metric, " ", r.Outcome))
	}
	slices.Sort(lines)
	return evals, lines
}

func lanes(evals *genaievals.Evals) (names []string) {
	for _, l := range evals.Status().Lanes {
		names = append(names, l.Name)
	}
	return names
}

// A metric that names a judge is asked of that one, in its lane, and reported
// in its name, wherever it stands in the plan.
func TestMetricsGoToTheJudgeThatTheyName(t *testing.T) {
	for plan, want := range map[string]struct {
		lines, lanes string
		warns        []string
	}{
		"judge(bias(judge=fast),toxicity)":                       {"fast bias scored, judge toxicity scored", "judge fast", nil},
		"judge(bias(judge=fast),toxicity),fast(relevance)":       {"fast answer_relevancy scored, fast bias scored, judge toxicity scored", "judge fast", nil},
		"judge(bias,toxicity(judge=judge)),FAST(bias)":           {"fast bias scored, judge bias scored, judge toxicity scored", "judge fast", nil},
		"fast(bias(judge=deepeval))":                             {"judge bias scored", "judge", []string{"no metric asks"}},
		"fast(bias(judge=strong)),judge(inference(bias))":        {"judge bias scored, strong bias scored", "judge strong", []string{"no metric asks"}},
		"deepeval(inference(bias(judge=Fast)))":                  {"fast bias scored", "fast", nil},
		"judge(bias(judge=fast)),fast(bias(threshold=0.5))":      {"fast bias scored", "fast", []string{"which counts"}},
		"judge(bias(judge=slow),toxicity),fast(bias)":            {"fast bias scored, judge toxicity scored", "judge fast", []string{"judge, fast"}},
		"builtin(toxicity(judge=slow),sentiment),judge(bias),fa": {"builtin sentiment skipped, judge bias scored", "builtin judge", []string{"slow", "no evaluator", "no metric asks"}},
	} {
		t.Run(plan, func(t *testing.T) {
			first, fast, strong := judgeServer(t), judgeServer(t), judgeServer(t)
			setenv(t, map[string]string{
				"JUDGE_BASE_URL": first.URL, "JUDGE_MODEL": "m", "CONCURRENT": "true", "EVALUATORS": plan,
				"JUDGES": "fast", "JUDGE_FAST_BASE_URL": fast.URL, "JUDGE_FAST_MODEL": "small",
				"JUDGE_STRONG_BASE_URL": strong.URL, "JUDGE_STRONG_MODEL": "large",
			})
			if strings.Contains(plan, "strong") {
				setenv(t, map[string]string{"JUDGES": "fast,strong"})
			} else {
				setenv(t, map[string]string{"JUDGE_STRONG_BASE_URL": "", "JUDGE_STRONG_MODEL": ""})
			}
			var log logged
			evals, lines := evaluateOne(t, log.option())
			if got := strings.Join(lines, ", "); got != want.lines {
				t.Errorf("results are %s, want %s", got, want.lines)
			}
			if got := strings.Join(lanes(evals), " "); got != want.lanes {
				t.Errorf("lanes are %s, want %s", got, want.lanes)
			}
			for name, server := range map[string]*judgetest.Server{"judge": first, "fast": fast, "strong": strong} {
				if want := strings.Count(strings.Join(lines, "\n")+"\n", name+" "); server.Count() != want {
					t.Errorf("%s was asked %d times, want %d", name, server.Count(), want)
				}
			}
			said := log.lines("WARN")
			if len(said) != len(want.warns) {
				t.Fatalf("said %q, want %d lines", said, len(want.warns))
			}
			for _, part := range want.warns {
				if !strings.Contains(strings.Join(said, ""), part) {
					t.Errorf("said %q, which lacks %q", said, part)
				}
			}
		})
	}
}

// One judge's fault is no other's.
func TestAJudgeIsOffAlone(t *testing.T) {
	for name, tt := range map[string]struct {
		env   map[string]string
		lines string
		off   []string // parts of the warnings, or of why nothing is evaluated
	}{
		"an unreadable limit": {map[string]string{"JUDGE_FAST_RATE_LIMIT": "60"},
			"judge toxicity scored", []string{"the judge fast stays off", "judge=fast reason"}},
		"a budget without a price": {map[string]string{"JUDGE_FAST_BUDGET": "1usd/day"},
			"judge toxicity scored", []string{"JUDGE_FAST_PRICE"}},
		"no model":     {map[string]string{"JUDGE_FAST_MODEL": ""}, "judge toxicity scored", []string{"JUDGE_FAST_MODEL is not set"}},
		"no first one": {map[string]string{"JUDGE_MODEL": ""}, "fast bias scored", []string{"JUDGE_MODEL is not set"}},
		"none that the first one's metrics need": {map[string]string{"JUDGE_MODEL": "", "EVALUATORS": "judge(bias(judge=fast))"},
			"fast bias scored", nil},
		"none at all": {map[string]string{"JUDGE_MODEL": "", "JUDGE_FAST_MODEL": ""}, "",
			[]string{"JUDGE_MODEL is not set; the judge is off: OTEL_INSTRUMENTATION_GENAI_EVALS_JUDGE_FAST_MODEL"}},
	} {
		t.Run(name, func(t *testing.T) {
			first, fast := judgeServer(t), judgeServer(t)
			setenv(t, map[string]string{
				"JUDGE_BASE_URL": first.URL, "JUDGE_MODEL": "m", "EVALUATORS": "judge(bias(judge=fast),toxicity)",
				"JUDGES": "fast", "JUDGE_FAST_BASE_URL": fast.URL, "JUDGE_FAST_MODEL": "small",
			})
			setenv(t, tt.env)
			var log logged
			evals, lines := evaluateOne(t, log.option())
			if got := strings.Join(lines, ", "); got != tt.lines {
				t.Errorf("results are %q, want %q", got, tt.lines)
			}
			said := strings.Join(log.lines("WARN"), "")
			if len(log.lines("WARN")) != len(tt.off) {
				t.Errorf("said %q, want %d lines", said, len(tt.off))
			}
			for _, part := range tt.off {
				if !strings.Contains(said, part) {
					t.Errorf("said %q, which lacks %q", said, part)
				}
			}
			if (evals.Off() == "") != (tt.lines != "") {
				t.Errorf("off because %q", evals.Off())
			}
		})
	}
}

// A judge has its own limits, else those for every judge, and Start says which.
func TestEveryJudgeHasItsOwnGate(t *testing.T) {
	server := judgeServer(t)
	setenv(t, map[string]string{
		"JUDGE_BASE_URL": server.URL, "JUDGE_MODEL": "m", "CONCURRENT": "true", "WORKERS_MAX": "6", "MAX_CONCURRENT": "2",
		"EVALUATORS": "judge(bias),fast(bias),strong(bias)", "JUDGES": "fast,strong",
		"JUDGE_FAST_MODEL": "small", "JUDGE_STRONG_MODEL": "large", "JUDGE_STRONG_PRICE": "3/15",
		"RATE_LIMIT": "50/sec;fast=60/sec", "JUDGE_STRONG_RATE_LIMIT": "none",
		"TOKEN_LIMIT": "600000/min", "BUDGET": "10000000tokens/hour", "JUDGE_STRONG_BUDGET": "5usd/day",
	})
	var log logged
	evals, lines := evaluateOne(t, log.option())
	if want := "fast bias scored, judge bias scored, strong bias scored"; strings.Join(lines, ", ") != want {
		t.Errorf("results are %q", lines)
	}
	want := map[string]string{
		"judge":  "50/sec 10000/sec,burst=60000 10000000tokens/hour",
		"fast":   "60/sec 10000/sec,burst=60000 10000000tokens/hour",
		"strong": "unlimited 10000/sec,burst=60000 5usd/day",
	}
	for _, l := range evals.Status().Lanes {
		gate := l.Evaluators[0].Gate
		if gate == nil || gate.Budget == nil || gate.Adaptive == nil || gate.Breaker == nil {
			t.Errorf("%s: the gate is %+v", l.Name, gate)
			continue
		}
		if got := fmt.Sprint(gate.Rate, " ", gate.TokenRate, " ", gate.Budget.Budget); got != want[l.Name] {
			t.Errorf("%s: limits are %s, want %s", l.Name, got, want[l.Name])
		}
		if gate.Adaptive.Ceiling != 12 {
			t.Errorf("%s: the ceiling is %d, want 6 × 2", l.Name, gate.Adaptive.Ceiling)
		}
		if gate.Budget.Spent <= 0 {
			t.Errorf("%s: nothing was spent", l.Name)
		}
	}
	said := strings.Join(log.lines("INFO"), "")
	for _, part := range []string{"judge=strong model=large", "rate_limit=60/sec", "budget=5usd/day"} {
		if !strings.Contains(said, part) {
			t.Errorf("said %q, which lacks %q", said, part)
		}
	}
}

// As many calls are learned to be permitted at once as the manager can make.
func TestTheCeilingOfWhatIsLearned(t *testing.T) {
	for name, tt := range map[string]struct {
		options []genaievals.Option
		ceiling int // 0: nothing is learned
	}{
		"off":                    {[]genaievals.Option{genaievals.WithAdaptive(false)}, 0},
		"one at a time":          {[]genaievals.Option{genaievals.WithWorkersMax(8)}, 1},
		"side by side":           {[]genaievals.Option{genaievals.WithConcurrent(true)}, 40},
		"more on a backlog":      {[]genaievals.Option{genaievals.WithConcurrent(true), genaievals.WithWorkersMax(8)}, 80},
		"bounded in the process": {[]genaievals.Option{genaievals.WithConcurrent(true), genaievals.WithMaxInFlight(7)}, 7},
	} {
		t.Run(name, func(t *testing.T) {
			evals := startWith(t, append(tt.options, genaievals.WithJudgeClient(judgetest.NewJudge()))...)
			learned := evals.Status().Lanes[0].Evaluators[0].Gate.Adaptive
			if (learned != nil) != (tt.ceiling > 0) || learned != nil && learned.Ceiling != tt.ceiling {
				t.Errorf("got %+v, want a ceiling of %d", learned, tt.ceiling)
			}
		})
	}
}

func TestWhatAJudgeCosts(t *testing.T) {
	usage := judge.Usage{InputTokens: 3000, OutputTokens: 200}
	client := judgetest.NewJudge(judgetest.WithAnswers("", judgetest.Valid().Usage(usage)))
	var got results
	evals := startWith(t, got.option(), genaievals.WithJudgeClient(client), genaievals.WithEvaluators("judge(bias)"),
		genaievals.WithBudget("1usd/hour"),
		genaievals.WithJudge(func(j *envconfig.Judge) { j.Price = &envconfig.Price{Input: 10, Output: 50} }))
	_, inv := evals.Handler().StartInference(context.Background(), instrumentation.Inference{})
	inv.SetOutput(instrumentation.AssistantMessage("Within 30 days."))
	inv.End()
	flush(t, evals)
	const want = 3000*10e-6 + 200*50e-6
	if r := got.list[0]; !r.HasCost || math.Abs(r.Cost-want) > 1e-12 {
		t.Errorf("cost %v, want %v", r.Cost, want)
	}
	if spent := evals.Status().Lanes[0].Evaluators[0].Gate.Budget.Spent; math.Abs(spent-want) > 1e-12 {
		t.Errorf("spent %v, want %v", spent, want)
	}
}

// The first judge's key goes to a further judge at the same place only.
func TestKeysStayWithTheirHosts(t *testing.T) {
	keys := make(chan string, 9)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		keys <- r.Host + " " + r.Header.Get("Authorization") + r.Header.Get("X-Token")
		w.WriteHeader(http.StatusUnauthorized)
	})
	here, elsewhere := httptest.NewServer(handler), httptest.NewServer(handler)
	t.Cleanup(here.Close)
	t.Cleanup(elsewhere.Close)
	setenv(t, map[string]string{
		"JUDGE_BASE_URL": here.URL, "JUDGE_MODEL": "m", "JUDGE_API_KEY": "key", "JUDGE_HEADERS": "x-token=token",
		"JUDGES": "near,far", "JUDGE_NEAR_MODEL": "m", "JUDGE_FAR_MODEL": "m", "JUDGE_FAR_BASE_URL": elsewhere.URL,
		"EVALUATORS": "near(bias),far(bias)",
	})
	evaluateOne(t)
	near, far := <-keys, <-keys
	if near != strings.TrimPrefix(here.URL, "http://")+" Bearer keytoken" {
		t.Errorf("near got %q", near)
	}
	if far != strings.TrimPrefix(elsewhere.URL, "http://")+" " {
		t.Errorf("far got %q", far)
	}
}

func TestJudgesByOption(t *testing.T) {
	server := judgeServer(t)
	setenv(t, map[string]string{
		"JUDGES": "old", "JUDGE_FAST_MODEL": "small", "JUDGE_FAST_MAX_OUTPUT_TOKENS": "77", "JUDGE_BASE_URL": server.URL,
	})
	var log logged
	_, lines := evaluateOne(t, log.option(),
		genaievals.WithNamedJudge("fast", func(j *envconfig.Judge) {
			if j.Model != "small" || j.MaxOutputTokens != 77 {
				t.Errorf("got %v with %d tokens", j, j.MaxOutputTokens)
			}
			j.RateLimit = &limit.Rate{PerSecond: 100}
		}),
		genaievals.WithJudges("strong"),
		genaievals.WithNamedJudge("strong", func(j *envconfig.Judge) { j.Model = "large" }),
		genaievals.WithEvaluators("fast(bias),strong(toxicity)"))
	if got := strings.Join(lines, ", "); got != "fast bias scored, strong toxicity scored" {
		t.Errorf("results are %s", got)
	}
	if said := log.lines("WARN"); len(said) > 0 {
		t.Errorf("said %q", said)
	}
	var models []string
	for _, r := range server.Requests() {
		models = append(models, r.Model)
	}
	if slices.Sort(models); !slices.Equal(models, []string{"large", "small"}) {
		t.Errorf("models asked are %q", models)
	}
}

// A judge that the application made itself can be named like any other.
func TestAnOwnJudgeCanBeNamed(t *testing.T) {
	own := judgetest.NewJudge()
	e, err := judge.New(own, judge.WithName("house"))
	if err != nil {
		t.Fatal(err)
	}
	_, lines := evaluateOne(t, genaievals.WithEvaluator(e), genaievals.WithJudgeClient(judgetest.NewJudge()),
		genaievals.WithEvaluators("judge(bias(judge=house),toxicity),house(answer_relevancy)"))
	if got := strings.Join(lines, ", "); got != "house answer_relevancy scored, house bias scored, judge toxicity scored" {
		t.Errorf("results are %s", got)
	}
	if own.Count() != 2 {
		t.Errorf("asked %d times", own.Count())
	}
}

// Tokens and money are counted by a judge's own gate; an evaluator without one
// that such a limit is for must not run unlimited.
func TestLimitsThatAnOwnEvaluatorCannotKeepTurnItOff(t *testing.T) {
	newJudge := func(name string, options ...judge.Option) evaluators.Evaluator {
		e, err := judge.New(judgetest.NewJudge(), append(options, judge.WithName(name))...)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	mine := evaluators.Func("mine", evaluators.Metric{Name: "m"}, func(context.Context, *evaluators.Case) evaluators.Result {
		return evaluators.Scored("m", 1, "", "")
	})
	for name, tt := range map[string]struct {
		own    evaluators.Evaluator
		option genaievals.Option
		runs   bool
	}{
		"tokens of every judge":            {newJudge("house"), genaievals.WithTokenLimit("90000/min"), false},
		"tokens by name":                   {newJudge("house"), genaievals.WithTokenLimit("house=90000/min"), false},
		"somebody else's tokens":           {newJudge("house"), genaievals.WithTokenLimit("judge=90000/min"), true},
		"a budget, with a gate of its own": {newJudge("house", judge.WithGate(limit.NewGate())), genaievals.WithBudget("1usd/day"), true},
		"a budget":                         {newJudge("judge"), genaievals.WithBudget("1usd/day"), false},
		"tokens that cannot be read":       {newJudge("house"), nil, false},
		"no judge":                         {mine, genaievals.WithBudget("1usd/day"), true},
		"no judge, by name":                {mine, genaievals.WithBudget("mine=1usd/day"), false},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.option == nil {
				setenv(t, map[string]string{"TOKEN_LIMIT": "90000"})
			}
			var log logged
			evals := startWith(t, genaievals.WithEvaluator(tt.own), tt.option, log.option(), genaievals.WithEvaluators("builtin(sentiment)"))
			var running []string
			for _, e := range evals.Status().Lanes[0].Evaluators {
				running = append(running, e.Name)
			}
			if slices.Contains(running, tt.own.Name()) != tt.runs {
				t.Errorf("running: %q", running)
			}
			if said := strings.Join(log.lines("WARN"), ""); strings.Contains(said, "own evaluators are off") == tt.runs {
				t.Errorf("said %q", said)
			}
		})
	}
}

// What a judge's gate goes through is said once for each change.
func TestALostJudgeIsSaidOnce(t *testing.T) {
	server := judgetest.NewServer(judgetest.WithAnswers("", judgetest.HTTP(http.StatusUnauthorized, nil, `{"error":{"message":"secret text"}}`)))
	t.Cleanup(server.Close)
	setenv(t, map[string]string{"JUDGE_BASE_URL": server.URL, "JUDGE_MODEL": "m", "JUDGE_API_KEY": "planted-key", "EVALUATORS": "judge(bias)"})
	var log logged
	evaluateOne(t, log.option())
	said := log.lines("WARN")
	if len(said) != 1 || !strings.Contains(said[0], "judge=judge state=opened cause=fatal error.type=judge_auth") || !strings.Contains(said[0], "again_at="+time.Now().Format("2006-")) {
		t.Errorf("said %q", said)
	}
	if all := log.text.String(); strings.Contains(all, "secret text") || strings.Contains(all, "planted-key") {
		t.Errorf("content is logged: %s", all)
	}
}
