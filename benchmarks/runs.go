package main

import (
	"context"
	"fmt"
	"iter"
	"math"
	"sync"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/runner"
)

func runClaims() []claim {
	return []claim{
		{name: "runner_overhead", bound: 0.01, says: "a dataset run of 500 items by two judges: deviation of each from its own rate, 60/min and 1000/min, on a fake clock; and time over the ideal, less 1, at 100 times the speed on the real one",
			measure: runnerOverhead, bubbles: true},
		{name: "million_items", bound: 0.9, atLeast: true, says: "speed of a run over 1,000,000 items, read as JSON Lines and kept in a journal on disk, over that of its evaluator alone on the same cores: what builtin asks by default, by word lists, of answers of about 250 bytes without documents: some 0.15 ms of a core an item; 0 if it takes over 150 MB",
			measure: millionItems},
	}
}

// assigned are evaluators with their gates, all asked all their metrics.
type assigned struct {
	list  []evaluators.Assignment
	gates map[string]*limit.Gate
}

func (a assigned) Assignments() []evaluators.Assignment { return a.list }
func (a assigned) Gate(name string) *limit.Gate         { return a.gates[name] }
func (a assigned) Timeout() time.Duration               { return time.Minute }

func assignAll(list ...evaluators.Evaluator) assigned {
	a := assigned{gates: make(map[string]*limit.Gate)}
	for _, e := range list {
		a.list = append(a.list, evaluators.Assignment{
			Evaluator: e, Metrics: map[instrumentation.Kind][]evaluators.Metric{instrumentation.KindInference: e.Metrics()},
		})
	}
	return a
}

// slowJudge answers after a while, and notes when it was asked.
type slowJudge struct {
	evaluators.Evaluator
	latency time.Duration

	mu    sync.Mutex
	asked []time.Time
}

func newSlowJudge(name string, latency time.Duration) *slowJudge {
	j := &slowJudge{latency: latency}
	j.Evaluator = evaluators.Func(name, evaluators.Metric{Name: name + "_quality", Threshold: 0.5}, j.answer)
	return j
}

// Type makes it an LLM judge.
func (*slowJudge) Type() string { return evaluators.TypeLLMJudge }

func (j *slowJudge) answer(context.Context, *evaluators.Case) evaluators.Result {
	j.mu.Lock()
	j.asked = append(j.asked, time.Now())
	j.mu.Unlock()
	time.Sleep(j.latency)
	return evaluators.Scored("", 1, "", "")
}

func runnerOverhead() (float64, error) {
	worst := 0.0
	err := bubble(func() error {
		off, _, err := twoJudges([2]string{"60/min", "1000/min"}, 2*time.Second)
		worst = off
		return err
	})
	if err != nil {
		return 0, err
	}
	fmt.Println("in real time, a hundred times faster:")
	var over []float64
	for range 3 {
		_, more, err := twoJudges([2]string{"6000/min", "100000/min"}, 20*time.Millisecond)
		if err != nil {
			return 0, err
		}
		over = append(over, more)
	}
	return max(worst, median(over)), nil
}

// twoJudges runs 500 items by two judges of different rates. It returns how far
// the worse is off its own rate, and how much longer the run took than it had to.
func twoJudges(rates [2]string, latency time.Duration) (off, over float64, err error) {
	const items = 500
	judges := [2]*slowJudge{newSlowJudge("slow", latency), newSlowJudge("fast", latency)}
	evals := assignAll(judges[0], judges[1])
	var permitted [2]limit.Rate
	var ideal time.Duration
	for i, text := range rates {
		rate, err := limit.ParseRate(text)
		if err != nil {
			return 0, 0, err
		}
		gate := limit.NewGate(limit.WithRate(rate))
		permitted[i] = gate.Status().Rate
		evals.gates[judges[i].Name()] = gate
		// A full bucket goes at once, the rest at the rate.
		last := float64(items-permitted[i].Burst) / permitted[i].PerSecond
		ideal = max(ideal, time.Duration(last*float64(time.Second))+latency)
	}
	began := time.Now()
	r, err := runner.Start(context.Background(), numbered(items), evals, runner.WithConcurrency(64))
	if err != nil {
		return 0, 0, err
	}
	status, err := r.Wait()
	took := time.Since(began)
	if err != nil {
		return 0, 0, err
	}
	for i, j := range judges {
		if m := status.Evaluators[i].Metrics[0]; m.Scored != items {
			return 0, 0, fmt.Errorf("%s: %d of %d scored, failed %v", j.Name(), m.Scored, items, m.Failed)
		}
		last := j.asked[len(j.asked)-1].Sub(j.asked[permitted[i].Burst-1]).Seconds()
		share := float64(items-permitted[i].Burst) / last / permitted[i].PerSecond
		off = max(off, math.Abs(share-1))
		if permitted[i].PerSecond < 100 { // else the judge's own time shows in the burst
			fmt.Printf("%-10s %d calls at %.5f of its rate\n", rates[i], len(j.asked), share)
		}
	}
	over = float64(took)/float64(ideal) - 1
	fmt.Printf("took %v, ideally %v: %.5f more\n", took, ideal, over)
	return off, over, nil
}

// numbered are items without content to speak of.
func numbered(n int) iter.Seq2[runner.Item, error] {
	return func(yield func(runner.Item, error) bool) {
		for i := range n {
			if !yield(runner.Item{ID: fmt.Sprint(i), Input: "a question", Output: "an answer"}, nil) {
				return
			}
		}
	}
}
