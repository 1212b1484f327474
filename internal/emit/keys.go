package emit

import (
	"github.com/genaievals/genaievals/internal/reserved"
	"go.opentelemetry.io/otel/attribute"
)

// ScopeName is the instrumentation scope of everything this package emits.
const ScopeName = "github.com/genaievals/genaievals"

// Names of the signals. Of these only the event gen_ai.evaluation.result is in
// the conventions; the others are in use elsewhere under the same names.
const (
	eventResult       = "gen_ai.evaluation.result"
	eventResults      = "gen_ai.evaluation.results"
	metricScore       = "gen_ai.evaluation.score"
	metricScorePrefix = "gen_ai.evaluation."
	metricDuration    = "gen_ai.evaluation.client.operation.duration"
	metricCost        = "gen_ai.evaluation.client.usage.cost"
	operation         = "evaluation"
	spanPrefix        = "evaluate "
)

// Keys that semconv v1.41 does not have. The gen_ai.evaluation ones are in use
// elsewhere or proposed to the conventions; those beginning with genaievals are
// ours alone.
const (
	// keyPassed says whether the score is on the good side of the threshold.
	keyPassed = attribute.Key("gen_ai.evaluation.passed")
	// keyThreshold is the metric's threshold, keyDirection says which side of
	// it is good: higher_is_better or lower_is_better.
	keyThreshold = attribute.Key("gen_ai.evaluation.threshold")
	keyDirection = attribute.Key("gen_ai.evaluation.direction")
	// keyEvaluator, keyEvaluatorVersion and keyEvaluatorType (llm_judge or
	// deterministic) name who evaluated; keyEvaluatorModel is the model that a
	// judge's answer came from, as its provider named it.
	keyEvaluator        = attribute.Key("gen_ai.evaluation.evaluator.name")
	keyEvaluatorVersion = attribute.Key("gen_ai.evaluation.evaluator.version")
	keyEvaluatorType    = attribute.Key("gen_ai.evaluation.evaluator.type")
	keyEvaluatorModel   = attribute.Key("gen_ai.evaluation.evaluator.model")
	// keyEvaluations is the list of results of an aggregated event.
	keyEvaluations = attribute.Key("gen_ai.evaluations")

	// keySkipReason is why a metric does not apply, see the Skip constants of
	// package evaluators.
	keySkipReason = attribute.Key("genaievals.skip.reason")
	// keyDuration is what the evaluation took in seconds, without keyLimitWait,
	// the seconds that it waited for limits.
	keyDuration  = attribute.Key("genaievals.duration")
	keyLimitWait = attribute.Key("genaievals.limit.wait")
	// keyAttempts counts the calls of the judge. Its tokens, summed over them,
	// are not under gen_ai.usage: the spans of the calls carry that, and a
	// backend that adds usage up would count them twice.
	keyAttempts     = attribute.Key("genaievals.judge.attempts")
	keyInputTokens  = attribute.Key("genaievals.judge.input_tokens")
	keyOutputTokens = attribute.Key("genaievals.judge.output_tokens")
	// keyCost is what the tokens cost in US dollars, where that is known.
	keyCost = attribute.Key("genaievals.judge.cost")
	// keyInputCut is how many bytes of the evaluated text the judge was not shown
	// because they were too many.
	keyInputCut = attribute.Key("genaievals.input.cut")
	// keyKind is the evaluated invocation's kind, such as inference or agent.
	keyKind = attribute.Key("genaievals.invocation.kind")
)

// ours are the keys of the genaievals namespace that this package sets. The
// others are the evaluators' to set, such as genaievals.method.
var ours = map[attribute.Key]bool{
	keySkipReason: true, keyDuration: true, keyLimitWait: true, keyAttempts: true,
	keyInputTokens: true, keyOutputTokens: true, keyCost: true, keyInputCut: true, keyKind: true,
}

// reservedForEvaluators reports whether an attribute of an evaluator must not
// be emitted.
func reservedForEvaluators(k attribute.Key) bool { return ours[k] || reserved.ByConventions(k) }
