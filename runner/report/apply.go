package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/render"
	"github.com/genaievals/genaievals/runner/journal"
)

// GateResult is what a gate came to.
type GateResult struct {
	Gate GateKind `json:"gate"`
	// Evaluator and Metric are empty for max_failed.
	Evaluator string `json:"evaluator,omitempty"`
	Metric    string `json:"metric,omitempty"`
	// Value is absent where it is not defined; then the gate is not passed.
	Value *float64 `json:"value,omitempty"`
	// Limit is what Value must be at least, or at most.
	Limit float64 `json:"limit"`
	Bound Bound   `json:"bound"`
	// Count of Of have passed, or failed; for fail_under both are those scored.
	Count    int64 `json:"count"`
	Of       int64 `json:"of"`
	Passed   bool  `json:"passed"`
	WarnOnly bool  `json:"warn_only,omitempty"`
	// Text says all that in a line: "mean bias 0.31, allowed at most 0.20".
	Text string `json:"text"`
}

// Bound says on which side of the limit a value must be; the limit itself is fine.
type Bound string

// The bounds.
const (
	AtLeast Bound = "at_least"
	AtMost  Bound = "at_most"
)

// tolerance is how far a value may be beyond its limit: what floats do to decimal
// numbers, and nothing that could be meant.
const tolerance = 1e-12

func (b Bound) holds(value, limit float64) bool {
	if b == AtMost {
		return value <= limit+tolerance
	}
	return value >= limit-tolerance
}

// Check reports gates that name a metric which a run does not have: the error
// lists those it has. It needs only the header, so that a typing error is found
// before anything is evaluated.
func (g Gates) Check(h journal.Header) error {
	var have []name
	for _, e := range h.Evaluators {
		for _, m := range e.Metrics {
			have = append(have, name{e.Name, m.Name})
		}
	}
	_, err := g.plan(have)
	return err
}

// planned is a gate for one metric.
type planned struct {
	Gate
	metric   int
	warnOnly bool
}

// plan says which gate is for which metrics, in the order of the metrics.
func (g Gates) plan(have []name) ([]planned, error) {
	warns := map[int]bool{}
	for _, text := range g.WarnOnly {
		found, err := find("warn_only", text, have)
		if err != nil {
			return nil, err
		}
		for _, i := range found {
			warns[i] = true
		}
	}
	var plan []planned
	named := map[GateKind]map[int]bool{FailUnder: {}, MinPassRate: {}}
	for _, gate := range g.Gates {
		switch {
		case gate.Kind == MaxFailed:
			plan = append(plan, planned{Gate: gate, metric: len(have)})
		case named[gate.Kind] == nil:
			return nil, fmt.Errorf("a gate of kind %q: expected fail_under, min_pass_rate or max_failed", gate.Kind)
		case gate.Metric != "":
			found, err := find(string(gate.Kind), gate.Metric, have)
			if err != nil {
				return nil, err
			}
			for _, i := range found {
				named[gate.Kind][i] = true
				plan = append(plan, planned{gate, i, warns[i]})
			}
		}
	}
	for _, gate := range g.Gates {
		for i := range have {
			if gate.Kind != MaxFailed && gate.Metric == "" && !named[gate.Kind][i] {
				plan = append(plan, planned{gate, i, warns[i]})
			}
		}
	}
	slices.SortStableFunc(plan, func(a, b planned) int { return a.metric - b.metric })
	return plan, nil
}

// find returns the metrics that a text names: evaluator.metric, or a metric of
// whichever evaluators have it.
func find(what, text string, have []name) ([]int, error) {
	want := evaluators.NormalizeName(text)
	var found, full []int
	for i, n := range have {
		metric := evaluators.NormalizeName(n.metric)
		if metric == want {
			found = append(found, i)
		}
		if evaluators.NormalizeName(n.evaluator)+"."+metric == want {
			full = append(full, i)
		}
	}
	if found = append(found, full...); len(found) > 0 {
		return found, nil
	}
	names := make([]string, len(have))
	for i, n := range have {
		names[i] = n.evaluator + "." + n.metric
	}
	there := "this run has no metric"
	if len(names) > 0 {
		there = "there are " + strings.Join(names, ", ")
	}
	return nil, fmt.Errorf("%s: unknown metric %q: %s", what, text, there)
}

// Apply holds a report against gates, notes the results in Gates, Verdict and
// Reasons, and returns the verdict. A gate that names an unknown metric is an
// error, as that of [Gates.Check], and then nothing is noted. A second call takes
// the place of the first.
func (r *Report) Apply(g Gates) (Verdict, error) {
	have := make([]name, len(r.Metrics))
	for i := range r.Metrics {
		have[i] = name{r.Metrics[i].Evaluator, r.Metrics[i].Name}
	}
	plan, err := g.plan(have)
	if err != nil {
		return "", err
	}
	r.Gates, r.Reasons = nil, nil
	incomplete, failed := r.incomplete(), []string(nil)
	for _, p := range plan {
		var result GateResult
		if p.Kind == MaxFailed {
			result = r.maxFailed(p.Gate)
		} else {
			result = p.hold(&r.Metrics[p.metric], r.display(&r.Metrics[p.metric]))
		}
		r.Gates = append(r.Gates, result)
		switch {
		case result.Passed, result.WarnOnly:
		case p.Kind == MaxFailed, result.Value == nil:
			incomplete = append(incomplete, result.Text)
		default:
			failed = append(failed, result.Text)
		}
	}
	r.Reasons = append(incomplete, failed...)
	switch {
	case len(incomplete) > 0:
		r.Verdict = Incomplete
	case len(failed) > 0:
		r.Verdict = GateFailed
	default:
		r.Verdict = Passed
	}
	return r.Verdict, nil
}

