package genaievals_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/instrumentation/genaihttp"
)

// The judge's HTTP client may be instrumented itself: its calls are neither
// recorded nor evaluated, so there is no loop.
func TestAnInstrumentedJudgeIsNotEvaluated(t *testing.T) {
	judge := judgetest.NewServer()
	t.Cleanup(judge.Close)
	handler := instrumentation.NewHandler()
	client, err := openai.New(openai.Config{
		BaseURL: judge.URL, Model: "judge-1",
		HTTPClient: &http.Client{Transport: genaihttp.NewTransport(nil, genaihttp.WithHandler(handler))},
	})
	if err != nil {
		t.Fatal(err)
	}
	recorded := 0
	handler.Register(instrumentation.CompletionCallbackFunc(func(*instrumentation.Invocation) { recorded++ }))
	evals := startWith(t, genaievals.WithHandler(handler), genaievals.WithJudgeClient(client), genaievals.WithEvaluators("judge(bias)"))
	app := &http.Client{Transport: genaihttp.NewTransport(nil, genaihttp.WithHandler(handler))}
	chat(context.Background(), t, app, modelServer(t, "Within 30 days."), false)
	flush(t, evals)
	if recorded != 1 || judge.Count() != 1 || evals.Status().Door.Offered != 1 {
		t.Errorf("%d invocations recorded, %d offered and %d judge calls, want 1 of each", recorded, evals.Status().Door.Offered, judge.Count())
	}
}

func TestCallsMadeUnderSuppressionAreNeverJudged(t *testing.T) {
	judge := judgetest.NewServer()
	t.Cleanup(judge.Close)
	evals := startWith(t, genaievals.WithJudge(func(j *envconfig.Judge) { j.BaseURL, j.Model = judge.URL, "judge-1" }))
	client := &http.Client{Transport: genaihttp.NewTransport(nil, genaihttp.WithHandler(evals.Handler()))}
	url := modelServer(t, "Within 30 days.")
	chat(instrumentation.Suppress(context.Background()), t, client, url, false)
	chat(instrumentation.WithoutEvaluation(context.Background()), t, client, url, true)
	_, inv := evals.Handler().StartInference(instrumentation.WithoutEvaluation(context.Background()), instrumentation.Inference{})
	inv.SetOutput(instrumentation.AssistantMessage("x"))
	inv.End()
	if results, err := evals.EvaluateNow(context.Background(), inv); err != nil || len(results) != 0 {
		t.Errorf("EvaluateNow gave %v, %v", results, err)
	}
	flush(t, evals)
	if judge.Count() != 0 {
		t.Errorf("the judge was asked %d times", judge.Count())
	}
	if d := evals.Status().Door; d.Offered != 2 || d.Skipped[evaluators.SkipSuppressed] != 2 {
		t.Errorf("the door is %+v, want both recorded calls skipped as suppressed", d)
	}
}

// Whatever one judge's call comes to, the metrics of the invocation that were
// asked before are unharmed, and what went wrong is a failed result with its
// type.
func TestABadJudgeFailsItsMetricOnly(t *testing.T) {
	for errorType, answers := range map[string][]judgetest.Answer{
		evaluators.ErrorJudgeTimeout:         {judgetest.Hang()},
		evaluators.ErrorJudgeMalformedOutput: {judgetest.Text("I would say it is fine, 8/10."), judgetest.Text("8")},
		evaluators.ErrorJudgeUnavailable:     {judgetest.HTTP(503, nil, "<html>down</html>")},
		evaluators.ErrorJudgeAuth:            {judgetest.HTTP(401, nil, `{"error":{"message":"bad key","type":"invalid_request_error","code":"invalid_api_key"}}`)},
		evaluators.ErrorJudgeRateLimited:     {judgetest.HTTP(429, http.Header{"Retry-After": {"20"}}, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`)},
		evaluators.ErrorJudgeQuota:           {judgetest.HTTP(429, nil, `{"error":{"message":"pay","code":"insufficient_quota"}}`)},
		evaluators.ErrorJudgeModelNotFound:   {judgetest.HTTP(404, nil, `{"error":{"message":"no such model","code":"model_not_found"}}`)},
		evaluators.ErrorJudgeRefused:         {judgetest.Refuse("I cannot help with that.")},
		evaluators.ErrorJudgeEmptyOutput:     {judgetest.Text("")},
		"closed":                             {judgetest.Close()},
	} {
		t.Run(errorType, func(t *testing.T) {
			for i := range answers { // the others are through by then: some answers stop the judge
				answers[i] = answers[i].After(50 * time.Millisecond)
			}
			judge := judgetest.NewServer(judgetest.WithAnswers("bias", answers...))
			t.Cleanup(judge.Close)
			var got results
			timeout := "10s"
			if errorType == evaluators.ErrorJudgeTimeout || errorType == evaluators.ErrorJudgeRateLimited {
				timeout = "300ms" // else it would wait for an answer, and for the end of the pause
			}
			evals := startWith(t, got.option(), genaievals.WithConcurrent(true),
				genaievals.WithEvaluators("judge(inference(toxicity,answer_relevancy,bias(timeout="+timeout+")))"),
				genaievals.WithJudge(func(j *envconfig.Judge) { j.BaseURL, j.Model = judge.URL, "judge-1" }))
			client := &http.Client{Transport: genaihttp.NewTransport(nil, genaihttp.WithHandler(evals.Handler()))}
			chat(context.Background(), t, client, modelServer(t, "Within 30 days."), false)
			flush(t, evals)
			if errorType == "closed" {
				errorType = evaluators.ErrorJudgeUnavailable
			}
			outcomes := got.outcomes()
			if len(outcomes) != 3 || outcomes[1] != "bias failed "+errorType ||
				!strings.HasPrefix(outcomes[0], "answer_relevancy scored") || !strings.HasPrefix(outcomes[2], "toxicity scored") {
				t.Errorf("results are %q, want bias failed as %s and the others scored", outcomes, errorType)
			}
			for _, m := range evals.Status().Lanes[0].Evaluators[0].Metrics {
				if m.Name == "bias" && (m.Failed[errorType] != 1 || m.LastError == "" || m.LastErrorAt.IsZero()) {
					t.Errorf("the status of bias is %+v", m)
				}
			}
		})
	}
}
