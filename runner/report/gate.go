package report

import "github.com/genaievals/genaievals/runner/journal"

// GateKind is what a gate looks at.
type GateKind string

// The kinds of gates.
const (
	// FailUnder bounds the mean score: from below, and from above where lower is
	// better.
	FailUnder GateKind = "fail_under"
	// MinPassRate is the least share of the scored that must pass.
	MinPassRate GateKind = "min_pass_rate"
	// MaxFailed is the largest share, or number, of items that may have failed as a
	// whole or have a failed metric. More make the run [Incomplete].
	MaxFailed GateKind = "max_failed"
)

// Gate is a bound that a run must keep. Make it with [ParseFailUnder],
// [ParseMinPassRate] or [ParseMaxFailed].
type Gate struct {
	Kind GateKind
	// Metric is a metric's name, of whichever evaluators have it, or
	// evaluator.metric; in any spelling. Empty: every metric that no other gate of
	// the kind names.
	Metric string
	// Limit is from 0 to 1. Where Count is set it is a number of items instead.
	Limit float64
	Count bool
}

// Gates are all bounds of a run. The zero value has none.
type Gates struct {
	Gates []Gate
	// WarnOnly are metrics, named as in [Gate], whose gates only warn.
	WarnOnly []string
}

// GateResult is what a gate came to.
type GateResult struct {
	Gate GateKind `json:"gate"`
	// Evaluator and Metric are empty for max_failed.
	Evaluator string `json:"evaluator,omitempty"`
	Metric    string `json:"metric,omitempty"`
	// Value is absent where it is not defined; then the gate is not passed.
	Value *float64 `json:"value,omitempty"`
	// Limit is what Value is held against: it must be AtLeast or AtMost that much.
	Limit float64 `json:"limit"`
	Bound Bound   `json:"bound"`
	// Count and Of are what the share is of, or how many were scored.
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

// ParseFailUnder reads the least mean score of a metric, "faithfulness=0.8" or
// "judge.faithfulness=80%", or of all, "0.8". Of a metric of which lower is better
// it is the most that the mean may be: "bias=0.2" allows at most 0.2. Without a
// name it says how good all must be, so "0.8" allows such a metric at most 0.2.
func ParseFailUnder(text string) (Gate, error) { return Gate{}, nil }

// ParseMinPassRate reads the least share of scored results that must pass:
// "faithfulness=0.9", "faithfulness=90%", or for all metrics "0.9".
func ParseMinPassRate(text string) (Gate, error) { return Gate{}, nil }

// ParseMaxFailed reads how many items may have failed as a whole or have a failed
// metric: a share of all, "2%", or a number, "10".
func ParseMaxFailed(text string) (Gate, error) { return Gate{}, nil }

// Check reports gates that name a metric which a run does not have: the error
// lists those it has. It needs only the header, so that a typing error is found
// before anything is evaluated.
func (g Gates) Check(h journal.Header) error { return nil }

// Apply holds a report against gates, notes the results in Gates, Verdict and
// Reasons, and returns the verdict. A gate that names an unknown metric is an
// error, as that of [Gates.Check], and then nothing is noted. A second call takes
// the place of the first.
func (r *Report) Apply(g Gates) (Verdict, error) { return Incomplete, nil }
