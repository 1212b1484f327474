package runner

import (
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/limit"
)

// Progress is how far a run is.
type Progress struct {
	// Name is the run's.
	Name string
	// Done counts the items that are through, Failed those of them that failed as
	// a whole or have a failed metric, Resumed those of them that an earlier run
	// had finished.
	Done, Failed, Resumed int64
	// Total is the number of items, 0 while unknown.
	Total int64
	// InFlight are items that were read and are not done.
	InFlight int64
	// Elapsed since the start; Rate in items a second, a moving average over the
	// completions, resumed ones left out; ETA is the time that is left, 0 while
	// unknown: fewer than ten completions, or no total.
	Elapsed time.Duration
	Rate    float64
	ETA     time.Duration
	// Waiting is the share of the evaluations under way that wait for a limit,
	// from 0 to 1.
	Waiting float64
	// RateLimited counts the judges' refusals (429).
	RateLimited uint64
	// Spend is what was spent in US dollars, by this run; HasSpend says whether
	// any price was known. Tokens are those of all attempts.
	Spend                     float64
	HasSpend                  bool
	InputTokens, OutputTokens int64
}

// Status is a run at one moment. The counts of each metric were read together.
type Status struct {
	Progress
	Started, Ended time.Time // Ended is zero while it runs
	// Evaluators in the order of the run.
	Evaluators []EvaluatorStatus
	// ItemsFailed counts items that failed as a whole, by error type.
	ItemsFailed map[string]int64
	// Incomplete says why not all items were evaluated; empty: they were, or the
	// run goes on.
	Incomplete string
}

// EvaluatorStatus is one lane of a run.
type EvaluatorStatus struct {
	Name, Version, Type string
	// Concurrency is how many evaluations it has under way at most at once.
	Concurrency int
	// Queued wait for the lane, Running are under way, Waiting of these wait for a
	// limit: items, or groups of an item's metrics that a judge is asked side by
	// side.
	Queued, Running, Waiting int
	// Stuck evaluations ignored the end of their time and have not returned yet.
	Stuck   int
	Metrics []MetricStatistics
	// Gate is the limit that the evaluator is under; nil without one.
	Gate *limit.Status
}

// MetricStatistics is what came of one metric in this run.
type MetricStatistics struct {
	Name      string
	Direction evaluators.Direction
	Threshold float64
	// Scored = passed and not; Skipped by reason, Failed by error type.
	Scored, Passed uint64
	Skipped        map[string]uint64
	Failed         map[string]uint64
	// Mean score of the scored; 0 without any.
	Mean float64
	// Latency without waiting for limits, and that waiting.
	Latency, LimitWait Distribution
	// Attempts counts the calls of a judge; tokens and cost are over all of them.
	Attempts                  uint64
	InputTokens, OutputTokens int64
	Cost                      float64
	HasCost                   bool
	// LastError is the text of the last failure, at most 512 bytes.
	LastError string
}

// Distribution sums up durations. P50, P95 and P99 are upper bounds of the
// logarithmic bucket that holds the quantile, at most a sixteenth above it.
type Distribution struct {
	Count         uint64
	Sum, Max      time.Duration
	P50, P95, P99 time.Duration
}
