package docs_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"time"

	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/manager"
)

// The cookbook quotes from these examples; TestCookbookCodeIsTested compares.
// They say nothing about starting: one instance runs at a time, so each shuts
// its own down.

// answered records a chat as a transport would, and returns it.
func answered(ctx context.Context, question, answer string) *instrumentation.Invocation {
	_, inv := instrumentation.Default().StartInference(ctx, instrumentation.Inference{
		Provider: "openai", Model: "shop-small",
		Input: []instrumentation.Message{instrumentation.UserMessage(question)},
	})
	inv.SetOutput(instrumentation.AssistantMessage(answer))
	inv.End()
	return inv
}

// printing shows what came of each metric.
var printing = genaievals.WithResultHandler(func(_ *instrumentation.Invocation, results []evaluators.Result) {
	for _, r := range results {
		fmt.Println(strings.TrimSpace(fmt.Sprintf("%s %s %s%s%s", r.Metric, r.Outcome, r.Label, r.Reason, r.ErrorType)))
	}
})

func quietly() genaievals.Option {
	return genaievals.WithLogger(slog.New(slog.DiscardHandler))
}

func Example_ownMetric() {
	ctx := context.Background()
	brevity := evaluators.Metric{
		Name: "brevity", Threshold: 0.8, Labels: []string{"Short", "Long"},
		Needs: evaluators.NeedOutput,
	}
	style := evaluators.Func("style", brevity, func(_ context.Context, c *evaluators.Case) evaluators.Result {
		const most = 5
		words := len(strings.Fields(c.Output))
		if words <= most {
			return evaluators.Scored("brevity", 1, "Short", "")
		}
		return evaluators.Scored("brevity", most/float64(words), "Long", fmt.Sprintf("%d words", words))
	})
	evals, err := genaievals.Start(ctx, genaievals.WithEvaluator(style),
		genaievals.WithResultHandler(func(_ *instrumentation.Invocation, results []evaluators.Result) {
			for _, r := range results {
				if r.Evaluator == "style" {
					fmt.Printf("%.2f %s passed=%t: %s\n", r.Score, r.Label, r.Passed, r.Explanation)
				}
			}
		}))
	if err != nil {
		fmt.Println(err)
		return
	}
	answered(ctx, "How long can I return shoes?", "For thirty days from the day on which they reached you.")
	_ = evals.Shutdown(ctx)
	// Output: 0.45 Long passed=false: 11 words
}

var email = regexp.MustCompile(`[\w.+-]+@[\w-]+\.[\w.-]+`)

func redact(c *evaluators.Case) {
	hide := func(s string) string { return email.ReplaceAllString(s, "[email]") }
	c.Input, c.Output, c.System = hide(c.Input), hide(c.Output), hide(c.System)
	for i := range c.History {
		c.History[i].Text = hide(c.History[i].Text)
	}
	for i := range c.Documents {
		c.Documents[i].Text = hide(c.Documents[i].Text)
	}
}

func Example_redaction() {
	ctx := context.Background()
	judge := judgetest.NewJudge()
	evals, err := genaievals.Start(ctx, genaievals.WithRedactor(redact),
		genaievals.WithJudgeClient(judge), genaievals.WithEvaluators("judge(bias)"), printing, quietly())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer evals.Shutdown(ctx)

	answered(ctx, "Who am I?", "You are ann@example.org here.")
	_ = evals.Flush(ctx)
	fmt.Println(judge.Calls()[0].Request.Messages[1].Text)
	// Output:
	// bias scored Not Biased
	// {"input":"Who am I?","output":"You are [email] here."}
}

func Example_sampler() {
	ctx := context.Background()
	everyRefund := genaievals.WithSampler(func(inv *instrumentation.Invocation) bool {
		return inv.AgentName() == "refunds" || rand.Float64() < 0.01
	})
	evals, err := genaievals.Start(ctx, everyRefund, quietly())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer evals.Shutdown(ctx)

	ctx, agent := evals.Handler().StartAgent(ctx, instrumentation.Agent{Name: "refunds"})
	answered(ctx, "Where is my money?", "It reaches you by Friday.")
	agent.End()
	fmt.Println(evals.Status().Door.FannedOut, "evaluated")
	// Output: 2 evaluated
}

func Example_resultHandler() {
	ctx := context.Background()
	review := func(inv *instrumentation.Invocation, results []evaluators.Result) {
		for _, r := range results {
			switch {
			case r.Outcome == evaluators.OutcomeFailed:
				fmt.Printf("%s %s: %s\n", inv.ResponseID(), r.Metric, r.ErrorType)
			case r.Outcome == evaluators.OutcomeScored && !r.Passed:
				fmt.Printf("%s %s: %.2f, %s\n", inv.ResponseID(), r.Metric, r.Score, r.Explanation)
			}
		}
	}
	lost := func(d manager.Drop) { fmt.Println("not evaluated:", d.Lane, d.Reason) }
	evals, err := genaievals.Start(ctx, genaievals.WithResultHandler(review), genaievals.WithOnDrop(lost),
		genaievals.WithEvaluators("judge(bias,toxicity)"), quietly(),
		genaievals.WithJudgeClient(judgetest.NewJudge(
			judgetest.WithAnswers("bias", judgetest.Label("biased", "It says that one group is lazy.")),
			judgetest.WithAnswers("toxicity", judgetest.Fail(evaluators.ErrorJudgeQuota)))))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, inv := evals.Handler().StartInference(ctx, instrumentation.Inference{Provider: "openai"})
	inv.SetOutput(instrumentation.AssistantMessage("They never work."))
	inv.SetResponse("resp_7", "", "stop")
	inv.End()
	if err := evals.Shutdown(ctx); err != nil {
		fmt.Println(err)
	}
	// Output:
	// resp_7 bias: 1.00, It says that one group is lazy.
	// resp_7 toxicity: judge_quota
}

