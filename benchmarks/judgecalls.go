package main

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

func judgeCallClaims() []claim {
	return []claim{
		{name: "judge_calls", bound: 4, says: "calls that reach the judge over HTTP for bias, toxicity, answer_relevancy and faithfulness of one invocation",
			measure: func() (float64, error) { return judgeCalls(judge.ModePerMetric) }},
		{name: "judge_calls_combined", bound: 1, says: "the same, asked together",
			measure: func() (float64, error) { return judgeCalls(judge.ModeCombined) }},
	}
}

// judgeCalls has one invocation evaluated, from its end to the results, and
// counts what arrives at the judge.
func judgeCalls(mode judge.Mode) (float64, error) {
	server := judgetest.NewServer()
	defer server.Close()
	client, err := openai.New(openai.Config{BaseURL: server.URL, Model: "judge"})
	if err != nil {
		return 0, err
	}
	defer client.CloseIdleConnections()
	asking, err := judge.New(client, judge.WithMode(mode), judge.WithName("asking"))
	if err != nil {
		return 0, err
	}
	var scored atomic.Int64
	evals, err := start(genaievals.WithEvaluator(asking), countScored(&scored),
		genaievals.WithEvaluators("asking(inference(bias,toxicity,answer_relevancy,faithfulness))"))
	if err != nil {
		return 0, err
	}
	defer evals.Shutdown(context.Background())
	answer(evals.Handler())
	if err := evals.Flush(context.Background()); err != nil {
		return 0, err
	}
	for i, r := range server.Requests() {
		fmt.Printf("call %d: %d bytes\n", i+1, len(r.Body))
	}
	if n := scored.Load(); n != 4 {
		return 0, fmt.Errorf("%d of 4 metrics were scored", n)
	}
	return float64(server.Count()), nil
}
