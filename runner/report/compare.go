package report

import (
	"iter"

	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/journal"
)

// Run is one of the runs that [Compare] reads: a header and its records, once.
type Run struct {
	Header  journal.Header
	Records iter.Seq2[*runner.Record, error]
}

// CompareOption is a setting of [Compare].
type CompareOption interface{ apply(*comparing) error }

type comparing struct{}

// WithMinEffect sets the least difference of a mean or a pass rate, from 0 to 1,
// that is called a regression. Default 0: any that is certain enough.
func WithMinEffect(effect float64) CompareOption { return nil }

// WithSeed sets where the random numbers begin. Default 0; the same seed and the
// same records give the same intervals.
func WithSeed(seed uint64) CompareOption { return nil }

// WithSameContent leaves out items whose content differs between the runs.
// Default: they are compared too, since the answers of two versions of an
// application differ, and counted.
func WithSameContent(on bool) CompareOption { return nil }

// Compare pairs the results of two runs by item id and says what has changed. It
// reads old first, to its end. The error is that of reading either, or an option
// out of range.
func Compare(old, new Run, options ...CompareOption) (*Comparison, error) { return nil, nil }

// Comparison is what has changed between two runs.
type Comparison struct{}

// Regressed reports whether any metric is a regression.
func (c *Comparison) Regressed() bool { return false }
