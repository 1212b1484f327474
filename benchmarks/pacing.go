package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

func pacingClaims() []claim {
	return []claim{{name: "strict_pacing", bound: 1.005, says: "time over the ideal for 10 calls at strict:2/sec, none closer than 0.5 s",
		measure: strictPacing}}
}

func strictPacing() (float64, error) {
	const calls, apart = 10, 500 * time.Millisecond
	server := judgetest.NewServer()
	defer server.Close()
	var scored atomic.Int64
	evals, err := start(countScored(&scored), genaievals.WithConcurrent(true), genaievals.WithWorkers(calls),
		genaievals.WithEvaluators("judge(inference(bias))"), genaievals.WithRateLimit("strict:2/sec"),
		genaievals.WithJudge(func(j *envconfig.Judge) { j.BaseURL, j.Model = server.URL, "judge" }))
	if err != nil {
		return 0, err
	}
	defer evals.Shutdown(context.Background())
	for range calls {
		answer(evals.Handler())
	}
	if err := evals.Flush(context.Background()); err != nil {
		return 0, err
	}
	arrivals := server.Arrivals()
	if len(arrivals) != calls || scored.Load() != calls {
		return 0, fmt.Errorf("%d calls arrived and %d were scored, want %d", len(arrivals), scored.Load(), calls)
	}
	closest := time.Hour
	for i := 1; i < calls; i++ {
		closest = min(closest, arrivals[i].Sub(arrivals[i-1]))
	}
	took := arrivals[calls-1].Sub(arrivals[0])
	ideal := (calls - 1) * apart
	fmt.Printf("%d calls took %v at the server, ideal %v; the closest two were %v apart\n", calls, took, ideal, closest)
	if closest < apart {
		return 0, fmt.Errorf("two calls arrived %v apart, want at least %v", closest, apart)
	}
	return took.Seconds() / ideal.Seconds(), nil
}
