package report

import (
	"time"

	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/journal"
)

// DefaultWorst is how many of the worst cases of each metric are kept.
const DefaultWorst = 10

// Option is a setting of [New].
type Option interface{ apply(*Summary) error }

// WithWorst sets how many of the worst cases of each metric are kept, from 0 to
// 1000. Default [DefaultWorst].
func WithWorst(n int) Option { return nil }

// Summary sums up the records of a run. Its memory does not depend on their
// number, but for two bits an item. It is not safe for concurrent use.
type Summary struct{}

// New begins to sum up the run that h describes. The error is an option out of
// range.
func New(h journal.Header, options ...Option) (*Summary, error) { return &Summary{}, nil }

// Add counts a record. It keeps nothing of it but clipped texts. A record of an
// evaluator or a metric that the header does not have is counted as one more.
func (s *Summary) Add(r *runner.Record) {}

// End says that the run is over, and why not all items were evaluated, empty if
// they were. Without it the report is incomplete: the run goes on or was killed.
func (s *Summary) End(ended time.Time, incomplete string) {}

// Report returns what was summed up so far. It shares nothing with s.
func (s *Summary) Report() *Report { return nil }
