package runner

import (
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/limit"
)

// Evaluators are who is asked, with their limits. A *genaievals.EvaluatorSet is
// one. Items are of kind inference, unless their Case says otherwise.
type Evaluators interface {
	// Assignments say which evaluator is asked which metrics, in order.
	Assignments() []evaluators.Assignment
	// Gate is an evaluator's, nil where it has none. One that passes its gate
	// itself has a method Gate() *limit.Gate.
	Gate(evaluator string) *limit.Gate
	// Timeout of a metric that has none of its own.
	Timeout() time.Duration
}
