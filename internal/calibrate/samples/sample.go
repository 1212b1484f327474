package samples

import (
	"errors"
	"fmt"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/rows"
)

// MaxRow is the longest row that is read, in bytes: a line, a record of a
// table, or an element of an array.
const MaxRow = rows.Max

// ErrTooLong is what a row of more than [MaxRow] bytes comes to.
var ErrTooLong = rows.ErrTooLong

// ErrUnknownFormat is returned for a file whose columns belong to no format,
// and for a format that is not one of [Formats].
var ErrUnknownFormat = errors.New("unknown format")

// Sample is one labelled case.
type Sample struct {
	// ID is unique within a file: the set's own id after the name of its format,
	// or the number of the row.
	ID string
	// Metric is the name as emitted: bias, toxicity, answer_relevancy,
	// faithfulness, hallucination, sentiment, or an own metric's.
	Metric string
	// Case has Kind KindInference and what the metric needs.
	Case evaluators.Case
	// Label is the person's, spelt as the metric emits its labels.
	Label string
	// Note says why the case is hard, or what the set says of it. It may be
	// empty.
	Note string
	// Hard: people who know the metric's question may have to read it twice.
	Hard bool
}

// RowError says which row cannot be used and why. Reading goes on behind it.
type RowError struct {
	// Name of the file as given; Row counts from 1: the line, or with Item the
	// element of a JSON array.
	Name string
	Row  int
	Item bool
	Err  error
}

// Error returns the file, the row and what is wrong with it.
func (e *RowError) Error() string {
	unit := "line"
	if e.Item {
		unit = "item"
	}
	return fmt.Sprintf("%s, %s %d: %v", e.Name, unit, e.Row, e.Err)
}

// Unwrap returns what is wrong with the row.
func (e *RowError) Unwrap() error { return e.Err }

// LeftOutError says that a format leaves out a row, or one of the samples that
// it could give, on purpose, as the format's Doc says. Reading goes on behind it.
type LeftOutError struct {
	// Reason is one of a few for each format, such as "begin_label is generic".
	Reason string
}

// Error returns the reason.
func (e *LeftOutError) Error() string { return "left out: " + e.Reason }
