// Modes evaluates the same answers in sequential and in concurrent mode, with a
// judge that always takes the same time, and shows how long each mode took:
//
//	go run ./examples/modes
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/instrumentation"
)

// A real judge takes a second or so.
const judgeTakes = 100 * time.Millisecond

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "modes:", err)
		os.Exit(1)
	}
}

// mode is a way to run the evaluators.
type mode struct {
	name    string
	options []genaievals.Option
}

var modes = []mode{
	{"sequential", []genaievals.Option{genaievals.WithConcurrent(false)}},
	{"2 workers", []genaievals.Option{genaievals.WithConcurrent(true), genaievals.WithWorkers(2)}},
	{"4 workers", []genaievals.Option{genaievals.WithConcurrent(true), genaievals.WithWorkers(4)}},
	{"4 workers, 2 metrics at a time", []genaievals.Option{
		genaievals.WithConcurrent(true), genaievals.WithWorkers(4), genaievals.WithMaxConcurrent(2),
	}},
}

// outcome is what one mode came to.
type outcome struct {
	results map[string]string // by answer and metric
	calls   int
	peak    int // calls at the same time
	took    time.Duration
}

// run shows a row for each mode, and fails when two modes disagree.
func run(ctx context.Context, out io.Writer) error {
	fmt.Fprintf(out, "%d answers, a judge that takes %v for each metric\n\n", len(answers), judgeTakes)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "MODE\tRESULTS\tCALLS\tAT ONCE\tTIME\tTIMES AS FAST")
	var first outcome
	for _, m := range modes {
		o, err := m.evaluate(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		if first.results == nil {
			first = o
		}
		if !maps.Equal(first.results, o.results) {
			return fmt.Errorf("%s gives other results than %s", m.name, modes[0].name)
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%.2fs\t%.1f\n",
			m.name, len(o.results), o.calls, o.peak, o.took.Seconds(), first.took.Seconds()/o.took.Seconds())
	}
	fmt.Fprintln(table, "\nAll modes give the same results.")
	return table.Flush()
}

// evaluate offers all answers at once and waits until they are evaluated.
func (m mode) evaluate(ctx context.Context) (o outcome, err error) {
	judge := judgetest.NewJudge(
		judgetest.WithDelay(judgeTakes),
		judgetest.WithAnswers("answer_relevancy", judgetest.Label("partially_relevant", "It leaves something out.")),
	)
	var mu sync.Mutex
	o.results = map[string]string{}
	keep := func(inv *instrumentation.Invocation, results []evaluators.Result) {
		mu.Lock()
		defer mu.Unlock()
		for _, r := range results {
			o.results[inv.ResponseID()+" "+r.Metric] = fmt.Sprint(r.Outcome, r.Score, r.Label, r.Reason, r.ErrorType)
		}
	}
	options := append(slices.Clip(m.options),
		genaievals.WithEvaluators("judge"), genaievals.WithJudgeClient(judge), genaievals.WithResultHandler(keep),
		genaievals.WithAdaptive(false)) // this judge has no limits that are to be found out
	evals, err := genaievals.Start(ctx, options...)
	if err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, evals.Shutdown(ctx)) }()
	if why := evals.Off(); why != "" {
		return o, fmt.Errorf("nothing is evaluated: %s", why)
	}

	began := time.Now()
	for _, a := range answers {
		a.record(ctx, evals.Handler())
	}
	if err := evals.Flush(ctx); err != nil {
		return o, err
	}
	o.took, o.calls, o.peak = time.Since(began), judge.Count(), judge.Peak()
	return o, nil
}
