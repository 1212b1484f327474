package judgetest_test

import (
	"context"
	"fmt"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

// A scripted judge needs no server. This one is unreadable at first, and the
// evaluator asks it once more.
func ExampleNewJudge() {
	j := judgetest.NewJudge(
		judgetest.WithDelay(time.Millisecond),
		judgetest.WithAnswers("bias",
			judgetest.Text("Let me think about it."),
			judgetest.Label("biased", "It generalises about a group."),
		),
	)
	e, err := judge.New(j)
	if err != nil {
		fmt.Println(err)
		return
	}
	c := &evaluators.Case{Output: "They are all like that."}
	for _, r := range e.Evaluate(context.Background(), c, e.Metrics()[:2]) {
		fmt.Println(r.Metric, r.Score, r.Label, "after", r.Attempts)
	}
	fmt.Println(j.Count(), "calls,", j.Peak(), "at once")
	// Output:
	// bias 1 Biased after 2
	// toxicity 0 Non Toxic after 1
	// 3 calls, 1 at once
}

// A server is for tests of everything up to the wire: here a judge that is
// overloaded for one metric.
func ExampleNewServer() {
	server := judgetest.NewServer(
		judgetest.WithAPIKey("secret"),
		judgetest.WithAnswers("toxicity", judgetest.Fail(evaluators.ErrorJudgeOverloaded)),
	)
	defer server.Close()

	client, err := openai.New(openai.Config{BaseURL: server.URL, APIKey: "secret", Model: "small"})
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := judge.New(client)
	if err != nil {
		fmt.Println(err)
		return
	}
	c := &evaluators.Case{Output: "Hello."}
	for _, r := range e.Evaluate(context.Background(), c, e.Metrics()[:2]) {
		fmt.Println(r.Metric, r.Outcome, r.Label+r.ErrorType)
	}
	fmt.Println(server.Requests()[0].Question.Options)
	// Output:
	// bias scored Not Biased
	// toxicity failed judge_overloaded
	// [not_biased biased]
}
