package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/manager"
)

func shareClaims() []claim {
	return []claim{{name: "priority_shares", bound: 0.03, says: "deviation from 8:3:1 of three priorities offered above capacity for 10 minutes",
		measure: priorityShares, bubbles: true}}
}

func priorityShares() (worst float64, err error) {
	err = bubble(func() (err error) {
		worst, err = sharesRun(10*time.Minute, 100*time.Millisecond)
		return err
	})
	if err != nil {
		return 0, err
	}
	fmt.Println("in real time, ten times faster:")
	inReal, err := sharesRun(6*time.Second, 10*time.Millisecond)
	fmt.Printf("(not part of the claim: off by %.4f)\n", inReal)
	return worst, err
}

// sharesRun offers each of three priorities a quarter more than four workers
// can judge, and returns how far the worst is off its share.
func sharesRun(length, latency time.Duration) (worst float64, err error) {
	priorities := []instrumentation.Priority{instrumentation.PriorityHigh, instrumentation.PriorityNormal, instrumentation.PriorityLow}
	weights := []float64{8, 3, 1}
	e, err := scripted("judge", judgetest.NewJudge(judgetest.WithDelay(latency)), nil)
	if err != nil {
		return 0, err
	}
	var mu sync.Mutex
	served := make([]int, len(priorities))
	cfg := manager.Config{
		Assignments: []evaluators.Assignment{assign(e, false)}, Concurrent: true, Workers: 4, QueueSize: 240,
		ResultHandlers: []manager.ResultHandler{func(inv *instrumentation.Invocation, _ []evaluators.Result) {
			mu.Lock()
			defer mu.Unlock()
			served[slices.Index(priorities, inv.Summary().Priority)]++
		}},
	}
	l, err := newLoad(cfg)
	if err != nil {
		return 0, err
	}
	offered := 0
	for began := time.Now(); time.Since(began) < length; time.Sleep(latency / 5) {
		for _, p := range priorities {
			ctx := instrumentation.WithPriority(context.Background(), p)
			_, inv := l.handler.StartInference(ctx, instrumentation.Inference{Provider: "openai", Model: "m"})
			inv.SetOutput(instrumentation.AssistantMessage("answer"))
			inv.End()
			offered++
		}
	}
	l.stop()
	mu.Lock()
	defer mu.Unlock()
	total := served[0] + served[1] + served[2]
	for i, w := range weights {
		share := float64(served[i]) / float64(total)
		worst = max(worst, math.Abs(share/(w/12)-1))
		fmt.Printf("%-7v %5d served, %.4f of all, due %.4f\n", priorities[i], served[i], share, w/12)
	}
	fmt.Printf("%d offered, %d served in %v\n", offered, total, length)
	return worst, nil
}