func Example_streaming() {
	ctx := context.Background()
	handler := instrumentation.Default()
	stream := func(yield func(string) bool) { _ = yield("For ") && yield("30 ") && yield("days.") }

	_, inv := handler.StartInference(ctx, instrumentation.Inference{
		Provider: "openai", Model: "shop-small", Stream: true,
		Input: []instrumentation.Message{instrumentation.UserMessage("How long can I return shoes?")},
	})
	var answer strings.Builder
	for piece := range stream {
		inv.Chunk()
		answer.WriteString(piece)
	}
	inv.SetOutput(instrumentation.AssistantMessage(answer.String()))
	inv.End()

	fmt.Println(inv.Chunks(), "chunks:", inv.Output()[0].Parts[0].Content)
	// Output: 3 chunks: For 30 days.
}

func Example_documents() {
	ctx := context.Background()
	handler := instrumentation.Default()
	found := []instrumentation.Document{{ID: "returns", Text: "Shoes can be returned for 30 days."}}

	// Where the search is a step of its own: its span, and its documents for
	// what follows in the same trace, agent or workflow.
	sctx, search := handler.StartRetrieval(ctx, instrumentation.Retrieval{DataSourceID: "shop", Query: "return shoes"})
	_ = sctx // … search with it …
	search.SetDocuments(found...)
	search.End()

	// Where they are at hand anyway: for every answer below this context.
	ctx = instrumentation.WithDocuments(ctx, found...)

	fmt.Println(len(answered(ctx, "Can I return shoes?", "For 30 days.").Documents()), "document")
	// Output: 1 document
}

func Example_agent() {
	ctx := context.Background()
	question := instrumentation.UserMessage("Is it raining in Bonn?")

	handler := instrumentation.Default()
	ctx, agent := handler.StartAgent(ctx, instrumentation.Agent{
		Name: "weather", Input: []instrumentation.Message{question},
	})
	answered(ctx, "Is it raining in Bonn?", "I look it up.") // the model's calls, through the transport

	_, tool := handler.StartTool(ctx, instrumentation.Tool{Name: "radar", CallID: "call_1", Arguments: map[string]string{"city": "Bonn"}})
	tool.SetToolResult(map[string]any{"city": "Bonn", "rain": true})
	tool.End()

	agent.SetOutput(instrumentation.AssistantMessage("Yes, it is raining in Bonn."))
	agent.End()

	for _, d := range agent.Documents() {
		fmt.Println(d.ID, d.Text)
	}
	// Output: call_1 {"city":"Bonn","rain":true}
}

func Example_notThis() {
	ctx := context.Background()
	evals, err := genaievals.Start(ctx, quietly())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer evals.Shutdown(ctx)
	answered(instrumentation.WithoutEvaluation(ctx), "ping", "pong")
	fmt.Println(evals.Status().Door.Skipped)
	// Output: map[suppressed:1]
}

func Example_evaluateNow() {
	ctx := context.Background()
	handler := instrumentation.NewHandler() // nobody's callback but ours
	evals, err := genaievals.Start(ctx, quietly(), genaievals.WithHandler(handler))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer evals.Shutdown(ctx)
	ctx = instrumentation.WithDocuments(ctx, instrumentation.Document{Text: "Shoes can be returned for 30 days."})
	inv := answered(ctx, "How long can I return shoes?", "You can return shoes for 90 days.")

	results, err := evals.EvaluateNow(ctx, inv)
	if err != nil {
		fmt.Println(err)
	}
	for _, r := range results {
		if r.Outcome == evaluators.OutcomeScored && !r.Passed {
			fmt.Printf("%s: %s\n", r.Metric, r.Explanation)
		}
	}
	// Output: faithfulness: "90 days" is in no document, said in "You can return shoes for 90 days."
}

func Example_shutdownOrder() {
	server := httptest.NewServer(http.NotFoundHandler()).Config
	tracerProvider, meterProvider, loggerProvider := sdktrace.NewTracerProvider(), sdkmetric.NewMeterProvider(), sdklog.NewLoggerProvider()
	evals, err := genaievals.Start(context.Background(), quietly(), genaievals.WithTracerProvider(tracerProvider),
		genaievals.WithMeterProvider(meterProvider), genaievals.WithLoggerProvider(loggerProvider))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer instrumentation.SetDefault(nil)

	// Not the context that a signal has just ended.
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	err = errors.Join(
		server.Shutdown(ctx), // no answers any more
		evals.Shutdown(ctx),  // what waits is evaluated, and the results recorded
		tracerProvider.Shutdown(ctx),
		meterProvider.Shutdown(ctx),
		loggerProvider.Shutdown(ctx),
	)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	fmt.Println(err)
	// Output: <nil>
}
