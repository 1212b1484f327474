package evaluators

import (
	"context"
	"errors"
)

// Func makes an evaluator of one metric from a function. Its type is
// [TypeDeterministic] and its version "1"; implement [Evaluator] for anything
// else.
//
// f runs on several goroutines at once and returns [Scored], [Skipped] or
// [Failed] for the metric; where the result names no metric, it is this one.
// It is not called for a case that lacks what metric.Needs names. It must
// return soon after ctx ends.
//
// Threshold 0 with HigherIsBetter passes every score: set it.
func Func(name string, metric Metric, f func(ctx context.Context, c *Case) Result) Evaluator {
	return funcEvaluator{name: name, metric: metric, f: f}
}

type funcEvaluator struct {
	name   string
	metric Metric
	f      func(context.Context, *Case) Result
}

var errNoFunc = errors.New("evaluator without a function")

func (e funcEvaluator) Name() string             { return e.name }
func (e funcEvaluator) Version() string          { return "1" }
func (e funcEvaluator) Type() string             { return TypeDeterministic }
func (e funcEvaluator) Metrics() []Metric        { return []Metric{e.metric} }
func (e funcEvaluator) DefaultMetrics() []string { return []string{e.metric.Name} }

func (e funcEvaluator) Evaluate(ctx context.Context, c *Case, metrics []Metric) []Result {
	results := make([]Result, 0, len(metrics))
	for _, m := range metrics {
		r := Failed(m.Name, ErrorEvaluatorBadResult, errNoFunc)
		if e.f != nil {
			r = e.f(ctx, c)
		}
		if r.Metric == "" {
			r.Metric = m.Name
		}
		results = append(results, r)
	}
	return results
}
