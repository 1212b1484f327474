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
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/manager"
)

func Example_learnedLimits() {
	ctx := context.Background()
	evals, err := genaievals.Start(ctx, genaievals.WithJudgeClient(judgetest.NewJudge()), quietly())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer evals.Shutdown(ctx)

	for _, lane := range evals.Status().Lanes {
		for _, e := range lane.Evaluators {
			if g := e.Gate; g != nil && g.Adaptive != nil {
				fmt.Printf("%s: %d calls at once, %.1f a second, %d refused\n",
					e.Name, g.Adaptive.Cap, g.Adaptive.Rate, g.Adaptive.Refusals)
			}
		}
	}
	// Output: judge: 1 calls at once, 0.0 a second, 0 refused
}

// adjustable is a judge whose limits change while it runs.
func adjustable(client judge.Client) (*judge.Evaluator, *limit.Gate, error) {
	gate := limit.NewGate(
		limit.WithRate(limit.Rate{PerSecond: 8, Burst: 1}),
		limit.WithTokenRate(limit.Rate{PerSecond: 1500, Burst: 9000}),
		limit.WithAdaptive(64),
		limit.WithBreaker(limit.Breaker{}))
	e, err := judge.New(client, judge.WithGate(gate)) // its name is judge
	return e, gate, err
}

func Example_changedLimits() {
	ctx := context.Background()
	e, gate, err := adjustable(judgetest.NewJudge())
	if err != nil {
		fmt.Println(err)
		return
	}
	evals, err := genaievals.Start(ctx, genaievals.WithEvaluator(e), genaievals.WithEvaluators("judge(toxicity)"), printing, quietly())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer evals.Shutdown(ctx)
	answered(ctx, "Hello!", "Good morning.")
	_ = evals.Flush(ctx)

	halved, err := limit.ParseRate("4/sec")
	if err == nil {
		err = gate.SetRate(halved) // those who wait go at the new pace at once
	}

	fmt.Println(gate.Status().Rate.PerSecond, "calls a second", err)
	// Output:
	// toxicity scored Non Toxic
	// 4 calls a second <nil>
}

func Example_budget() {
	ctx := context.Background()
	evals, err := genaievals.Start(ctx, genaievals.WithJudgeClient(judgetest.NewJudge()),
		genaievals.WithEvaluators("judge(toxicity)"), genaievals.WithBudget("2450tokens/hour"), printing, quietly())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer evals.Shutdown(ctx)
	for range 3 { // each is expected to use some 2,400 tokens, and uses 120
		answered(ctx, "Hello!", "Good morning.")
		_ = evals.Flush(ctx)
	}
	gate := evals.Status().Lanes[0].Evaluators[0].Gate
	fmt.Println(gate.Budget.Spent, "spent of", gate.Budget.Budget)
	// Output:
	// toxicity scored Non Toxic
	// toxicity skipped budget
	// toxicity skipped budget
	// 120 spent of 2450tokens/hour
}

func Example_twoJudges() {
	ctx := context.Background()
	server := judgetest.NewServer()
	defer server.Close()
	url := server.URL
	evals, err := genaievals.Start(ctx, printing, quietly(),
		genaievals.WithJudge(func(j *envconfig.Judge) { j.BaseURL, j.Model = url, "small" }),
		genaievals.WithNamedJudge("strong", func(j *envconfig.Judge) { j.BaseURL, j.Model = url, "large" }),
		genaievals.WithEvaluators("judge(toxicity),strong(bias)"))
	if err != nil {
		fmt.Println(err)
		return
	}
	answered(ctx, "Hello!", "Good morning.")
	_ = evals.Shutdown(ctx)
	for _, r := range server.Requests() {
		fmt.Println(r.Question.Metric, "asked of", r.Model)
	}
	// Output:
	// toxicity scored Non Toxic
	// bias scored Not Biased
	// toxicity asked of small
	// bias asked of large
}

func Example_priorities() {
	ctx := context.Background()
	rules := genaievals.WithPriorityRules(
		manager.PriorityRule{Agents: []string{"refunds"}, Priority: instrumentation.PriorityHigh},
		manager.PriorityRule{Models: []string{"shop-small"}, Priority: instrumentation.PriorityLow})
	evals, err := genaievals.Start(ctx, rules, genaievals.WithEvaluators("builtin(toxicity)"), quietly())
	if err != nil {
		fmt.Println(err)
		return
	}
	answered(ctx, "Hello!", "Good morning.") // low, by the second rule

	ctx = instrumentation.WithPriority(ctx, instrumentation.PriorityHigh) // whatever the rules say
	answered(ctx, "Where is my money?", "It reaches you by Friday.")

	_ = evals.Shutdown(ctx)
	for _, p := range evals.Status().Lanes[0].Priorities {
		fmt.Println(p.Priority, p.Taken)
	}
	// Output:
	// high 1
	// normal 0
	// low 1
}

// moderation is an evaluator that asks a service, through a gate of its own.
type moderation struct {
	evaluators.Evaluator
	gate *limit.Gate
}

// Gate is asked before a worker takes a task: the surplus waits in the queue.
func (m *moderation) Gate() *limit.Gate { return m.gate }

func newModeration(ask func(ctx context.Context, text string) (float64, limit.Outcome, error)) *moderation {
	m := &moderation{gate: limit.NewGate(
		limit.WithRate(limit.Rate{PerSecond: 5, Burst: 1}),
		limit.WithAdaptive(16), limit.WithBreaker(limit.Breaker{}))}
	flagged := evaluators.Metric{Name: "flagged", Direction: evaluators.LowerIsBetter, Threshold: 0.5, Needs: evaluators.NeedOutput}
	m.Evaluator = evaluators.Func("moderation", flagged, func(ctx context.Context, c *evaluators.Case) evaluators.Result {
		permit, err := m.gate.Acquire(ctx) // before every send
		switch {
		case errors.Is(err, limit.ErrOpen):
			return evaluators.Failed("flagged", evaluators.ErrorJudgeCircuitOpen, err)
		case err != nil:
			return evaluators.Failed("flagged", evaluators.ErrorJudgeRateLimited, err)
		}
		score, outcome, err := ask(ctx, c.Output)
		permit.Done(outcome) // on every path: the result, and the answer's headers
		if err != nil {
			return evaluators.Failed("flagged", evaluators.ErrorJudgeUnavailable, err)
		}
		return evaluators.Scored("flagged", score, "", "")
	})
	return m
}

func Example_ownGate() {
	ctx := context.Background()
	var asked atomic.Int64
	m := newModeration(func(context.Context, string) (float64, limit.Outcome, error) {
		if n := asked.Add(1); n > 1 {
			return 0, limit.Outcome{Result: limit.ResultFatal}, errors.New("status 401")
		}
		return 0.25, limit.Outcome{Result: limit.ResultOK}, nil
	})
	evals, err := genaievals.Start(ctx, genaievals.WithEvaluator(m), genaievals.WithEvaluators("moderation"), printing, quietly())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer evals.Shutdown(ctx)
	for range 2 {
		answered(ctx, "Hello!", "Good morning.")
		_ = evals.Flush(ctx)
	}
	fmt.Println(asked.Load(), "asked, breaker", m.gate.Status().Breaker.State)
	// Output:
	// flagged scored
	// flagged failed judge_unavailable
	// 2 asked, breaker open
}
