package judgetest_test

import (
	"context"
	"fmt"
	"net/http"
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

// A server is for tests of everything up to the wire: here a judge whose
// provider filters one metric's text.
func ExampleNewServer() {
	server := judgetest.NewServer(
		judgetest.WithAPIKey("secret"),
		judgetest.WithAnswers("toxicity", judgetest.Fail(evaluators.ErrorJudgeContentFiltered)),
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
	// toxicity failed judge_content_filtered
	// [not_biased biased]
}

// A judge that has limits refuses what is beyond them, as long as it pleases
// you.
func ExampleWithPolicies() {
	server := judgetest.NewServer(judgetest.WithPolicies(
		judgetest.SlidingWindow(60, time.Minute),
		judgetest.Bucket(90_000, time.Minute, 90_000).Tokens(),
		judgetest.Concurrency(8),
	))
	defer server.Close()

	fmt.Println(judgetest.SlidingWindow(60, time.Minute))
	server.SetPolicies(judgetest.SlidingWindow(30, time.Minute))                                 // the provider changes its mind
	server.Override(judgetest.HTTP(429, http.Header{"Retry-After": {"30"}}, ""), 30*time.Second) // a storm
	server.Override(judgetest.Close(), 5*time.Minute)                                            // an outage
	fmt.Printf("%+v\n", server.Stats())
	// Output:
	// 60 calls in any 1m0s
	// {Calls:0 RateLimited:0 InFlight:0 Peak:0 Connections:0}
}
