package manager

import (
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/asking"
)

// check holds an evaluator to its contract, and fills in who it is.
//
// It runs where the evaluator's panics are contained, and asks its errors for
// their text there: nobody calls their methods later.
func (m *Manager) check(mb *member, metrics []evaluators.Metric, reported []evaluators.Result) []evaluators.Result {
	results := make([]evaluators.Result, len(metrics))
	asking.Check(results, metrics, reported)
	for i := range results {
		results[i].Err = m.plain(results[i].Err)
	}
	complete(mb, metrics, results)
	return results
}

// complete fills in who evaluated and on what terms.
func complete(mb *member, metrics []evaluators.Metric, results []evaluators.Result) {
	for i := range results {
		r := &results[i]
		r.Evaluator, r.EvaluatorVersion, r.EvaluatorType = mb.name, mb.version, mb.typ
		r.Threshold, r.Direction = metrics[i].Threshold, metrics[i].Direction
	}
}

// failAll returns the same failure for every metric.
func failAll(mb *member, metrics []evaluators.Metric, errorType string, err error) []evaluators.Result {
	results := make([]evaluators.Result, len(metrics))
	for i, metric := range metrics {
		results[i] = evaluators.Failed(metric.Name, errorType, err)
	}
	complete(mb, metrics, results)
	return results
}