// incomplete says why a run is, whatever the gates.
func (r *Report) incomplete() []string {
	var why []string
	if r.Incomplete != "" {
		why = append(why, r.Incomplete)
	}
	switch n := r.unpaid(); {
	case n == 1:
		why = append(why, "a budget was spent before 1 result was asked for")
	case n > 1:
		why = append(why, fmt.Sprintf("a budget was spent before %s results were asked for", render.Grouped(n)))
	}
	for i := range r.Metrics {
		if r.Metrics[i].Scored > 0 {
			return why
		}
	}
	return append(why, "nothing was scored")
}

// unpaid are results that nobody was asked for since a budget was spent.
func (r *Report) unpaid() (n int64) {
	for i := range r.Metrics {
		for _, c := range r.Metrics[i].Skipped {
			if c.Name == evaluators.SkipBudget {
				n += c.Count
			}
		}
	}
	return n
}

func lowerIsBetter(direction string) bool { return direction == evaluators.LowerIsBetter.String() }

// maxFailed holds the items against the limit of failures.
func (r *Report) maxFailed(g Gate) GateResult {
	bad, seen := r.Items.WithFailure, r.Items.Seen
	result := GateResult{Gate: MaxFailed, Limit: g.Limit, Bound: AtMost, Count: bad, Of: seen}
	text := fmt.Sprintf("%s of %s items failed", render.Grouped(bad), render.Grouped(seen))
	if g.Count {
		result.Value = new(float64(bad))
		result.Text = fmt.Sprintf("%s, allowed at most %s", text, render.Grouped(int64(g.Limit)))
	} else {
		result.Value = new(0.0)
		if seen > 0 {
			*result.Value = float64(bad) / float64(seen)
		}
		value, limit := apart(100**result.Value, 100*g.Limit, 1)
		result.Text = fmt.Sprintf("%s (%s%%), allowed at most %s%%", text, value, limit)
	}
	result.Passed = AtMost.holds(*result.Value, g.Limit)
	return result
}

// display is a metric's name, with its evaluator's where another has one of that
// name.
func (r *Report) display(m *Metric) string {
	for i := range r.Metrics {
		if other := &r.Metrics[i]; other.Name == m.Name && other.Evaluator != m.Evaluator {
			return m.FullName()
		}
	}
	return m.Name
}

// hold holds a metric, which texts call so, against a gate.
func (p planned) hold(m *Metric, called string) GateResult {
	result := GateResult{
		Gate: p.Kind, Evaluator: m.Evaluator, Metric: m.Name, WarnOnly: p.warnOnly,
		Limit: p.Limit, Bound: AtLeast, Count: m.Scored, Of: m.Scored,
	}
	what, estimate, scale, unit, decimals := "mean "+called, m.Mean, 1.0, "", 2
	if p.Kind == MinPassRate {
		what, estimate, scale, unit, decimals = "pass rate of "+called, m.PassRate, 100, "%", 1
		result.Count = m.Passed
	} else if lowerIsBetter(m.Direction) {
		result.Bound = AtMost
		if p.Metric == "" {
			result.Limit = math.Round((1-p.Limit)*1e12) / 1e12
		}
	}
	wanted := "at least %s%s wanted"
	if result.Bound == AtMost {
		wanted = "allowed at most %s%s"
	}
	if estimate == nil {
		_, limit := apart(scale*result.Limit, scale*result.Limit, decimals)
		result.Text = fmt.Sprintf("%s not known, nothing was scored, "+wanted, what, limit, unit)
		return result
	}
	result.Value = new(estimate.Value)
	result.Passed = result.Bound.holds(estimate.Value, result.Limit)
	value, limit := apart(scale*estimate.Value, scale*result.Limit, decimals)
	result.Text = fmt.Sprintf("%s %s%s, "+wanted, what, value, unit, limit, unit)
	return result
}

// apart writes two numbers with as many decimals as it takes to show the limit in
// full and a difference between them, but no more than 12.
func apart(value, limit float64, decimals int) (string, string) {
	for ; decimals < 12; decimals++ {
		v, l := render.Rounded(value, decimals), render.Rounded(limit, decimals)
		shown, _ := strconv.ParseFloat(l, 64)
		same := value-limit < 1e-10 && limit-value < 1e-10
		if limit-shown < 1e-10 && shown-limit < 1e-10 && (v != l || same) {
			return v, l
		}
	}
	return render.Rounded(value, decimals), render.Rounded(limit, decimals)
}
