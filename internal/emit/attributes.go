package emit

import (
	"cmp"
	"slices"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/reserved"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
)

// attributes collects what is known: empty values are left out.
type attributes []attribute.KeyValue

func (a *attributes) add(kv attribute.KeyValue) { *a = append(*a, kv) }

func (a *attributes) text(k attribute.Key, s string) {
	if s != "" {
		a.add(k.String(cleanText(s)))
	}
}

func (a *attributes) count(k attribute.Key, n int64) {
	if n > 0 {
		a.add(k.Int64(n))
	}
}

func (a *attributes) seconds(k attribute.Key, d time.Duration) {
	if d > 0 {
		a.add(k.Float64(d.Seconds()))
	}
}

// invocation adds what has few values: it is on events, spans and metrics.
func (a *attributes) invocation(inv *instrumentation.Invocation) {
	a.text(semconv.GenAIProviderNameKey, inv.Provider())
	a.text(semconv.GenAIRequestModelKey, inv.RequestModel())
	a.text(semconv.GenAIAgentNameKey, inv.AgentName())
	a.text(semconv.ServerAddressKey, inv.ServerAddress())
}

// identity adds what tells one invocation from another: never on metrics.
func (a *attributes) identity(inv *instrumentation.Invocation) {
	a.text(semconv.GenAIResponseIDKey, inv.ResponseID())
	a.text(semconv.GenAIConversationIDKey, inv.ConversationID())
	a.text(keyKind, inv.Kind().String())
}

// terms adds who evaluated and on what terms.
func (a *attributes) terms(name, version, typ string, threshold float64, d evaluators.Direction) {
	a.text(keyEvaluator, name)
	a.text(keyEvaluatorVersion, version)
	a.text(keyEvaluatorType, typ)
	if finite(threshold) {
		a.add(keyThreshold.Float64(threshold))
	}
	a.add(keyDirection.String(d.String()))
}

// outcome adds how the evaluation ended.
func (a *attributes) outcome(r evaluators.Result, explain bool) {
	switch r.Outcome {
	case evaluators.OutcomeScored:
		a.add(semconv.GenAIEvaluationScoreValue(r.Score))
		a.text(semconv.GenAIEvaluationScoreLabelKey, r.Label)
		a.add(keyPassed.Bool(r.Passed))
	case evaluators.OutcomeSkipped:
		a.text(keySkipReason, r.Reason)
	default:
		a.text(semconv.ErrorTypeKey, r.ErrorType)
	}
	if explain {
		a.text(semconv.GenAIEvaluationExplanationKey, r.Explanation)
	}
	a.text(keyEvaluatorModel, r.JudgeModel)
	a.count(keyAttempts, int64(r.Attempts))
	a.count(keyInputTokens, r.InputTokens)
	a.count(keyOutputTokens, r.OutputTokens)
	if r.HasCost && finite(r.Cost) {
		a.add(keyCost.Float64(r.Cost))
	}
	a.count(keyInputCut, r.InputCut)
	a.seconds(keyDuration, r.Duration)
	a.seconds(keyLimitWait, r.LimitWait)
}

// result adds everything about a result but the invocation it is of.
func (a *attributes) result(r evaluators.Result, explain bool) {
	a.add(semconv.GenAIEvaluationName(cleanText(r.Metric)))
	a.terms(r.Evaluator, r.EvaluatorVersion, r.EvaluatorType, r.Threshold, r.Direction)
	a.outcome(r, explain)
}

// evaluators adds the evaluator's own attributes.
func (a *attributes) evaluators(r evaluators.Result) {
	for _, kv := range r.Attributes {
		a.copied(kv, reservedForEvaluators)
	}
}

// properties adds the invocation's association properties and then its
// baggage, which came from outside and so counts less.
func (a *attributes) properties(inv *instrumentation.Invocation) {
	for _, kv := range inv.Properties() {
		a.copied(kv, reserved.ForApplication)
	}
	members := inv.Baggage().Members()
	slices.SortFunc(members, func(x, y baggage.Member) int { return cmp.Compare(x.Key(), y.Key()) })
	for _, m := range members {
		a.copied(attribute.String(m.Key(), m.Value()), reserved.ForApplication)
	}
}

// copied adds an attribute that is not ours, unless its key is reserved or
// there already, or its value is not finite.
func (a *attributes) copied(kv attribute.KeyValue, reserved func(attribute.Key) bool) {
	k := attribute.Key(cleanText(string(kv.Key)))
	if reserved(k) || slices.ContainsFunc(*a, func(o attribute.KeyValue) bool { return o.Key == k }) {
		return
	}
	if v, ok := cleanValue(kv.Value); ok && v.Type() != attribute.EMPTY {
		a.add(attribute.KeyValue{Key: k, Value: v})
	}
}

// sound returns the result as it can be emitted: a score that is no number
// becomes a failure, a failure has a type and says what happened.
func sound(r evaluators.Result) evaluators.Result {
	if r.Outcome == evaluators.OutcomeScored && !r.Finite() {
		r.Outcome, r.ErrorType = evaluators.OutcomeFailed, evaluators.ErrorEvaluatorBadResult
	}
	if r.Outcome != evaluators.OutcomeScored && r.Outcome != evaluators.OutcomeSkipped {
		r.Outcome = evaluators.OutcomeFailed
		r.ErrorType = cmp.Or(r.ErrorType, semconv.ErrorTypeOther.Value.AsString())
		if r.Explanation == "" && r.Err != nil {
			r.Explanation = r.Err.Error()
		}
	}
	return r
}
