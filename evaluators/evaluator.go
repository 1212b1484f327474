package evaluators

import "context"

// Evaluator is a named provider of metrics.
//
// The manager calls Evaluate from several goroutines at once, at most
// WORKERS × MAX_CONCURRENT in concurrent mode and one in sequential mode. It
// contains panics, and it checks the results against the metrics asked for:
// one left out becomes skipped(not_reported); a duplicate, an unannounced name
// or a non-finite score becomes failed(evaluator_bad_result).
type Evaluator interface {
	// Name is what the plan calls it: lower case, underscores.
	Name() string
	// Version changes when the same case may get another score.
	Version() string
	// Type is [TypeLLMJudge] or [TypeDeterministic].
	Type() string
	// Metrics announces every metric with its defaults, in a fixed order.
	// Their names are of lower case letters, digits and underscores. They are
	// read once, when the evaluator is added to a [Registry].
	Metrics() []Metric
	// DefaultMetrics names those that run when the plan names none.
	DefaultMetrics() []string
	// Evaluate asks the metrics of one case and returns their results in any
	// order. It must return soon after ctx ends; ctx carries the deadline, the
	// evaluated invocation's span context and baggage, and
	// instrumentation.Suppress. The case is shared and must not be modified.
	Evaluate(ctx context.Context, c *Case, metrics []Metric) []Result
}

// Grouper is an Evaluator that answers several metrics in one Evaluate. Group
// splits the metrics; without it each is a group of its own.
type Grouper interface {
	Group(metrics []Metric) [][]Metric
}
