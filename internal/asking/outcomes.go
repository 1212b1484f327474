package asking

import "github.com/genaievals/genaievals/evaluators"

// MaxErrorText is how many bytes of an error's text are kept.
const MaxErrorText = 512

// Outcomes counts what came of one metric. Make it with [NewOutcomes]. It is not
// safe for concurrent use.
type Outcomes struct {
	// Scored = passed and not.
	Scored, Passed uint64
	Skipped        map[string]uint64 // by reason
	Failed         map[string]uint64 // by error type
	// LastError is the text of the last failure, or its error type.
	LastError string
}

// NewOutcomes counts from 0.
func NewOutcomes() Outcomes {
	return Outcomes{Skipped: make(map[string]uint64), Failed: make(map[string]uint64)}
}

// Count adds a result, and gives it the reason or error type under which it is
// counted where its own is no name, or one too many.
func (o *Outcomes) Count(r *evaluators.Result) {
	switch r.Outcome {
	case evaluators.OutcomeScored:
		o.Scored++
		if r.Passed {
			o.Passed++
		}
	case evaluators.OutcomeSkipped:
		r.Reason = Admit(o.Skipped, r.Reason)
		o.Skipped[r.Reason]++
	case evaluators.OutcomeFailed:
		r.ErrorType = Admit(o.Failed, r.ErrorType)
		o.Failed[r.ErrorType]++
		o.LastError = r.ErrorType
		if r.Err != nil {
			o.LastError = Truncate(r.Err.Error(), MaxErrorText)
		}
	}
}
