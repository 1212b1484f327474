package builtin

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"go.opentelemetry.io/otel/attribute"

	"github.com/genaievals/genaievals/evaluators"
)

// Name is what the plan calls this evaluator.
const Name = "builtin"

// Version changes when the same case may get another result.
const Version = "2"

// The metrics, by the names that are emitted.
const (
	MetricBias            = "bias"             // always asks for a judge
	MetricToxicity        = "toxicity"         // overt insults and threats
	MetricSentiment       = "sentiment"        // the tone of the words
	MetricAnswerRelevancy = "answer_relevancy" // whether the question's topic is met
	MetricFaithfulness    = "faithfulness"     // whether the documents support it
)

// The attributes that results carry.
const (
	// AttributeMethod says how the metric judges: vader, lexicon,
	// question_coverage, lexical_grounding or none, or embedded: and the name of
	// the model that had a part in it. Every result has it.
	AttributeMethod = "genaievals.method"
	// AttributeTruncated is true on a result that rests on the beginning of a
	// text because the rest was over the bound.
	AttributeTruncated = "genaievals.input.truncated"
)

// The default bounds, in bytes.
const (
	DefaultMaxOutput    = 64 << 10  // of the output, and of the question; see [WithMaxOutput]
	DefaultMaxDocuments = 256 << 10 // of the documents, and of the conversation; see [WithMaxDocuments]
)

// Evaluator judges by rules and word lists. It is safe for concurrent use and
// keeps nothing of the cases it has seen.
type Evaluator struct {
	maxOutput, maxDocuments int
	share                   float64
	maxSentences            int // 0: by the share
	open                    OpenModel
	model                   Model // nil: word lists only
}

// Option configures an [Evaluator].
type Option func(*Evaluator)

// WithMaxOutput bounds how much of an output is read, in bytes, and likewise of
// the question. A result that rests on the part that was read says so in
// [AttributeTruncated]; one that would need the rest, such as Non Toxic, is
// skipped(content_truncated). The default is [DefaultMaxOutput]; less than 1
// keeps it.
func WithMaxOutput(bytes int) Option {
	return func(e *Evaluator) {
		if bytes > 0 {
			e.maxOutput = bytes
		}
	}
}

// WithMaxDocuments bounds how much of the documents of a case is read, in
// bytes over all of them in order, and likewise of the conversation. Beyond it
// nothing can be called unsupported any more, and faithfulness skips what it
// would have flagged. The default is [DefaultMaxDocuments]; less than 1 keeps
// it.
func WithMaxDocuments(bytes int) Option {
	return func(e *Evaluator) {
		if bytes > 0 {
			e.maxDocuments = bytes
		}
	}
}

// New returns the evaluator. It does no work: the sentiment lexicon is
// unpacked by the first case that asks for sentiment.
func New(opts ...Option) *Evaluator {
	e := &Evaluator{maxOutput: DefaultMaxOutput, maxDocuments: DefaultMaxDocuments, share: DefaultShare}
	if open := provided.Load(); open != nil {
		e.open = *open
	}
	for _, o := range opts {
		if o != nil {
			o(e)
		}
	}
	if e.open != nil {
		e.model = e.open(e.share)
	}
	return e
}

// Name returns [Name].
func (e *Evaluator) Name() string { return Name }

// Version returns [Version], and behind a plus sign the model's name and
// version where there is one: with another model a case may get another result.
func (e *Evaluator) Version() string {
	if e.model == nil {
		return Version
	}
	return Version + "+" + e.model.Name()
}

// Group has toxicity and sentiment asked together where a model reads the
// sentences for both, unless they have different deadlines; the others are
// asked one by one.
func (e *Evaluator) Group(metrics []evaluators.Metric) [][]evaluators.Metric {
	var groups [][]evaluators.Metric
	reads := -1
	for _, m := range metrics {
		shares := e.model != nil && (m.Name == MetricToxicity || m.Name == MetricSentiment)
		if shares && reads >= 0 && groups[reads][0].Timeout == m.Timeout {
			groups[reads] = append(groups[reads], m)
			continue
		}
		if shares && reads < 0 {
			reads = len(groups)
		}
		groups = append(groups, []evaluators.Metric{m})
	}
	return groups
}

// Type returns [evaluators.TypeDeterministic].
func (e *Evaluator) Type() string { return evaluators.TypeDeterministic }

