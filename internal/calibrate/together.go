package calibrate

import (
	"slices"

	"github.com/genaievals/genaievals/evaluators"
)

// group are the metrics that the application has asked of a case in the same
// call as a question's: those that apply to it, as the evaluator groups them.
// The question's own is among them, and alone where nobody groups.
func (r *run) group(q *question, c *evaluators.Case) []evaluators.Metric {
	alone := []evaluators.Metric{q.Metric}
	grouper, ok := r.cfg.Evaluator.(evaluators.Grouper)
	if !ok {
		return alone
	}
	var apply []evaluators.Metric
	own := false
	for _, m := range r.cfg.Together {
		if m.Name == q.Name {
			m, own = q.Metric, true
		} else if _, missing := evaluators.NeedsMissing(c, m.Needs); missing {
			continue
		}
		apply = append(apply, m)
	}
	if !own {
		apply = append(apply, q.Metric)
	}
	for _, group := range grouper.Group(apply) {
		if slices.ContainsFunc(group, func(m evaluators.Metric) bool { return m.Name == q.Name }) {
			return group
		}
	}
	return alone
}

// groups are the names of the metrics that share calls where all apply.
func (r *run) groups() (names [][]string) {
	grouper, ok := r.cfg.Evaluator.(evaluators.Grouper)
	if !ok {
		return nil
	}
	for _, group := range grouper.Group(slices.Clone(r.cfg.Together)) {
		if len(group) < 2 {
			continue
		}
		var list []string
		for _, m := range group {
			list = append(list, m.Name)
		}
		names = append(names, list)
	}
	return names
}

// one returns the result of a metric among those of its group, with what the
// whole group took: that is what the answer cost. It leaves results alone that
// are not of a group.
func one(metric string, group []evaluators.Metric, results []evaluators.Result) []evaluators.Result {
	if len(group) == 1 {
		return results
	}
	var of []evaluators.Result
	var total evaluators.Result
	priced := true
	calls := 0 // that all share
	for i, r := range results {
		if i == 0 || r.Attempts < calls {
			calls = r.Attempts
		}
		total.InputTokens += r.InputTokens
		total.OutputTokens += r.OutputTokens
		total.Cost += r.Cost
		priced = priced && (r.HasCost || r.Attempts == 0)
		if r.Metric == metric {
			of = append(of, r)
		}
	}
	total.Attempts = calls
	for _, r := range results { // and those of one metric alone, asked again
		total.Attempts += r.Attempts - calls
	}
	for i := range of {
		of[i].InputTokens, of[i].OutputTokens, of[i].Attempts = total.InputTokens, total.OutputTokens, total.Attempts
		of[i].Cost, of[i].HasCost = total.Cost, priced && of[i].HasCost
	}
	return of
}
