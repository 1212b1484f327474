package evaluators

import (
	"math"
	"time"

	"go.opentelemetry.io/otel/attribute"
)

// Outcome says which of the three ways an evaluation ended.
type Outcome uint8

// The outcomes. A result is exactly one of them; nothing is ever scored
// because something went wrong.
const (
	OutcomeScored Outcome = iota + 1
	OutcomeSkipped
	OutcomeFailed
)

// String returns scored, skipped or failed.
func (o Outcome) String() string {
	switch o {
	case OutcomeScored:
		return "scored"
	case OutcomeSkipped:
		return "skipped"
	case OutcomeFailed:
		return "failed"
	}
	return ""
}

// Reasons why an evaluation was skipped.
const (
	SkipUnsupportedKind  = "unsupported_kind"
	SkipSuppressed       = "suppressed"
	SkipDisabled         = "disabled"
	SkipSampledOut       = "sampled_out"
	SkipUnsampled        = "unsampled"
	SkipInvocationError  = "invocation_error"
	SkipCancelled        = "cancelled"
	SkipToolCallOnly     = "tool_call_only"
	SkipEmptyOutput      = "empty_output"
	SkipEmptyInput       = "empty_input"
	SkipNoDocuments      = "no_documents"
	SkipNoHistory        = "no_history"
	SkipNoSystem         = "no_system"
	SkipNoExpected       = "no_expected"
	SkipNonTextOutput    = "non_text_output"
	SkipContentTruncated = "content_truncated"
	SkipNeedsJudge       = "needs_judge"
	SkipBudget           = "budget"
	SkipNotReported      = "not_reported"
)

// Values of error.type of a failed result.
const (
	ErrorJudgeTimeout         = "judge_timeout"
	ErrorJudgeRateLimited     = "judge_rate_limited"
	ErrorJudgeOverloaded      = "judge_overloaded"
	ErrorJudgeUnavailable     = "judge_unavailable"
	ErrorJudgeAuth            = "judge_auth"
	ErrorJudgeQuota           = "judge_quota"
	ErrorJudgeModelNotFound   = "judge_model_not_found"
	ErrorJudgeBadRequest      = "judge_bad_request"
	ErrorJudgeInputTooLong    = "judge_input_too_long"
	ErrorJudgeContentFiltered = "judge_content_filtered"
	ErrorJudgeRefused         = "judge_refused"
	ErrorJudgeEmptyOutput     = "judge_empty_output"
	ErrorJudgeTruncated       = "judge_truncated"
	ErrorJudgeMalformedOutput = "judge_malformed_output"
	ErrorJudgeCircuitOpen     = "judge_circuit_open"
	ErrorEvaluatorPanic       = "evaluator_panic"
	ErrorEvaluatorBadResult   = "evaluator_bad_result"
	ErrorEvaluatorTimeout     = "evaluator_timeout"
	ErrorShutdown             = "shutdown"
	ErrorCancelled            = "cancelled" // by the caller of EvaluateNow
)

// Types of evaluators, emitted as gen_ai.evaluation.evaluator.type.
const (
	TypeLLMJudge      = "llm_judge"
	TypeDeterministic = "deterministic"
)

// Result is the outcome of one metric on one case. Build it with [Scored],
// [Skipped] or [Failed]; the manager fills in the fields marked so.
type Result struct {
	// Metric is the metric's name.
	Metric  string
	Outcome Outcome

	// Score, Label and Passed have a meaning only when scored. Score is in
	// 0…1 and finite.
	Score float64
	Label string
	// Passed is filled in by the manager from the threshold.
	Passed bool
	// Explanation may quote content.
	Explanation string

	// Reason is one of the Skip constants, when skipped.
	Reason string
	// ErrorType is one of the Error constants, when failed; Err is what
	// happened. Neither holds content or keys.
	ErrorType string
	Err       error

	// Evaluator, EvaluatorVersion and EvaluatorType name who evaluated;
	// Threshold and Direction are the metric's. Filled in by the manager.
	Evaluator, EvaluatorVersion, EvaluatorType string
	Threshold                                  float64
	Direction                                  Direction

	// JudgeModel is the model that answered, as the judge named it.
	JudgeModel string
	// InputTokens and OutputTokens are summed over all attempts.
	InputTokens, OutputTokens int64
	// Cost is what the answers cost in US dollars. It is known, and HasCost set,
	// only where the provider said so of each, or the judge has a price and
	// reported its tokens.
	Cost    float64
	HasCost bool
	// Attempts counts the calls of the judge, repairs and retries included.
	Attempts int
	// InputCut is how many bytes of the evaluated text the judge was not shown
	// because they were too many. 0: all of what the metric looks at was shown.
	InputCut int64
	// Duration is what the evaluation took, waiting for limits excluded;
	// LimitWait is that waiting. Duration is filled in by the manager.
	Duration, LimitWait time.Duration
	// Attributes are the evaluator's own, emitted with the result, but for those
	// called gen_ai.*, server.*, error.type, or as one of the library's own.
	Attributes []attribute.KeyValue
}

// Scored returns a scored result.
func Scored(metric string, score float64, label, explanation string) Result {
	return Result{Metric: metric, Outcome: OutcomeScored, Score: score, Label: label, Explanation: explanation}
}

// Skipped returns a skipped result; reason is one of the Skip constants.
func Skipped(metric, reason, explanation string) Result {
	return Result{Metric: metric, Outcome: OutcomeSkipped, Reason: reason, Explanation: explanation}
}

// Failed returns a failed result; errorType is one of the Error constants or
// another low-cardinality name.
func Failed(metric, errorType string, err error) Result {
	return Result{Metric: metric, Outcome: OutcomeFailed, ErrorType: errorType, Err: err}
}

// Finite reports whether the score is a number.
func (r Result) Finite() bool { return !math.IsNaN(r.Score) && !math.IsInf(r.Score, 0) }
