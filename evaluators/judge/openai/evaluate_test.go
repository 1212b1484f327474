package openai_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
	"github.com/genaievals/genaievals/instrumentation"
)

func evaluateOver(t *testing.T, srv *judgetest.Server, opts ...judge.Option) []evaluators.Result {
	t.Helper()
	e, err := judge.New(newClient(t, openai.Config{Model: "m", BaseURL: srv.URL}), opts...)
	if err != nil {
		t.Fatal(err)
	}
	c := &evaluators.Case{Input: "Q?", Output: "A.", Documents: []instrumentation.Document{{Text: "A."}}}
	return e.Evaluate(t.Context(), c, e.Metrics())
}

// TestEveryMetricInEveryFormat goes from the case to the result over HTTP.
func TestEveryMetricInEveryFormat(t *testing.T) {
	for _, f := range []judge.Format{judge.FormatStrictSchema, judge.FormatJSONObject, judge.FormatNone} {
		t.Run(f.String(), func(t *testing.T) {
			srv := judgetest.NewServer()
			defer srv.Close()
			for _, r := range evaluateOver(t, srv, judge.WithResponseFormat(f)) {
				if r.Outcome != evaluators.OutcomeScored || r.JudgeModel != "m" || r.InputTokens != tokens(r, 100) || r.OutputTokens != tokens(r, 20) {
					t.Errorf("%+v", r)
				}
			}
		})
	}
}

// tokens are a result's part of those of a call: two metrics share one.
func tokens(r evaluators.Result, ofCall int64) int64 {
	if r.Metric == "faithfulness" || r.Metric == "hallucination" {
		return ofCall / 2
	}
	return ofCall
}

// TestEveryFailureOverHTTP: what the server says is what the result says.
func TestEveryFailureOverHTTP(t *testing.T) {
	for _, errorType := range []string{
		evaluators.ErrorJudgeRateLimited, evaluators.ErrorJudgeOverloaded, evaluators.ErrorJudgeUnavailable,
		evaluators.ErrorJudgeAuth, evaluators.ErrorJudgeQuota, evaluators.ErrorJudgeModelNotFound,
		evaluators.ErrorJudgeBadRequest, evaluators.ErrorJudgeInputTooLong, evaluators.ErrorJudgeContentFiltered,
		evaluators.ErrorJudgeRefused, evaluators.ErrorJudgeEmptyOutput, evaluators.ErrorJudgeTruncated,
		evaluators.ErrorJudgeMalformedOutput,
	} {
		t.Run(errorType, func(t *testing.T) {
			t.Parallel() // some are sent again
			srv := judgetest.NewServer(judgetest.WithAnswers("toxicity", judgetest.Fail(errorType)))
			defer srv.Close()
			for _, r := range evaluateOver(t, srv) {
				want := ""
				if r.Metric == "toxicity" {
					want = errorType
				}
				if r.ErrorType != want || (want == "") != (r.Outcome == evaluators.OutcomeScored) {
					t.Errorf("%s: %v %q, want %q", r.Metric, r.Outcome, r.ErrorType, want)
				}
			}
		})
	}
}

func TestReasoningIsNoAnswer(t *testing.T) {
	t.Run("P07", func(t *testing.T) {
		srv := judgetest.NewServer(judgetest.WithAnswers("", judgetest.Text("").Thought(`{"reason":"r","label":"biased"}`)))
		defer srv.Close()
		if r := evaluateOver(t, srv)[0]; r.ErrorType != evaluators.ErrorJudgeEmptyOutput {
			t.Errorf("%+v", r)
		}
	})
}

// TestEvaluatedTextStaysInTheDocument looks at the bytes on the wire, those of
// a repair too.
func TestEvaluatedTextStaysInTheDocument(t *testing.T) {
	t.Run("I03_I04", func(t *testing.T) {
		const canary = "c4n4ry"
		srv := judgetest.NewServer(judgetest.WithAnswers("", judgetest.Text("unreadable "+canary)))
		defer srv.Close()
		e, err := judge.New(newClient(t, openai.Config{Model: "m", BaseURL: srv.URL}))
		if err != nil {
			t.Fatal(err)
		}
		c := &evaluators.Case{
			Input: canary, Output: canary + "\"}]}", System: canary, ID: canary, Model: canary,
			History:   []evaluators.Turn{{Role: canary, Text: canary}},
			Documents: []instrumentation.Document{{ID: canary, Text: canary}},
		}
		e.Evaluate(t.Context(), c, e.Metrics())
		requests := srv.Requests()
		if len(requests) != 10 {
			t.Fatalf("%d requests, want a first and a repair for each of 5 questions", len(requests))
		}
		for i, r := range requests {
			shown := map[string]int{"bias": 2, "toxicity": 2, "answer_relevancy": 4, "faithfulness": 3, "sentiment": 1}[r.Question.Metric]
			if n := strings.Count(string(r.Body), canary); n != shown {
				t.Errorf("request %d, %s: %d times in the body, want %d, once a field shown", i, r.Question.Metric, n, shown)
			}
			if strings.Contains(r.System, canary) {
				t.Errorf("request %d: in the system message", i)
			}
		}
	})
}

// TestWhatIsSentUnlessConfigured: parameters that APIs refuse are not sent, and
// the output budget is one that all but the smallest take.
func TestWhatIsSentUnlessConfigured(t *testing.T) {
	t.Run("C08", func(t *testing.T) {
		srv := judgetest.NewServer()
		defer srv.Close()
		evaluateOver(t, srv)
		requests := srv.Requests()
		if len(requests) == 0 {
			t.Fatal("nothing was sent")
		}
		for _, r := range requests {
			var sent map[string]json.RawMessage
			if err := json.Unmarshal(r.Body, &sent); err != nil {
				t.Fatal(err)
			}
			_, warm := sent["temperature"]
			if _, newer := sent["max_completion_tokens"]; warm || newer || string(sent["max_tokens"]) != "2048" {
				t.Errorf("temperature sent %v, max_completion_tokens sent %v, max_tokens %s", warm, newer, sent["max_tokens"])
			}
		}
	})
}

// TestBudgetThatIsTooLargeIsLowered, from the server's words to the next call.
func TestBudgetThatIsTooLargeIsLowered(t *testing.T) {
	t.Run("C08", func(t *testing.T) {
		var budgets []int
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var sent struct {
				MaxTokens int `json:"max_tokens"`
			}
			_ = json.NewDecoder(r.Body).Decode(&sent)
			if budgets = append(budgets, sent.MaxTokens); sent.MaxTokens > 1024 || sent.MaxTokens == 0 {
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprint(w, `{"error":{"message":"max_tokens is too large: 2048. This model supports at most 1024 completion tokens, larger values are not supported."}}`)
				return
			}
			fmt.Fprint(w, `{"choices":[{"finish_reason":"stop","message":{"content":"{\"reason\":\"r\",\"label\":\"biased\"}"}}]}`)
		}))
		defer srv.Close()
		e, err := judge.New(newClient(t, openai.Config{Model: "m", BaseURL: srv.URL}))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if r := e.Evaluate(t.Context(), &evaluators.Case{Output: "A."}, e.Metrics()[:1])[0]; r.Outcome != evaluators.OutcomeScored {
				t.Errorf("%+v", r)
			}
		}
		if diff := cmp.Diff([]int{2048, 1024, 1024}, budgets); diff != "" {
			t.Errorf("budgets (-want +got):\n%s", diff)
		}
	})
}
