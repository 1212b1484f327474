// Package evaluators defines what is scored and what scores it: the [Case],
// the [Metric], the [Result] and the [Evaluator] that turns the first two into
// the third; a [Registry] of evaluators by name; and the grammar in which a
// [Plan] of who evaluates what is written.
//
// It knows nothing of queues, workers or limits. Its sub-packages judge and
// builtin are evaluators; an application adds its own by implementing
// [Evaluator].
package evaluators
