package main

import (
	"context"
	"fmt"
	"math"
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
	priorities := []instrumentation.Priority{instrumentation.PriorityHigh, instrumentation.PriorityNormal, instrumentation.PriorityLow}
	weights := []float64{8, 3, 1}
	err = bubble(func() error {
		e, err := scripted("judge", judgetest.NewJudge(judgetest.WithDelay(100*time.Millisecond)), nil)
		if err != nil {
			return err
		}
		var mu sync.Mutex
		served := make([]int, len(priorities))
		cfg := manager.Config{
			Assignments: []evaluators.Assignment{assign(e, false)}, Concurrent: true, Workers: 4, QueueSize: 240,
			ResultHandlers: []manager.ResultHandler{func(inv *instrumentation.Invocation, _ []evaluators.Result) {
				mu.Lock()
				defer mu.Unlock()
				for i, p := range priorities {
					if inv.Summary().Priority == p {
						served[i]++
					}
				}
			}},
		}
		l, err := newLoad(cfg)
		if err != nil {
			return err
		}
		const length = 10 * time.Minute
		began := time.Now()
		offered := 0
		for time.Since(began) < length { // 50 a second of each, for a capacity of 40
			for _, p := range priorities {
				ctx := instrumentation.WithPriority(context.Background(), p)
				_, inv := l.handler.StartInference(ctx, instrumentation.Inference{Provider: "openai", Model: "m"})
				inv.SetOutput(instrumentation.AssistantMessage("answer"))
				inv.End()
				offered++
			}
			time.Sleep(20 * time.Millisecond)
		}
		l.stop()
		total := served[0] + served[1] + served[2]
		for i, w := range weights {
			share := float64(served[i]) / float64(total)
			off := math.Abs(share/(w/12) - 1)
			worst = max(worst, off)
			fmt.Printf("%-7v %5d served, %.4f of all, due %.4f\n", priorities[i], served[i], share, w/12)
		}
		fmt.Printf("%d offered, %d served in %v\n", offered, total, length)
		return nil
	})
	return worst, err
}