// Metrics announces bias, toxicity, sentiment, answer_relevancy and
// faithfulness. Labels follow from the rules, never from the threshold; the
// default thresholds are where the two agree.
func (e *Evaluator) Metrics() []evaluators.Metric {
	metric := func(name string, d evaluators.Direction, threshold float64, needs evaluators.Need, labels ...string) evaluators.Metric {
		return evaluators.Metric{
			Name: name, Direction: d, Threshold: threshold, Needs: needs, Labels: labels,
		}
	}
	return []evaluators.Metric{
		metric(MetricBias, evaluators.LowerIsBetter, 0.5,
			evaluators.NeedOutput, "Biased", "Not Biased"),
		metric(MetricToxicity, evaluators.LowerIsBetter, 0.5,
			evaluators.NeedOutput, labelToxic, labelNonToxic),
		metric(MetricSentiment, evaluators.HigherIsBetter, negativeBelow,
			evaluators.NeedOutput, labelNegative, labelNeutral, labelPositive),
		metric(MetricAnswerRelevancy, evaluators.HigherIsBetter, 0.5,
			evaluators.NeedInput|evaluators.NeedOutput, labelRelevant, labelIrrelevant),
		metric(MetricFaithfulness, evaluators.HigherIsBetter, 1,
			evaluators.NeedOutput|evaluators.NeedDocuments, labelFaithful, labelUnfaithful),
	}
}

// DefaultMetrics names all but bias, which always asks for a judge.
func (e *Evaluator) DefaultMetrics() []string {
	return []string{MetricToxicity, MetricSentiment, MetricAnswerRelevancy, MetricFaithfulness}
}

// judgement is how one metric comes to its result.
type judgement struct {
	method string
	judge  func(context.Context, *subject) (evaluators.Result, error)
}

var judgements = map[string]judgement{
	MetricBias:            {"none", judgeBias},
	MetricToxicity:        {"lexicon", judgeToxicity},
	MetricSentiment:       {"vader", judgeSentiment},
	MetricAnswerRelevancy: {"question_coverage/2", judgeRelevancy},
	MetricFaithfulness:    {"lexical_grounding/2", judgeFaithfulness},
}

// Evaluate judges the case, on the caller's goroutine and in the order asked.
// What cannot be judged is skipped(needs_judge); a metric that is not
// announced is skipped(not_reported). When ctx ends, what has not been judged
// is failed(evaluator_timeout); ctx is looked at between sentences.
func (e *Evaluator) Evaluate(ctx context.Context, c *evaluators.Case, metrics []evaluators.Metric) []evaluators.Result {
	s := &subject{c: c, limits: e}
	results := make([]evaluators.Result, 0, len(metrics))
	for _, m := range metrics {
		results = append(results, evaluate(ctx, s, m.Name))
	}
	return results
}

func evaluate(ctx context.Context, s *subject, name string) evaluators.Result {
	j, ok := judgements[name]
	if !ok {
		return evaluators.Skipped(name, evaluators.SkipNotReported, "builtin has no such metric")
	}
	s.truncated, s.method = false, ""
	r, ok := s.unjudgeable(name)
	if !ok {
		err := ctx.Err()
		if err == nil {
			r, err = j.judge(ctx, s)
		}
		if err != nil {
			r = failed(ctx, name, err)
		}
	}
	r.Metric = name
	r.Attributes = append(r.Attributes, attribute.String(AttributeMethod, cmp.Or(s.method, j.method)))
	if s.truncated {
		r.Attributes = append(r.Attributes, attribute.Bool(AttributeTruncated, true))
	}
	return r
}

// failed is the result of a metric that was not judged to its end: ctx ended, or
// the model cannot be used.
func failed(ctx context.Context, name string, err error) evaluators.Result {
	if cause := context.Cause(ctx); cause != nil {
		return evaluators.Failed(name, evaluators.ErrorEvaluatorTimeout, fmt.Errorf("judging %s: %w", name, cause))
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return evaluators.Failed(name, evaluators.ErrorEvaluatorTimeout, fmt.Errorf("judging %s: %w", name, err))
	}
	return evaluators.Failed(name, ErrorModel, fmt.Errorf("judging %s: %w", name, err))
}

// unread is the result of a metric whose verdict is one on the whole text, when
// the rest of it was over the bound.
func unread(what string) evaluators.Result {
	return evaluators.Skipped("", evaluators.SkipContentTruncated, "the "+what+" is too long to be read to its end")
}

// needsJudge is the result of a metric that will not guess. Why is a short
// clause without content of the case.
func needsJudge(why string) evaluators.Result {
	return evaluators.Skipped("", evaluators.SkipNeedsJudge, why+"; set JUDGE_MODEL")
}
