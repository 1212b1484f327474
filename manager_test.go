package genaievals_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/bootstrap"
	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/instrumentation/genaihttp"
	"github.com/genaievals/genaievals/internal/otlptest"
	"github.com/genaievals/genaievals/manager"
	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// modelServer answers every chat with the same text, streamed where asked.
func modelServer(t *testing.T, text string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), `"stream":true`) {
			w.Header().Set("Content-Type", "text/event-stream")
			for _, word := range strings.SplitAfter(text, " ") {
				fmt.Fprintf(w, "data: {\"id\":\"chatcmpl-1\",\"model\":\"gpt-4o-mini-2024\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", word)
				w.(http.Flusher).Flush()
			}
			fmt.Fprint(w, "data: {\"id\":\"chatcmpl-1\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"chatcmpl-1","object":"chat.completion","model":"gpt-4o-mini-2024","choices":[{"index":0,"message":{"role":"assistant","content":%q},"finish_reason":"stop"}],"usage":{"prompt_tokens":12,"completion_tokens":9,"total_tokens":21}}`, text)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// chat asks the model as an application would, and reads the whole answer.
func chat(ctx context.Context, t *testing.T, client *http.Client, url string, stream bool) {
	t.Helper()
	body := fmt.Sprintf(`{"model":"gpt-4o-mini","stream":%t,"messages":[{"role":"user","content":"How long can I return shoes?"}]}`, stream)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.ReadAll(res.Body); err != nil {
		t.Fatal(err)
	}
}

func setenv(t *testing.T, variables map[string]string) {
	t.Helper()
	for name, value := range variables {
		if !strings.HasPrefix(name, "OTEL_") && !strings.HasPrefix(name, "DEEPEVAL_") && (!strings.HasSuffix(name, "_API_KEY") || strings.HasPrefix(name, "JUDGE_")) {
			name = envconfig.Prefix + name
		}
		t.Setenv(name, value)
	}
}

var documents = []instrumentation.Document{{ID: "returns", Text: "Shoes can be returned within 30 days of delivery."}}

// The main job through every layer: a real HTTP client asks a real model
// server, the call is recorded, four metrics are judged over real HTTP, and
// everything arrives over OTLP/gRPC.
func TestCallsAreEvaluatedAndTheResultsReachTheBackend(t *testing.T) {
	const key = "planted-key-1f9c"
	for _, concurrent := range []string{"false", "true"} {
		t.Run("concurrent="+concurrent, func(t *testing.T) {
			backend := otlptest.Start(t)
			judge := judgetest.NewServer(
				judgetest.WithAPIKey(key),
				judgetest.WithAnswers("bias", judgetest.Label("not_biased", "neutral words")),
				judgetest.WithAnswers("toxicity", judgetest.Label("toxic", "an insult")),
				judgetest.WithAnswers("answer_relevancy", judgetest.Label("partially_relevant", "in part")),
				judgetest.WithAnswers("faithfulness", judgetest.Claims(
					judgetest.Claim{Text: "30 days", Reason: "as documented", Verdict: "supported"},
					judgetest.Claim{Text: "free", Reason: "not documented", Verdict: "unsupported"},
				)),
			)
			t.Cleanup(judge.Close)
			var logs strings.Builder
			var logMu sync.Mutex
			setenv(t, map[string]string{
				"CONCURRENT": concurrent, "JUDGE_BASE_URL": judge.URL, "JUDGE_MODEL": "judge-1", "JUDGE_API_KEY": key,
				"OTEL_EXPORTER_OTLP_ENDPOINT": backend.Endpoint(), "OTEL_SERVICE_NAME": "shop",
			})
			telemetry, err := bootstrap.Start(context.Background(), genaievals.WithLogger(slog.New(slog.NewTextHandler(locked{&logMu, &logs}, nil))))
			if err != nil {
				t.Fatal(err)
			}
			client := &http.Client{Transport: genaihttp.NewTransport(nil)}
			url := modelServer(t, "You can return shoes within 30 days, you fool.")

			// The request's context is cancelled as soon as its handler returns.
			ctx, cancel := context.WithCancel(context.Background())
			ctx, span := otel.Tracer("app").Start(ctx, "POST /ask")
			ctx = instrumentation.WithDocuments(ctx, documents...)
			chat(ctx, t, client, url, false)
			chat(ctx, t, client, url, true)
			span.End()
			cancel()

			if err := telemetry.Flush(context.Background()); err != nil {
				t.Fatal(err)
			}
			status := telemetry.Status()
			if err := telemetry.Shutdown(context.Background()); err != nil {
				t.Fatal(err)
			}

			calls := spansNamed(backend, "chat gpt-4o-mini")
			if len(calls) != 2 {
				t.Fatalf("%d spans of the application's calls, want 2", len(calls))
			}
			for _, call := range calls {
				if got := otlptest.Attributes(call.Attributes)["gen_ai.evaluation.sampled"]; got != true {
					t.Errorf("gen_ai.evaluation.sampled of the evaluated span is %v", got)
				}
				checkEvents(t, backend, call)
			}
			checkSpans(t, backend, calls)
			checkScores(t, backend)
			if judge.Count() != 8 {
				t.Errorf("the judge was called %d times, want 8", judge.Count())
			}
			if status.Door.Offered != 2 || status.Door.FannedOut != 2 {
				t.Errorf("the door is %+v, want 2 offered and fanned out: a judge's calls are not the application's", status.Door)
			}
			for place, text := range map[string]string{
				"telemetry": fmt.Sprint(backend.Spans(), backend.Records()), "status": fmt.Sprintf("%+v", status), "logs": logs.String(),
			} {
				if strings.Contains(text, key) {
					t.Errorf("the judge's key is in the %s", place)
				}
			}
		})
	}
}

type locked struct {
	mu *sync.Mutex
	w  io.Writer
}

func (l locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

func spansNamed(backend *otlptest.Receiver, name string) (spans []*tracepb.Span) {
	for _, s := range backend.Spans() {
		if s.Name == name {
			spans = append(spans, s)
		}
	}
	return spans
}

// checkEvents compares the events of one evaluated span.
func checkEvents(t *testing.T, backend *otlptest.Receiver, call *tracepb.Span) {
	t.Helper()
	got := map[string][]any{}
	for _, r := range backend.Records() {
		if r.EventName != "gen_ai.evaluation.result" || hex.EncodeToString(r.SpanId) != hex.EncodeToString(call.SpanId) {
			continue
		}
		if hex.EncodeToString(r.TraceId) != hex.EncodeToString(call.TraceId) {
			t.Errorf("an event has its span's id but another trace's")
		}
		a := otlptest.Attributes(r.Attributes)
		got[a["gen_ai.evaluation.name"].(string)] = []any{
			a["gen_ai.evaluation.score.value"], a["gen_ai.evaluation.score.label"], a["gen_ai.evaluation.passed"],
			a["gen_ai.response.id"], a["gen_ai.request.model"], a["gen_ai.evaluation.evaluator.name"],
			a["gen_ai.evaluation.evaluator.type"], a["error.type"], r.SeverityNumber,
		}
		if a["gen_ai.evaluation.explanation"] == nil || a["gen_ai.evaluation.evaluator.version"] == nil {
			t.Errorf("event of %v lacks its explanation or the evaluator's version", a["gen_ai.evaluation.name"])
		}
	}
	with := func(score float64, label string, passed bool) []any {
		return []any{score, label, passed, "chatcmpl-1", "gpt-4o-mini", "judge", "llm_judge", nil, logspb.SeverityNumber_SEVERITY_NUMBER_UNSPECIFIED}
	}
	want := map[string][]any{
		"bias": with(0, "Not Biased", true), "toxicity": with(1, "Toxic", false),
		"answer_relevancy": with(0.5, "Relevant", true), "faithfulness": with(0.5, "Faithful", true),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events of a call (-want +got):\n%s", diff)
	}
}

// checkSpans follows each evaluation's span to the evaluated one, and each
// judge's call to its evaluation.
func checkSpans(t *testing.T, backend *otlptest.Receiver, calls []*tracepb.Span) {
	t.Helper()
	evaluations := map[string]*tracepb.Span{}
	for _, s := range backend.Spans() {
		if strings.HasPrefix(s.Name, "evaluate ") {
			evaluations[string(s.SpanId)] = s
			if !slices.ContainsFunc(calls, func(c *tracepb.Span) bool { return string(c.SpanId) == string(s.ParentSpanId) }) {
				t.Errorf("%s is no child of an evaluated span", s.Name)
			}
		}
	}
	if len(evaluations) != 8 {
		t.Errorf("%d evaluation spans, want 8", len(evaluations))
	}
	asked := 0
	for _, s := range spansNamed(backend, "chat judge-1") {
		if s.Kind == tracepb.Span_SPAN_KIND_CLIENT && evaluations[string(s.ParentSpanId)] != nil {
			asked++
		}
	}
	if asked != 8 {
		t.Errorf("%d CLIENT spans of the judge below evaluations, want 8", asked)
	}
}

func checkScores(t *testing.T, backend *otlptest.Receiver) {
	t.Helper()
	scores := backend.Metric("gen_ai.evaluation.score")
	if scores == nil {
		t.Fatal("no score histogram arrived")
	}
	counts := map[any]uint64{}
	for _, p := range scores.GetHistogram().GetDataPoints() {
		counts[otlptest.Attributes(p.Attributes)["gen_ai.evaluation.name"]] += p.Count
	}
	want := map[any]uint64{"bias": 2, "toxicity": 2, "answer_relevancy": 2, "faithfulness": 2}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("histogram points (-want +got):\n%s", diff)
	}
	usage := backend.Metric("gen_ai.client.token.usage")
	if usage == nil {
		t.Fatal("the application's own token usage did not arrive")
	}
	for _, p := range usage.GetHistogram().GetDataPoints() {
		if model := attribute(p.Attributes, "gen_ai.request.model"); model != "gpt-4o-mini" {
			t.Errorf("token usage of %v: a judge's tokens are not the application's", model)
		}
	}
	if backend.Metric("genaievals.lane.tasks") == nil || backend.Metric("gen_ai.evaluation.client.queue.size") == nil {
		t.Error("the manager's own metrics did not arrive")
	}
}

func attribute(kvs []*commonpb.KeyValue, key string) any { return otlptest.Attributes(kvs)[key] }

// results collects what a result handler is given, by metric.
type results struct {
	mu   sync.Mutex
	list []evaluators.Result
}

func (r *results) option() genaievals.Option {
	return genaievals.WithResultHandler(func(_ *instrumentation.Invocation, batch []evaluators.Result) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.list = append(r.list, batch...)
	})
}

func (r *results) outcomes() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var lines []string
	for _, res := range r.list {
		lines = append(lines, strings.TrimSpace(fmt.Sprint(res.Metric, " ", res.Outcome, " ", res.Label+res.Reason+res.ErrorType)))
	}
	slices.Sort(lines)
	return lines
}

