package evaluators

import (
	"time"

	"github.com/genaievals/genaievals/instrumentation"
)

// Direction says which end of a metric's scale is good.
type Direction uint8

// The directions.
const (
	HigherIsBetter Direction = iota
	LowerIsBetter
)

// String returns higher_is_better or lower_is_better.
func (d Direction) String() string {
	if d == LowerIsBetter {
		return "lower_is_better"
	}
	return "higher_is_better"
}

// Need is a set of fields that a case must have for a metric to apply.
type Need uint8

// The fields. NeedDocumentsOrInput is met by either.
const (
	NeedOutput Need = 1 << iota
	NeedInput
	NeedDocuments
	NeedDocumentsOrInput
	NeedSystem
	NeedExpected
	NeedHistory
)

// Metric is one question asked of a case. An evaluator announces its metrics
// with their defaults; the plan's options are laid over them before Evaluate
// sees them.
type Metric struct {
	// Name is emitted as written: lower case, underscores.
	Name      string
	Direction Direction
	// Threshold is where a score begins (HigherIsBetter) or ceases
	// (LowerIsBetter) to pass: score >= Threshold, score <= Threshold.
	Threshold float64
	// Labels is the closed set of labels that a scored result may carry. Empty
	// means any.
	Labels []string
	// Needs are checked by the manager before Evaluate is called.
	Needs Need
	// Kinds are the kinds of invocations that the metric is for. Empty means all
	// that are evaluated. [Registry.Resolve] leaves it out of others.
	Kinds []instrumentation.Kind

	// Options of the plan. Zero values are not set.

	// Strict asks for perfection: Threshold becomes 1 or 0.
	Strict bool
	// Judge names the judge to ask; Model is another model to ask it for.
	Judge, Model string
	// Timeout bounds one evaluation; 0 is the manager's.
	Timeout time.Duration
	// SampleRate is the fraction of invocations evaluated, from 0 to 1; nil is
	// the manager's.
	SampleRate *float64
	// OnError also takes invocations that failed.
	OnError bool
	// Params are the options that the metric itself announced in ParamNames.
	Params map[string]string
	// ParamNames are the further options that the plan may set.
	ParamNames []string
}

// Passes reports whether a score is on the good side of the threshold.
func (m Metric) Passes(score float64) bool {
	if m.Direction == LowerIsBetter {
		return score <= m.Threshold
	}
	return score >= m.Threshold
}
