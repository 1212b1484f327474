package manager

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
)

// maxErrorText is how many bytes of an error's text the status keeps.
const maxErrorText = 512

var (
	errDuplicateResult = errors.New("the evaluator reported the metric twice")
	errNoOutcome       = errors.New("the result is neither scored, skipped nor failed")
	errScoreRange      = errors.New("the score is not in 0…1")
	errUndeclaredLabel = errors.New("the label is not one of the metric's")
)

// check holds an evaluator to its contract: exactly one result for each metric
// asked, in the order asked. Nothing is scored because something went wrong.
// Results for metrics that were not asked are no result of this case: they are
// reported as the error of the first metric that got none, else let go.
//
// It runs where the evaluator's panics are contained, and asks its errors for
// their text there: nobody calls their methods later.
func (m *Manager) check(mb *member, metrics []evaluators.Metric, reported []evaluators.Result) []evaluators.Result {
	results := make([]evaluators.Result, len(metrics))
	var unannounced error
	for _, r := range reported {
		if !slices.ContainsFunc(metrics, func(asked evaluators.Metric) bool { return asked.Name == r.Metric }) {
			unannounced = fmt.Errorf("the evaluator reported %q, which it was not asked", truncate(r.Metric, 64))
		}
	}
	for i, metric := range metrics {
		var found int
		for _, r := range reported {
			if r.Metric == metric.Name {
				results[i] = checkOne(metric, r)
				found++
			}
		}
		switch {
		case found == 0 && unannounced != nil:
			results[i] = evaluators.Failed(metric.Name, evaluators.ErrorEvaluatorBadResult, unannounced)
		case found == 0:
			results[i] = evaluators.Skipped(metric.Name, evaluators.SkipNotReported, "")
		case found > 1:
			results[i] = evaluators.Failed(metric.Name, evaluators.ErrorEvaluatorBadResult, errDuplicateResult)
		}
	}
	for i := range results {
		results[i].Err = m.plain(results[i].Err)
	}
	complete(mb, metrics, results)
	return results
}

func checkOne(metric evaluators.Metric, r evaluators.Result) evaluators.Result {
	bad := func(err error) evaluators.Result {
		failed := evaluators.Failed(metric.Name, evaluators.ErrorEvaluatorBadResult, err)
		failed.JudgeModel, failed.Attempts, failed.LimitWait = r.JudgeModel, r.Attempts, r.LimitWait
		failed.InputTokens, failed.OutputTokens = r.InputTokens, r.OutputTokens
		failed.Cost, failed.HasCost, failed.InputCut = r.Cost, r.HasCost, r.InputCut
		return failed
	}
	switch r.Outcome {
	case evaluators.OutcomeScored:
		if !r.Finite() || r.Score < 0 || r.Score > 1 {
			return bad(errScoreRange)
		}
		if r.Label != "" && len(metric.Labels) > 0 && !slices.Contains(metric.Labels, r.Label) {
			return bad(errUndeclaredLabel)
		}
		r.Reason, r.ErrorType, r.Err = "", "", nil
		r.Passed = metric.Passes(r.Score)
		return r
	case evaluators.OutcomeSkipped:
		r.Score, r.Label, r.Passed, r.ErrorType, r.Err = 0, "", false, "", nil
		if r.Reason == "" {
			r.Reason = evaluators.SkipNotReported
		}
		return r
	case evaluators.OutcomeFailed:
		r.Score, r.Label, r.Passed, r.Reason = 0, "", false, ""
		if r.ErrorType == "" {
			r.ErrorType = evaluators.ErrorEvaluatorBadResult
		}
		return r
	}
	return bad(errNoOutcome)
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

func truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
