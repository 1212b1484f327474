package main

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

// fourMetrics are those that the claims about calls ask.
const fourMetrics = "judge(inference(bias,toxicity,answer_relevancy,faithfulness))"

func judgeCallClaims() []claim {
	return []claim{
		{name: "judge_calls", bound: 4, says: "calls that reach the judge over HTTP for bias, toxicity, answer_relevancy and faithfulness of one invocation",
			measure: func() (float64, error) { return judgeCalls(func(*envconfig.Judge) {}) }},
	}
}

// judgeCalls has one invocation evaluated, from its end to the results, and
// counts what arrives at the judge.
func judgeCalls(mode func(*envconfig.Judge)) (float64, error) {
	server := judgetest.NewServer()
	defer server.Close()
	var scored atomic.Int64
	evals, err := start(genaievals.WithEvaluators(fourMetrics), countScored(&scored),
		genaievals.WithJudge(func(j *envconfig.Judge) { j.BaseURL, j.Model = server.URL, "judge"; mode(j) }))
	if err != nil {
		return 0, err
	}
	defer evals.Shutdown(context.Background())
	answer(evals.Handler())
	if err := evals.Flush(context.Background()); err != nil {
		return 0, err
	}
	for i, r := range server.Requests() {
		fmt.Printf("call %d: %s, %d bytes\n", i+1, r.Question.Metric, len(r.Body))
	}
	if n := scored.Load(); n != 4 {
		return 0, fmt.Errorf("%d of 4 metrics were scored", n)
	}
	return float64(server.Count()), nil
}
