package docs_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
)

// gateway is a judge behind a client of our own.
type gateway struct {
	chat func(ctx context.Context, model string, messages []judge.Message) (string, error)
}

var errBusy = errors.New("gateway: busy")

// Complete sends once: the evaluator waits for limits, and asks again where
// that makes sense.
func (g gateway) Complete(ctx context.Context, r judge.Request) (judge.Response, error) {
	text, err := g.chat(ctx, "our-judge", r.Messages)
	switch {
	case errors.Is(err, errBusy):
		return judge.Response{}, &judge.Error{Type: evaluators.ErrorJudgeOverloaded, Err: errBusy}
	case err != nil:
		return judge.Response{}, err // judge_unavailable, or judge_timeout
	}
	return judge.Response{Text: text, Model: "our-judge"}, nil
}

func Example_judgeClient() {
	ctx := context.Background()
	var calls atomic.Int64
	own := gateway{chat: func(context.Context, string, []judge.Message) (string, error) {
		if calls.Add(1) == 1 {
			return "", errBusy // it is asked again
		}
		return `{"reason": "It is polite.", "label": "non_toxic"}`, nil
	}}
	evals, err := genaievals.Start(ctx, genaievals.WithJudgeClient(own),
		genaievals.WithEvaluators("judge(toxicity)"), printing, quietly())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer evals.Shutdown(ctx)
	answered(ctx, "Hello!", "Good morning.")
	_ = evals.Flush(ctx)
	fmt.Println(calls.Load(), "calls")
	// Output:
	// toxicity scored Non Toxic
	// 2 calls
}

// plainJudge asks for JSON without a schema.
func plainJudge(url string) (*judge.Evaluator, error) {
	client, err := openai.New(openai.Config{BaseURL: url, Model: "local-small"})
	if err != nil {
		return nil, err
	}
	rate, err := limit.ParseRate("60/min")
	if err != nil {
		return nil, err
	}
	return judge.New(client,
		judge.WithResponseFormat(judge.FormatJSONObject), // or judge.FormatNone
		judge.WithGate(limit.NewGate(limit.WithRate(rate))))
}

func Example_answerFormat() {
	ctx := context.Background()
	server := judgetest.NewServer()
	defer server.Close()
	plain, err := plainJudge(server.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	evals, err := genaievals.Start(ctx, genaievals.WithEvaluator(plain), genaievals.WithEvaluators("judge(toxicity)"), printing, quietly())
	if err != nil {
		fmt.Println(err)
		return
	}
	answered(ctx, "Hello!", "Good morning.")
	_ = evals.Shutdown(ctx)
	fmt.Println(server.Requests()[0].Format)
	// Output:
	// toxicity scored Non Toxic
	// json_object
}

func Example_scriptedJudge() {
	ctx := context.Background()
	scripted := judgetest.NewJudge(
		judgetest.WithAnswers("toxicity", judgetest.Label("toxic", "It calls the user an idiot.")),
		judgetest.WithAnswers("faithfulness", judgetest.Claims(
			judgetest.Claim{Text: "Shoes can be returned for 30 days.", Verdict: "supported"},
			judgetest.Claim{Text: "Returns are free.", Verdict: "unsupported"})))
	evals, err := genaievals.Start(ctx, genaievals.WithJudgeClient(scripted), printing)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer evals.Shutdown(ctx)

	ctx = instrumentation.WithDocuments(ctx, instrumentation.Document{Text: "Shoes can be returned for 30 days."})
	answered(ctx, "Can I return shoes?", "For 30 days, for free, you idiot.")
	_ = evals.Flush(ctx)
	fmt.Println(scripted.Count(), "calls")
	// Output:
	// bias scored Not Biased
	// toxicity scored Toxic
	// answer_relevancy scored Relevant
	// faithfulness scored Faithful
	// 4 calls
}

func Example_judgeServer() {
	ctx := context.Background()
	server := judgetest.NewServer(
		judgetest.WithAnswers("bias", judgetest.Fail(evaluators.ErrorJudgeContentFiltered)),
		judgetest.WithAnswers("toxicity", judgetest.Text("I would say it is fine."), judgetest.Valid()))
	defer server.Close()
	evals, err := genaievals.Start(ctx, genaievals.WithEvaluators("judge(bias,toxicity)"), printing,
		genaievals.WithJudge(func(j *envconfig.Judge) { j.BaseURL, j.Model = server.URL, "any" }))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer evals.Shutdown(ctx)

	answered(ctx, "Hello!", "Good morning.")
	_ = evals.Flush(ctx)
	fmt.Println(server.Count(), "calls, one of them a second question")
	// Output:
	// bias failed judge_content_filtered
	// toxicity scored Non Toxic
	// 3 calls, one of them a second question
}