// startWith starts on a handler of its own without any OpenTelemetry SDK, and
// shuts down when the test ends.
func startWith(t *testing.T, options ...genaievals.Option) *genaievals.Evals {
	t.Helper()
	evals, err := genaievals.Start(context.Background(), append([]genaievals.Option{
		genaievals.WithHandler(instrumentation.NewHandler()), genaievals.WithLogger(slog.New(slog.DiscardHandler)),
	}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = evals.Shutdown(context.Background()) })
	return evals
}

func flush(t *testing.T, evals *genaievals.Evals) {
	t.Helper()
	if err := evals.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func TestWithoutAnOTelSDKResultsReachTheResultHandler(t *testing.T) {
	var got results
	evals := startWith(t, got.option(), genaievals.WithEvaluators("builtin(sentiment,bias)"))
	client := &http.Client{Transport: genaihttp.NewTransport(nil, genaihttp.WithHandler(evals.Handler()))}
	chat(context.Background(), t, client, modelServer(t, "What a wonderful question, I am happy to help!"), false)
	flush(t, evals)
	want := []string{"bias skipped needs_judge", "sentiment scored Positive"}
	if diff := cmp.Diff(want, got.outcomes()); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
}

func TestDropsAreToldAndTheSpanSaysWhy(t *testing.T) {
	backend := otlptest.Start(t)
	judge := judgetest.NewServer(judgetest.WithAnswers("", judgetest.Hang()))
	t.Cleanup(judge.Close)
	setenv(t, map[string]string{
		"QUEUE_SIZE": "1", "JUDGE_BASE_URL": judge.URL, "JUDGE_MODEL": "judge-1",
		"OTEL_EXPORTER_OTLP_ENDPOINT": backend.Endpoint(),
	})
	drops := make(chan manager.Drop, 16)
	telemetry, err := bootstrap.Start(context.Background(), genaievals.WithLogger(slog.New(slog.DiscardHandler)),
		genaievals.WithOnDrop(func(d manager.Drop) { drops <- d }))
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: genaihttp.NewTransport(nil)}
	url := modelServer(t, "Within 30 days.")
	for range 4 {
		chat(context.Background(), t, client, url, false)
	}
	if d := <-drops; d.Reason != manager.DropQueueFull || d.Lane != "sequential" || d.Invocation.ResponseID() != "chatcmpl-1" {
		t.Errorf("told of %+v", d)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_ = telemetry.Evals.Shutdown(ctx)
	if err := telemetry.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	reasons := map[any]int{}
	for _, s := range spansNamed(backend, "chat gpt-4o-mini") {
		a := otlptest.Attributes(s.Attributes)
		if a["gen_ai.evaluation.sampled"] == false {
			reasons[a["gen_ai.evaluation.error"]]++
		}
	}
	if reasons["queue_full"] < 2 {
		t.Errorf("the reasons on the spans are %v, want queue_full at least twice", reasons)
	}
}
