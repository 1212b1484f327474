package runner

import (
	"time"

	"github.com/genaievals/genaievals/evaluators"
)

// Error types of an item that failed as a whole: no metric was asked.
const (
	ErrorBadItem          = "bad_item"          // it could not be read
	ErrorDuplicateID      = "duplicate_id"      // an earlier item has its id
	ErrorUnknownEvaluator = "unknown_evaluator" // it names one that the run has not
	ErrorTask             = "task_failed"       // the task gave no output
	// ErrorItemTimeout: the item's time was over before the task had an output. It is
	// also the type of failed results, of metrics that were not asked for that reason.
	ErrorItemTimeout = "item_timeout"
)

// Record is what one evaluator said of one item, and the unit of a journal. A
// record without Evaluator is about the item as a whole: it failed, or the task
// produced Output.
type Record struct {
	ID    string
	Index int64
	Line  int
	// Sum is a hash of the item's content: a record of other content is stale.
	Sum uint64
	// At is when the record was made.
	At time.Time

	// Evaluator answered with Results, one for each metric that was asked.
	Evaluator string
	Results   []evaluators.Result

	// ErrorType and Error say why the item failed as a whole.
	ErrorType, Error string

	// Input and Output are content: Output is there when a task produced it,
	// both when the journal was told to keep content. Metadata is the item's.
	Input, Output string
	HasOutput     bool
	Metadata      map[string]string
}

// ItemResult is all that came of one item.
type ItemResult struct {
	Item Item
	// Output is the one that was evaluated: the item's or the task's.
	Output string
	// Results of all evaluators asked, in the order of the run's evaluators and
	// their metrics; those that an earlier run left in the journal are not among
	// them, and counted by Resumed.
	Results []evaluators.Result
	Resumed int
	// ErrorType and Err say why the item failed as a whole; empty and nil when
	// its metrics were asked.
	ErrorType string
	Err       error
}

// Journal keeps records. The reader's goroutine calls Done; the writer's calls
// Append and Sync, maybe at the same time.
type Journal interface {
	// Done reports which of an item's results an earlier run left, so that they
	// are not asked again: it is called for every item before the item is fanned
	// out, with the item's content hash. The zero Kept means none.
	Done(id string, sum uint64) Kept
	// Append writes a record. It may buffer; an error ends the run.
	Append(r *Record) error
	// Sync makes what was appended durable.
	Sync() error
}

// Kept is what a journal has of an item.
type Kept interface {
	// Has reports whether a metric of an evaluator was scored or skipped.
	Has(evaluator, metric string) bool
	// Output is what a task produced, if that is known.
	Output() (output string, ok bool)
}
