package journal

import (
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/runner"
)

// Version is that of the format that this package writes. A file of a later one
// is refused.
const Version = 1

// Header is the first line of a journal: what was asked of which evaluators.
type Header struct {
	// Version of the format; 0 is written as [Version].
	Version int
	// Run and Dataset are names for people. A run that is resumed may have others.
	Run, Dataset string
	Started      time.Time
	// Total is the number of items, 0 where it is not known.
	Total int64
	// Evaluators in the order of the run.
	Evaluators []Evaluator
	// Content says that inputs and outputs are in the records.
	Content bool
}

// Evaluator is one that is asked, with its metrics.
type Evaluator struct {
	Name, Version, Type string
	Metrics             []Metric
}

// Metric is one that is asked, with all that its scores depend on.
type Metric struct {
	Name      string
	Direction evaluators.Direction
	Threshold float64
	Labels    []string
	// Judge and Model are those that the metric names, empty for the evaluator's.
	Judge, Model string
	// Fingerprint is a hash of the options that the metric itself announced; empty
	// without any.
	Fingerprint string
}

// HeaderOf describes evaluators. Run, Dataset, Started, Total and Content are the
// caller's to fill in.
func HeaderOf(evals runner.Evaluators) Header { return Header{} }

// Metric returns what the header says of a metric; ok is false where it does not
// have it.
func (h *Header) Metric(evaluator, metric string) (m Metric, ok bool) { return }

// End is the last line of a journal: the run is over.
type End struct {
	Ended time.Time
	// Incomplete says why not all items were evaluated; empty: they were.
	Incomplete string
	// Items are those of the dataset that were read, Failed those of them that
	// failed as a whole or have a failed metric.
	Items, Failed int64
}
