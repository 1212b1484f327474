package genaievals_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/instrumentation/genaihttp"
)

// An application that calls an OpenAI-compatible server changes one line, the
// client's transport, and starts. Here the model is a server on loopback, and
// the results are printed as well as emitted.
func Example() {
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"id":"1","model":"m","choices":[{"index":0,"finish_reason":"stop",
			"message":{"role":"assistant","content":"Great choice! I am happy to help."}}]}`)
	}))
	defer model.Close()

	ctx := context.Background()
	evals, err := genaievals.Start(ctx,
		genaievals.WithEvaluators("builtin(sentiment,bias)"),
		genaievals.WithHandler(instrumentation.NewHandler()), // without: the process's default
		genaievals.WithResultHandler(printResults),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	client := &http.Client{Transport: genaihttp.NewTransport(nil, genaihttp.WithHandler(evals.Handler()))}

	res, err := client.Post(model.URL+"/v1/chat/completions", "application/json",
		strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"I would like the red shoes."}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	var answer struct{ Model string }
	_ = json.NewDecoder(res.Body).Decode(&answer)
	_ = res.Body.Close()

	_ = evals.Shutdown(ctx) // evaluates what waits
	// Output:
	// sentiment scored Positive
	// bias skipped needs_judge
}

func printResults(_ *instrumentation.Invocation, results []evaluators.Result) {
	for _, r := range results {
		fmt.Println(r.Metric, r.Outcome, r.Label+r.Reason+r.ErrorType)
	}
}

// Calls that no transport sees are recorded by hand.
func ExampleEvals_Handler() {
	ctx := context.Background()
	evals, _ := genaievals.Start(ctx,
		genaievals.WithEvaluators("builtin(sentiment)"), genaievals.WithHandler(instrumentation.NewHandler()),
		genaievals.WithResultHandler(printResults))

	_, inv := evals.Handler().StartInference(ctx, instrumentation.Inference{
		Provider: "my_company", Model: "in-house-7b",
		Input: []instrumentation.Message{instrumentation.UserMessage("Where is my parcel?")},
	})
	inv.SetOutput(instrumentation.AssistantMessage("This is terrible, I am so sorry. It is lost."))
	inv.End()

	_ = evals.Shutdown(ctx)
	// Output: sentiment scored Negative
}

// An evaluator of the application's own, from a function.
func ExampleWithEvaluator() {
	polite := evaluators.Func("house_rules",
		evaluators.Metric{Name: "polite", Threshold: 1, Labels: []string{"Polite", "Curt"}, Needs: evaluators.NeedOutput},
		func(_ context.Context, c *evaluators.Case) evaluators.Result {
			if strings.Contains(c.Output, "please") {
				return evaluators.Scored("polite", 1, "Polite", "says please")
			}
			return evaluators.Scored("polite", 0, "Curt", "never says please")
		})

	ctx := context.Background()
	evals, _ := genaievals.Start(ctx, genaievals.WithEvaluator(polite), genaievals.WithEvaluators("house_rules"),
		genaievals.WithHandler(instrumentation.NewHandler()), genaievals.WithResultHandler(printResults))
	_, inv := evals.Handler().StartInference(ctx, instrumentation.Inference{Provider: "openai", Model: "m"})
	inv.SetOutput(instrumentation.AssistantMessage("Read the manual."))
	inv.End()
	_ = evals.Shutdown(ctx)
	// Output: polite scored Curt
}

// Release gates and debugging ask for one invocation's results at once.
func ExampleEvals_EvaluateNow() {
	judge := judgetest.NewJudge(judgetest.WithAnswers("toxicity", judgetest.Label("toxic", "calls the customer a fool")))
	ctx := context.Background()
	evals, _ := genaievals.Start(ctx, genaievals.WithJudgeClient(judge), genaievals.WithEvaluators("judge(toxicity)"),
		genaievals.WithHandler(instrumentation.NewHandler()), genaievals.WithSampleRate(0))
	defer func() { _ = evals.Shutdown(ctx) }()

	_, inv := evals.Handler().StartInference(ctx, instrumentation.Inference{Provider: "openai", Model: "m"})
	inv.SetOutput(instrumentation.AssistantMessage("Only a fool would ask that."))
	inv.End()

	results, err := evals.EvaluateNow(ctx, inv)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := results[0]
	fmt.Printf("%s %.2f %s, passed %t: %s\n", r.Metric, r.Score, r.Label, r.Passed, r.Explanation)
	// Output: toxicity 1.00 Toxic, passed false: calls the customer a fool
}
