package runner

import (
	"fmt"
	"iter"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
)

// Item is one item of a dataset. Nobody modifies it once it was handed over.
type Item struct {
	// ID tells the item from all others of the dataset. Without one it is "#n", n
	// being its position counted from 1.
	ID string
	// Index is the position, counted from 0; the run sets it.
	Index int64
	// Line is the line of the file on which the item begins, 0 where there is none.
	Line int

	Input, Output, Expected, System string
	// Documents are what Output can be checked against: the field context.
	Documents []instrumentation.Document
	History   []evaluators.Turn
	// Metadata is carried through to results and reports.
	Metadata map[string]string
	// Evaluators are the names, in any spelling, of the evaluators, or of the
	// metrics, that the item is for; empty means all. With one that the run does
	// not have the item is failed(unknown_evaluator).
	Evaluators []string
	// Case is what is scored, where the item was made from telemetry and says more
	// than the fields above; nil otherwise.
	Case *evaluators.Case
}

// Dataset yields items. An error that is or wraps an [*ItemError] stands for one
// item, which is counted failed, and the next is read; any other ends the reading,
// and the run when what was read is done.
type Dataset = iter.Seq2[Item, error]

// ItemError says what is wrong with one item of a dataset.
type ItemError struct {
	// Name is that of the file, empty where there is none; Line the line on which
	// the item begins, 0 if unknown; Item its position in a JSON array, from 1.
	Name string
	Line int
	Item int
	// ID is the item's where it could be read.
	ID string
	// Err says what was expected.
	Err error
}

// Error names the place and what was expected there.
func (e *ItemError) Error() string {
	switch {
	case e.Line > 0:
		return fmt.Sprintf("%s:%d: %v", e.Name, e.Line, e.Err)
	case e.Item > 0:
		return fmt.Sprintf("%s: item %d: %v", e.Name, e.Item, e.Err)
	}
	return fmt.Sprintf("%s: %v", e.Name, e.Err)
}

// Unwrap returns Err.
func (e *ItemError) Unwrap() error { return e.Err }
