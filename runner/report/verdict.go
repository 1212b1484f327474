package report

// Verdict is what a run comes to.
type Verdict string

// The verdicts. Where a gate failed and the run is incomplete, it is Incomplete:
// the gate might pass, or fail otherwise, if all had been evaluated.
const (
	// Passed: all items were evaluated, within the limit of failures, and each gate
	// that does not only warn passed.
	Passed Verdict = "passed"
	// GateFailed: the run is complete, and a gate failed.
	GateFailed Verdict = "gate_failed"
	// Incomplete: it was interrupted, or nothing was scored, or nothing of a metric
	// that has a gate, or more items failed than [ParseMaxFailed] allows.
	Incomplete Verdict = "incomplete"
)
