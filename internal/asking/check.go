package asking

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
)

var (
	errDuplicateResult = errors.New("the evaluator reported the metric twice")
	errNoOutcome       = errors.New("the result is neither scored, skipped nor failed")
	errScoreRange      = errors.New("the score is not in 0…1")
	errUndeclaredLabel = errors.New("the label is not one of the metric's")
)

// Check holds an evaluator to its contract: into dst goes exactly one result for
// each metric asked, in the order asked. Nothing is scored because something went
// wrong. Results for metrics that were not asked are no result of this case: they
// are reported as the error of the first metric that got none, else let go.
//
// Errors are left as they are: see [Plain]. Who evaluated is not filled in.
func Check(dst []evaluators.Result, metrics []evaluators.Metric, reported []evaluators.Result) {
	if inOrder(metrics, reported) {
		for i := range metrics {
			checkOne(&dst[i], &metrics[i], &reported[i])
		}
		return
	}
	var unannounced error
	for _, r := range reported {
		if !slices.ContainsFunc(metrics, func(asked evaluators.Metric) bool { return asked.Name == r.Metric }) {
			unannounced = fmt.Errorf("the evaluator reported %q, which it was not asked", Truncate(r.Metric, 64))
		}
	}
	for i := range metrics {
		metric := &metrics[i]
		var found int
		for j := range reported {
			if reported[j].Metric == metric.Name {
				checkOne(&dst[i], metric, &reported[j])
				found++
			}
		}
		switch {
		case found == 0 && unannounced != nil:
			dst[i] = evaluators.Failed(metric.Name, evaluators.ErrorEvaluatorBadResult, unannounced)
		case found == 0:
			dst[i] = evaluators.Skipped(metric.Name, evaluators.SkipNotReported, "")
		case found > 1:
			dst[i] = evaluators.Failed(metric.Name, evaluators.ErrorEvaluatorBadResult, errDuplicateResult)
		}
	}
}

// inOrder is the usual case, in which nothing has to be searched.
func inOrder(metrics []evaluators.Metric, reported []evaluators.Result) bool {
	if len(metrics) != len(reported) {
		return false
	}
	for i := range metrics {
		if metrics[i].Name != reported[i].Metric {
			return false
		}
	}
	return true
}

func checkOne(to *evaluators.Result, metric *evaluators.Metric, reported *evaluators.Result) {
	*to = *reported
	r := to
	switch r.Outcome {
	case evaluators.OutcomeScored:
		switch {
		case !r.Finite() || r.Score < 0 || r.Score > 1:
			*to = Bad(metric.Name, *reported, errScoreRange)
		case r.Label != "" && len(metric.Labels) > 0 && !slices.Contains(metric.Labels, r.Label):
			*to = Bad(metric.Name, *reported, errUndeclaredLabel)
		default:
			r.Reason, r.ErrorType, r.Err = "", "", nil
			r.Passed = metric.Passes(r.Score)
		}
	case evaluators.OutcomeSkipped:
		r.Score, r.Label, r.Passed, r.ErrorType, r.Err = 0, "", false, "", nil
		if r.Reason == "" {
			r.Reason = evaluators.SkipNotReported
		}
	case evaluators.OutcomeFailed:
		r.Score, r.Label, r.Passed, r.Reason = 0, "", false, ""
		if r.ErrorType == "" {
			r.ErrorType = evaluators.ErrorEvaluatorBadResult
		}
	default:
		*to = Bad(metric.Name, *reported, errNoOutcome)
	}
}

// Bad is the failure in place of a result that breaks the contract; what it cost
// stays.
func Bad(metric string, r evaluators.Result, why error) evaluators.Result {
	failed := evaluators.Failed(metric, evaluators.ErrorEvaluatorBadResult, why)
	failed.JudgeModel, failed.Attempts, failed.LimitWait = r.JudgeModel, r.Attempts, r.LimitWait
	failed.InputTokens, failed.OutputTokens = r.InputTokens, r.OutputTokens
	failed.Cost, failed.HasCost, failed.InputCut = r.Cost, r.HasCost, r.InputCut
	return failed
}

// Truncate cuts a text to n bytes, between characters, and says so.
func Truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
