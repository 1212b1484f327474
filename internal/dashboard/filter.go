package dashboard

import (
	"net/url"
	"strings"
)

const filterMax = 200 // bytes of a value

// filter says which results are asked for. What is empty is not asked about.
type filter struct {
	metric, label, outcome, reason, evaluator, text string
	failing                                         bool // outcome=not_passed
	content                                         bool
}

func filterOf(q url.Values) filter {
	get := func(name string) string { return clip(q.Get(name), filterMax) }
	f := filter{
		metric: get("metric"), label: get("label"), outcome: get("outcome"), reason: get("reason"),
		evaluator: get("evaluator"), text: strings.ToLower(get("text")), content: q.Get("content") == "1",
	}
	if f.outcome == "not_passed" {
		f.outcome, f.failing = "scored", true
	}
	return f
}

// takesStratum reports whether any result of it can match.
func (f *filter) takesStratum(s stratum) bool {
	return is(f.metric, s.metric) && is(f.evaluator, s.evaluator) && is(f.outcome, s.outcome) &&
		(f.label == "" || s.outcome == "scored" && f.label == s.what) &&
		(f.reason == "" || s.outcome != "scored" && f.reason == s.what)
}

func is(wanted, value string) bool { return wanted == "" || wanted == value }

// takes reports whether a result of a stratum that matches does.
func (f *filter) takes(k *kept) bool {
	if f.failing && k.Passed {
		return false
	}
	if f.text == "" {
		return true
	}
	has := func(s string) bool { return strings.Contains(strings.ToLower(s), f.text) }
	return has(k.Explanation) || has(k.Error) || has(k.Item) || has(k.TraceID) || has(k.Label) || has(k.Reason) || has(k.Metric) ||
		f.content && (has(k.Input) || has(k.Output))
}

// shown are the results as they are sent: without content, unless it was asked
// for.
func (f *filter) shown(results []kept) []kept {
	if !f.content {
		for i := range results {
			results[i].Input, results[i].Output = "", ""
		}
	}
	return results
}
